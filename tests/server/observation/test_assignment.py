"""Who gets which of two rules, and what a session's file holds."""

import json
import random
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.counts import Event, Source
from synconfroute.server.observation.comparison.assignment import Assignment
from synconfroute.server.observation.comparison.sessions import (
    Session,
    as_json,
    from_json,
    read_sessions,
    write_session,
)
from synconfroute.server.settings.tree import Comparison, Escalation, Org, Router, Settings

DAY = date(2026, 11, 30)
SOURCE = Source("local", "small", "python", "kept", "valid")
COMPARED = Settings(
    org=Org(url="https://vllm.example.org/v1"),
    router=Router(rule="score"),
    comparison=Comparison(rule="paper", sessions=40),
)


def assignment(folder: Path, chance: float | random.Random = 0.0) -> Assignment:
    """One session's; `chance` below a half gives `router.rule` where the arms are even."""
    draw = chance.random if isinstance(chance, random.Random) else lambda: chance
    return Assignment(folder, draw, lambda: DAY)


@pytest.mark.parametrize(
    "settings",
    [
        replace(COMPARED, comparison=Comparison()),
        replace(COMPARED, comparison=Comparison(rule="score")),
        replace(COMPARED, org=Org()),
        replace(COMPARED, escalation=Escalation(enabled=False)),
    ],
)
def test_without_two_rules_or_an_organisation_nothing_changes(
    settings: Settings, tmp_path: Path
) -> None:
    """Nothing is counted by session, either."""
    one = assignment(tmp_path)
    assert one.applied(settings) is settings
    one.add(SOURCE, Event.ASKED)
    assert one.save()
    assert one.arm == ""
    assert list(tmp_path.iterdir()) == []


@given(st.floats(0, 0.999), st.sampled_from(["paper", "evidence"]), st.none() | st.floats(0, 1))
def test_only_the_rule_and_its_threshold_ever_differ(
    chance: float, rule: str, threshold: float | None
) -> None:
    """Where code may go, and everything else, is as the settings say in both arms."""
    settings = replace(COMPARED, comparison=Comparison(rule=rule, threshold=threshold))
    one = Assignment(Path("/nowhere/at/all"), lambda: chance, lambda: DAY)
    applied = one.applied(settings)
    assert replace(applied, router=settings.router) == settings
    assert applied.router.rule == ("score" if chance < 0.5 else rule)
    kept = replace(applied.router, rule="score", threshold=None)
    assert kept == settings.router
    assert applied.router.threshold == (None if chance < 0.5 else threshold)


def test_a_session_keeps_its_rule_while_the_comparison_is_the_same(tmp_path: Path) -> None:
    """Whatever else is set meanwhile; another comparison is another draw and another session."""
    chance = random.Random(5)
    one = assignment(tmp_path, chance)
    rule = one.applied(COMPARED).router.rule
    for deadline in range(200, 220):
        changed = replace(COMPARED, escalation=Escalation(deadline_ms=deadline))
        assert one.applied(changed).router.rule == rule
    one.add(SOURCE, Event.ASKED, 3)
    one.applied(replace(COMPARED, comparison=Comparison(rule="evidence")))
    one.add(SOURCE, Event.ASKED, 2)
    assert one.save()
    found = {(each.arms, each.numbers["asked"]) for each in read_sessions(tmp_path)}
    assert found == {(("score", "paper"), 3), (("score", "evidence"), 2)}


def test_sessions_are_balanced_and_not_foreseen(tmp_path: Path) -> None:
    """Of forty, neither rule has many more, and they do not take turns."""
    chance, arms = random.Random(8), []
    for _ in range(40):
        one = assignment(tmp_path, chance)
        one.applied(COMPARED)
        one.add(SOURCE, Event.ASKED)
        assert one.save()
        arms.append(one.arm)
    assert 16 <= arms.count("paper") <= 24
    assert any(first == second for first, second in pairwise(arms))


def test_once_the_plan_is_fulfilled_all_work_with_the_rule_of_the_settings(tmp_path: Path) -> None:
    """So the number of sessions is the one that was fixed before."""
    settings = replace(COMPARED, comparison=Comparison(rule="paper", sessions=10))
    for number in range(15):
        one = assignment(tmp_path, random.Random(number))
        applied = one.applied(settings)
        one.add(SOURCE, Event.ASKED)
        assert one.save()
        if number >= 10:
            assert applied == settings
    assert len(read_sessions(tmp_path)) == 10


def test_a_file_holds_numbers_and_nothing_that_tells_who(tmp_path: Path) -> None:
    """No model, no language, no time of day; only what is compared."""
    one = assignment(tmp_path)
    one.applied(COMPARED)
    one.add(Source("local", "/home/someone/m.gguf", "python", "kept", "valid"), Event.SHOWN, 4)
    one.add(SOURCE, Event.GENERATED, 900)
    one.add(SOURCE, "model_ms 150", 4)
    assert one.save()
    (file,) = tmp_path.rglob("*.json")
    held = json.loads(file.read_text(encoding="utf-8"))
    assert held == {
        "format": 1,
        "id": file.stem,
        "arms": ["score", "paper"],
        "arm": "score",
        "planned": 40,
        "day": "2026-11-30",
        "numbers": {"shown": 4, "model_ms 150": 4},
    }
    one.add(SOURCE, Event.SHOWN)
    assert one.save()
    assert read_sessions(tmp_path)[0].numbers["shown"] == 5


def test_what_cannot_be_written_now_is_written_later(tmp_path: Path) -> None:
    """The folder cannot be made at first."""
    folder = tmp_path / "counts"
    folder.write_text("", encoding="utf-8")
    one = assignment(folder)
    one.applied(COMPARED)
    one.add(SOURCE, Event.ASKED)
    assert not one.save()
    folder.unlink()
    assert one.save()
    assert [each.numbers for each in read_sessions(folder)] == [{"asked": 1}]


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
SESSION = as_json(Session("0" * 16, ("score", "paper"), "paper", 10, DAY, {"asked": 1}))


@given(st.sampled_from(sorted(SESSION)), JSON)
def test_a_file_that_is_not_ours_is_passed_over(name: str, value: Any) -> None:
    """Whatever stands in it; what is read is a session that could have been written."""
    found = from_json({**SESSION, name: value})
    assert found is None or from_json(as_json(found)) == found


def test_damaged_files_are_passed_over(tmp_path: Path) -> None:
    """The others count."""
    assert write_session(Session("a" * 16, ("score", "paper"), "paper", 10, DAY, {}), tmp_path)
    (good,) = tmp_path.rglob("*.json")
    (good.parent / "b.json").write_bytes(b"{")
    (good.parent / ("c" * 16 + ".json")).write_bytes(good.read_bytes())
    assert [each.id for each in read_sessions(tmp_path)] == ["a" * 16]

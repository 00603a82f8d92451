"""The figures that the recorded answers of two models must give."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from synconfroute.evaluation.generation.verdicts import verdicts_of
from synconfroute.evaluation.routing.answers import Text, examples, paired
from synconfroute.evaluation.routing.curve import curve
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.folds import by_function
from synconfroute.evaluation.routing.grid import points
from synconfroute.evaluation.routing.replay import replay
from synconfroute.evaluation.routing.strategies import strategies
from synconfroute.validators.verdict import Outcome

ALL = {strategy.name: strategy for strategy in strategies(None)}
SHARES = (33, 50, 61, 70)


def read(data_folder: Path, validator: str, text: Text = "raw") -> list[Example]:
    """The recorded answers, read so and judged by one of the validators."""
    folder = data_folder / "predictions"
    files = (next(folder.glob(f"*{size}-instruct*.gz")) for size in ("0.5b", "1.5b"))
    pairs = paired(data_folder, *files)

    async def judged() -> list[Example]:
        verdicts = verdicts_of(validator)
        try:
            return await examples(pairs, text, verdicts, lambda items, unit: items)
        finally:
            await verdicts.aclose()

    return asyncio.run(judged())


@pytest.fixture(scope="module")
def by_paper(data_folder: Path) -> list[Example]:
    """Judged by whole-file parsing."""
    return read(data_folder, "paper")


@pytest.fixture(scope="module")
def by_server(data_folder: Path) -> list[Example]:
    """Judged by the server's validator."""
    return read(data_folder, "live")


def at_shares(name: str, tasks: Sequence[Example]) -> list[float]:
    """Pass@1 of a strategy in per cent at `SHARES`, out of fold."""
    found = pass_at_each_share(name, tasks)
    return [round(100 * found[share], 1) for share in SHARES]


def pass_at_each_share(name: str, tasks: Sequence[Example]) -> list[float]:
    """Pass@1 of a strategy at 0, 1, … 100 % local, out of fold."""
    routed = replay(ALL[name], tasks, by_function(tasks))
    return [right for _, right in curve([task.scored for task in routed])]


def share_right(tasks: Sequence[Example], name: str) -> float:
    """Pass@1 of a strategy that has no threshold, in per cent."""
    routed = replay(ALL[name], tasks, by_function(tasks))
    return round(100 * sum(task.right for task in routed) / len(routed), 1)


def test_the_models_and_the_bound(by_paper: list[Example]) -> None:
    """Local, larger, and whoever is right."""
    assert len(by_paper) == 1033
    found = [share_right(by_paper, name) for name in ("always-local", "always-larger", "oracle")]
    assert found == [54.5, 84.6, 87.0]


def test_the_papers_rule_at_its_threshold(by_paper: list[Example]) -> None:
    """At c ≥ 0.7: pass@1 and local share, by confidence alone and with the syntax check."""
    found = {}
    for name in ("confidence", "synconfroute"):
        routed = replay(ALL[name], by_paper, by_function(by_paper))
        (point,) = (each for each in points([t.scored for t in routed]) if each.threshold == 0.7)
        found[name] = (round(100 * point.pass_at_1, 1), round(100 * point.local_share))
    assert found == {"confidence": (66.4, 75), "synconfroute": (78.6, 61)}


def test_the_curves_of_the_papers_rules(by_paper: list[Example]) -> None:
    """At 33, 50, 61 and 70 % local."""
    assert at_shares("confidence", by_paper) == [79.8, 75.7, 72.4, 69.0]
    assert at_shares("synconfroute", by_paper) == [82.4, 80.7, 78.6, 75.8]


def test_no_right_local_answer_is_judged_invalid(
    by_paper: list[Example], by_server: list[Example]
) -> None:
    """Neither validator rejects one."""
    for tasks in (by_paper, by_server):
        assert not [
            each.sight.task_id
            for each in tasks
            if each.local_right and each.sight.verdict.outcome is Outcome.INVALID
        ]


def test_the_score_on_functions_that_it_was_not_fitted_on(by_server: list[Example]) -> None:
    """At 33, 50 and 61 % local it gives what was asked of it; at 70 % it falls short of 79."""
    found = at_shares("score", by_server)
    assert all(a >= b for a, b in zip(found, (84.2, 83.0, 81.5, 77.0), strict=True)), found


def test_sure_repairs_never_cost_a_routed_answer(data_folder: Path) -> None:
    """With them the curve of each rule of the server lies nowhere below the one without."""
    without, mended = (read(data_folder, "live", text) for text in ("unrepaired", "cleaned"))
    for name in ("synconfroute", "evidence", "score"):
        lower, upper = (pass_at_each_share(name, tasks) for tasks in (without, mended))
        assert all(b >= a for a, b in zip(lower, upper, strict=True)), name
        assert sum(upper) > sum(lower), name

"""Exports of several machines, put together."""

import json
import random
from datetime import date
from pathlib import Path

import pytest

from synconfroute.errors import UsageError
from synconfroute.server.completion.counts import Source
from synconfroute.server.completion.day_files import add_days
from synconfroute.server.observation.comparison.sessions import Session, new_id, write_session
from synconfroute.server.observation.exported import export, pooled
from synconfroute.server.observation.report import report_here

DAY = date(2026, 11, 30)
LOCAL = Source("local", "small", "python", "kept", "valid")
ORG = Source("org", "large", "java", "invalid", "valid")


def machine(folder: Path, seed: int) -> Path:
    """A machine's counts: a day and ten sessions."""
    chance = random.Random(seed)
    shown = chance.randrange(20, 60)
    rows = {LOCAL: {"asked": shown, "shown": shown, "accepted": 10, "model_ms 150": shown}}
    assert not add_days({DAY: rows, date(2026, 11, 1): {ORG: {"asked": 4, "sent": 4}}}, folder)
    for number in range(10):
        arm = ("paper", "score")[number % 2]
        numbers = {"asked": 20, "shown": 15, "accepted": chance.randrange(2, 9)}
        session = Session(new_id(), ("score", "paper"), arm, 10, DAY, numbers)
        assert write_session(session, folder)
    return folder


@pytest.fixture
def exports(tmp_path: Path) -> list[Path]:
    """Three machines' exports."""
    files = []
    for seed in range(3):
        file = tmp_path / f"{seed}.json"
        file.write_text(export(machine(tmp_path / f"counts{seed}", seed)), encoding="utf-8")
        files.append(file)
    return files


def test_sums_are_those_of_all_machines(exports: list[Path], tmp_path: Path) -> None:
    """Percentiles, too: they come from counts. The plan is everybody's."""
    report, passed_over = pooled(exports)
    singles = [report_here(folder=tmp_path / f"counts{seed}") for seed in range(3)]
    assert passed_over == []
    assert report.people == 3
    total = report.summary.total
    assert total.shown == sum(each.summary.total.shown for each in singles)
    assert total.accepted == 30
    assert report.summary.waits["local"].count == total.shown
    (found,) = report.comparisons
    assert (found.sessions, found.planned) == (30, 30)
    assert [arm.sessions for arm in found.arms] == [15, 15]


def test_one_export_alone_says_what_its_machine_says(exports: list[Path], tmp_path: Path) -> None:
    """Nothing is lost on the way, with and without earlier days."""
    for since in (None, date(2026, 11, 15)):
        report, _ = pooled(exports[:1], since)
        here = report_here(since, tmp_path / "counts0")
        assert report.as_json() == {**here.as_json(), "people": 1}


def test_a_later_export_takes_the_place_of_an_earlier(exports: list[Path], tmp_path: Path) -> None:
    """In whichever order they are given; the file that is passed over is named."""
    later = json.loads(exports[0].read_text(encoding="utf-8"))
    later["made"] = "2027-01-01T00:00:00+00:00"
    newer = tmp_path / "newer.json"
    newer.write_text(json.dumps(later), encoding="utf-8")
    for given in ([exports[0], newer, exports[1]], [newer, exports[1], exports[0]]):
        report, (sentence,) = pooled(given)
        assert sentence.startswith("0.json is an earlier export")
        assert report == pooled(exports[:2])[0]


def test_an_export_tells_no_more_than_the_counts(exports: list[Path]) -> None:
    """A random number in the place of a name; the same in the next export."""
    held = json.loads(exports[0].read_text(encoding="utf-8"))
    assert set(held) == {"kind", "format", "machine", "made", "days", "sessions"}
    assert len(held["machine"]) == 16
    again = json.loads(export(exports[0].parent / "counts0"))
    assert again["machine"] == held["machine"]
    assert len({json.loads(each.read_text("utf-8"))["machine"] for each in exports}) == 3


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[]", b"\xff", b"[" * 100_000, b'{"kind": "synconfroute counts"}']
)
def test_what_is_no_export_is_said(content: bytes, tmp_path: Path) -> None:
    """With the command that makes one."""
    file = tmp_path / "other.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"other\.json is no export .* --export FILE"):
        pooled([file])
    with pytest.raises(UsageError, match=r"missing\.json cannot be read"):
        pooled([tmp_path / "missing.json"])

"""Results that are kept: by what was run, never wrong, never from a damaged file."""

import os
from pathlib import Path

import pytest

from synconfroute.evaluation.datasets import RunToEnd
from synconfroute.evaluation.execution import Result, judge, judging
from synconfroute.evaluation.execution.limits import Limits
from synconfroute.server.places import results_folder
from tests.evaluation.execution.tasks import TO_END, answers, task


def one(text: str, seconds: float = 2.0, *, cache: bool = True) -> Result:
    """Judge one program."""
    return judge([(TO_END, text)], seconds=seconds, cache=cache)[0]


def kept() -> list[Path]:
    """The files in the user's cache."""
    return sorted(file for file in results_folder().rglob("*") if file.is_file())


@pytest.mark.parametrize("text", ["x = 1", "assert False", "(", "print(1)"])
def test_the_same_again(home: Path, text: str) -> None:
    """A program runs once; its time is kept too."""
    first, again = one(text), one(text)
    assert (first.cached, again.cached) == (False, True)
    assert (again.outcome, again.passed) == (first.outcome, first.passed)
    assert again.seconds == pytest.approx(first.seconds, abs=0.01)
    assert len(kept()) == 1


def test_what_makes_a_difference(home: Path) -> None:
    """Program, tests and limits do; the task's name does not."""
    assert not one("x = 1").cached
    assert one("x = 1").cached
    assert not one("x = 2").cached
    assert not one("x = 1", seconds=3).cached
    (other,) = judge([(task(RunToEnd("\nassert x == 2\n")), "x = 1")], seconds=2)
    assert (other.cached, other.passed) == (False, False)
    first = answers("python", ("", ("1",)))
    second = answers("python", ("", ("2",)))
    assert [r.passed for r in judge([(first, "print(1)"), (second, "print(1)")])] == [True, False]


def test_without_the_cache(home: Path) -> None:
    """Nothing is read and nothing written."""
    one("x = 1")
    assert not one("x = 1", cache=False).cached
    one("x = 2", cache=False)
    assert len(kept()) == 1


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"outcome": "passed", "seconds": 1}',
     b'{"outcome": "passed", "seconds": 1, "key": "another"}'],
)  # fmt: skip
def test_a_damaged_file_is_ignored(home: Path, damage: bytes) -> None:
    """And written anew."""
    one("assert False")
    (file,) = kept()
    whole = file.read_bytes()
    file.write_bytes(damage)
    result = one("assert False")
    assert (result.cached, result.passed) == (False, False)
    file.write_bytes(whole.replace(b'"failed"', b'"splendid"'))
    assert not one("assert False").cached
    assert one("assert False").cached


@pytest.mark.skipif(os.name != "posix", reason="Windows has the clock alone")
def test_what_used_its_time_is_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would on any machine."""
    monkeypatch.setattr(judging, "within", lambda seconds: Limits(cpu=seconds, wall=60))
    assert one("while True: pass", seconds=1).outcome == "timeout"
    assert one("while True: pass", seconds=1).cached


def test_what_the_clock_ended_is_not_kept(home: Path) -> None:
    """A busy machine may have been the cause."""
    assert one("import time\ntime.sleep(60)", seconds=0.4).outcome == "timeout"
    assert kept() == []


def test_a_folder_that_cannot_be_written(home: Path) -> None:
    """Programs are judged all the same."""
    results_folder().parent.mkdir(parents=True)
    results_folder().write_text("a file where the folder goes")
    assert one("x = 1").passed
    assert not one("x = 1").cached

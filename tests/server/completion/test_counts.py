"""Numbers in one file for all processes."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from filelock import FileLock

from synconfroute.server.completion.counts import MOST_DAYS, Counts, Event, read

DAY = date(2026, 11, 30)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the numbers go; the folder does not exist yet."""
    return tmp_path / "state" / "counts.json"


def counts(file: Path) -> Counts:
    """One process's counts."""
    return Counts(file, lambda: DAY)


def test_two_processes_add_up(file: Path) -> None:
    """By day, source and event."""
    one, other = counts(file), counts(file)
    one.add("local/small/python", Event.SHOWN)
    one.add("local/small/python", Event.SHOWN)
    other.add("local/small/python", Event.SHOWN)
    other.add("org/large/java", Event.ACCEPTED)
    assert one.save()
    assert other.save()
    assert one.save()
    assert read(file) == {
        "2026-11-30": {"local/small/python": {"shown": 3}, "org/large/java": {"accepted": 1}}
    }


def test_processes_that_save_at_once_lose_nothing(file: Path) -> None:
    """Each waits for the other."""
    code = (
        "import sys; from pathlib import Path\n"
        "from synconfroute.server.completion.counts import Counts, Event\n"
        "counts = Counts(Path(sys.argv[1]))\n"
        "for _ in range(20):\n"
        "    counts.add('s', Event.SHOWN)\n"
        "    while not counts.save(): pass\n"
    )
    command = [sys.executable, "-c", code, str(file)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    ((sources),) = read(file).values()
    assert sources == {"s": {"shown": 60}}


def test_what_cannot_be_saved_now_is_saved_later(file: Path) -> None:
    """Another process holds the lock for long, or the folder cannot be made."""
    one = counts(file)
    one.add("s", Event.KEPT)
    file.parent.mkdir()
    with FileLock(f"{file}.lock"):
        assert not one.save()
    one.add("s", Event.KEPT)
    assert one.save()
    assert read(file)["2026-11-30"]["s"] == {"kept": 2}
    (file.parent / "blocked").write_text("", encoding="utf-8")
    assert counts(file.parent / "blocked" / "counts.json").save()
    stuck = counts(file.parent / "blocked" / "counts.json")
    stuck.add("s", Event.GONE)
    assert not stuck.save()


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "1",
        '{"2026-11-30": 1, "x": {"s": []}}',
        "[" * 100_000,
        '{"d": {"s": {"code": 1}}}',
    ],
)
def test_a_file_that_is_not_ours_counts_nothing(file: Path, content: str) -> None:
    """And is replaced at the next save."""
    file.parent.mkdir()
    file.write_text(content, encoding="utf-8")
    assert read(file) == {}
    one = counts(file)
    one.add("s", Event.SHOWN)
    assert one.save()
    assert json.loads(file.read_text(encoding="utf-8")) == {"2026-11-30": {"s": {"shown": 1}}}


def test_old_days_are_forgotten(file: Path) -> None:
    """The file does not grow for ever."""
    for number in range(MOST_DAYS + 2):
        day = date.fromordinal(DAY.toordinal() + number)
        one = Counts(file, lambda day=day: day)  # type: ignore[misc]
        one.add("s", Event.SHOWN)
        assert one.save()
    assert len(read(file)) == MOST_DAYS
    assert "2026-11-30" not in read(file)


def test_nothing_new_touches_no_file(file: Path) -> None:
    """A session in which nothing was shown leaves nothing behind."""
    assert counts(file).save()
    assert not file.parent.exists()

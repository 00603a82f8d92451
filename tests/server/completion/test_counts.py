"""Numbers in files for all processes, one a day."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.answer import Reason, Tier
from synconfroute.server.completion.counts import (
    BOUNDS_MS,
    LONGEST_NAME,
    MOST_ROWS,
    MOST_WAITING,
    Counts,
    Event,
    Source,
    Wait,
    cell,
)
from synconfroute.server.completion.day_files import FORMAT, MOST_DAYS, read_days, read_earlier
from synconfroute.validators.verdict import Outcome
from tests.server.completion.test_type_through import MADE

DAY = date(2026, 11, 30)
SMALL = Source("local", "small", "python", "kept", "valid")
LARGE = Source("org", "large", "java", "invalid", "unknown")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the numbers go; it does not exist yet."""
    return tmp_path / "state" / "counts"


def counts(folder: Path, day: date = DAY) -> Counts:
    """One process's counts."""
    return Counts(folder, lambda: day)


def file_of(folder: Path, day: date = DAY) -> Path:
    """A day's file."""
    return folder / f"{day}.json"


def test_two_processes_add_up(folder: Path) -> None:
    """By day, source and name."""
    one, other = counts(folder), counts(folder)
    one.add(SMALL, Event.SHOWN)
    one.add(SMALL, Event.GENERATED, 7)
    other.add(SMALL, Event.SHOWN)
    other.add(LARGE, cell(Wait.MODEL, 120))
    assert one.save()
    assert other.save()
    assert one.save()
    assert read_days(folder).days == {
        DAY: {SMALL: {"shown": 2, "generated": 7}, LARGE: {"model_ms 150": 1}}
    }


def test_days_are_apart_and_read_from_one_on(folder: Path) -> None:
    """Midnight passes in a session; an older day is not rewritten."""
    day = [DAY]
    one = Counts(folder, lambda: day[0])
    one.add(SMALL, Event.SHOWN)
    day[0] += timedelta(days=1)
    one.add(SMALL, Event.SHOWN, 2)
    assert one.save()
    assert read_days(folder).days == {DAY: {SMALL: {"shown": 1}}, day[0]: {SMALL: {"shown": 2}}}
    assert list(read_days(folder, since=day[0]).days) == [day[0]]
    before = file_of(folder).stat()
    one.add(SMALL, Event.SHOWN)
    assert one.save()
    assert file_of(folder).stat() == before


def test_processes_that_save_at_once_lose_nothing(folder: Path) -> None:
    """Each waits for the other."""
    code = (
        "import sys; from pathlib import Path\n"
        "from synconfroute.server.completion.counts import Counts, Event, Source\n"
        "counts = Counts(Path(sys.argv[1]))\n"
        "for _ in range(20):\n"
        "    counts.add(Source('local', 'small', 'python', 'kept', 'valid'), Event.SHOWN)\n"
        "    while not counts.save(): pass\n"
    )
    command = [sys.executable, "-c", code, str(folder)]
    running = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    days = read_days(folder).days.values()
    assert sum(rows[SMALL]["shown"] for rows in days) == 60


def test_what_cannot_be_saved_now_is_saved_later(folder: Path) -> None:
    """Another process holds the lock for long, or the folder cannot be made."""
    one = counts(folder)
    one.add(SMALL, Event.KEPT)
    folder.mkdir(parents=True)
    with FileLock(folder / "lock"):
        assert not one.save()
    one.add(SMALL, Event.KEPT)
    assert one.save()
    assert read_days(folder).days[DAY] == {SMALL: {"kept": 2}}
    (folder / "blocked").write_text("", encoding="utf-8")
    assert counts(folder / "blocked" / "counts").save()
    stuck = counts(folder / "blocked" / "counts")
    stuck.add(SMALL, Event.GONE)
    assert not stuck.save()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"1",
        b"\xff\xfe",
        b'{"format": 1, "rows": {}}',
        b'{"format": 1, "rows": [1, {}, {"tier": "local"}]}',
        b"[" * 100_000,
        b'{"format": "1", "rows": [{"tier": "", "model": "", "language": "", "reason": "",'
        b' "verdict": "", "numbers": {"code": 1, "shown": "2", "kept": -1, "gone": true}}]}',
    ],
)
def test_a_file_that_is_not_ours_counts_nothing(folder: Path, content: bytes) -> None:
    """And is replaced at the next save."""
    folder.mkdir(parents=True)
    file_of(folder).write_bytes(content)
    assert read_days(folder).days == {}
    one = counts(folder)
    one.add(SMALL, Event.SHOWN)
    assert one.save()
    assert read_days(folder).days == {DAY: {SMALL: {"shown": 1}}}


def test_the_file_of_a_newer_version_is_left_alone(folder: Path) -> None:
    """Two editors may have servers of two versions; the older one says what it cannot read."""
    folder.mkdir(parents=True)
    newer = json.dumps({"format": FORMAT + 1, "rows": "who knows"})
    file_of(folder).write_text(newer, encoding="utf-8")
    one = counts(folder)
    one.add(SMALL, Event.SHOWN)
    assert not one.save()
    assert file_of(folder).read_text(encoding="utf-8") == newer
    assert read_days(folder).unreadable == (file_of(folder).name,)
    file_of(folder).unlink()
    assert one.save()
    assert read_days(folder).days == {DAY: {SMALL: {"shown": 1}}}


def test_what_cannot_be_read_is_named(folder: Path) -> None:
    """No number is left out without a word."""
    file_of(folder).mkdir(parents=True)
    assert read_days(folder).unreadable == (file_of(folder).name,)
    assert read_days(folder, since=DAY + timedelta(days=1)).unreadable == ()


def test_old_days_are_forgotten(folder: Path) -> None:
    """The folder does not grow for ever; what else lies in it is not ours."""
    folder.mkdir(parents=True)
    stranger = folder / "0000.json"
    stranger.write_text("{}", encoding="utf-8")
    days = [DAY + timedelta(days=number) for number in range(MOST_DAYS + 2)]
    for day in days[:-1]:
        file_of(folder, day).write_text('{"format": 1, "rows": []}', encoding="utf-8")
    one = counts(folder, days[-1])
    one.add(SMALL, Event.SHOWN)
    assert one.save()
    left = sorted(file.name for file in folder.glob("2*.json"))
    assert left == [file_of(folder, day).name for day in days[2:]]
    assert read_earlier(folder) == {}
    assert stranger.exists()


def test_what_forgotten_days_came_to_is_kept(folder: Path) -> None:
    """In one file: sums over all that ever was do not fall when a day is forgotten."""
    for number in range(MOST_DAYS + 2):
        one = counts(folder, DAY + timedelta(days=number))
        one.add(SMALL, Event.SHOWN, 3)
        if number in {0, 1, MOST_DAYS, MOST_DAYS + 1}:
            assert one.save()
        else:
            content = (folder / f"{DAY}.json").read_bytes()
            file_of(folder, DAY + timedelta(days=number)).write_bytes(content)
    assert read_earlier(folder) == {SMALL: {"shown": 6}}
    days = read_days(folder).days
    assert sum(rows[SMALL]["shown"] for rows in days.values()) == MOST_DAYS * 3


def test_sources_without_end_are_folded(folder: Path) -> None:
    """What an editor calls languages cannot fill the disk; no count is lost."""
    for _ in range(2):
        one = counts(folder)
        for number in range(MOST_ROWS * 3):
            one.add(replace(SMALL, language=f"language {number}"), Event.SHOWN)
        assert one.save()
    (rows,) = read_days(folder).days.values()
    assert len(rows) == MOST_ROWS + 1
    assert sum(numbers["shown"] for numbers in rows.values()) == MOST_ROWS * 6
    assert rows[SMALL.folded]["shown"] == MOST_ROWS * 4


def test_days_that_cannot_be_saved_are_bounded(folder: Path) -> None:
    """A session of weeks on a full disk."""
    day = [DAY]
    one = Counts(folder, lambda: day[0])
    for _ in range(MOST_WAITING + 3):
        one.add(SMALL, Event.SHOWN)
        day[0] += timedelta(days=1)
    assert one.save()
    assert len(read_days(folder).days) == MOST_WAITING


def test_nothing_new_touches_no_file(folder: Path) -> None:
    """A session in which nothing was shown leaves nothing behind."""
    one = counts(folder)
    one.add(SMALL, Event.GENERATED, 0)
    assert one.save()
    assert not folder.exists()
    assert read_days(folder).days == {}


@given(ms=st.floats(0, 1e9))
def test_a_wait_is_counted_under_the_least_bound_that_holds_it(ms: float) -> None:
    """Beyond the greatest under that."""
    bound = int(cell(Wait.MODEL, ms).removeprefix("model_ms "))
    assert bound in BOUNDS_MS
    assert ms <= bound or bound == BOUNDS_MS[-1]
    assert all(smaller < ms for smaller in BOUNDS_MS if smaller < bound)


@pytest.mark.parametrize(
    ("model", "bare"),
    [
        ("qwen2.5-coder:0.5b", "qwen2.5-coder:0.5b"),
        ("Qwen/Qwen2.5-Coder-0.5B", "Qwen/Qwen2.5-Coder-0.5B"),
        ("/home/someone/models/small.gguf", "small.gguf"),
        ("C:\\Users\\someone\\small.gguf", "small.gguf"),
        ("C:/Users/someone/small.gguf", "small.gguf"),
        ("~/small.gguf", "small.gguf"),
        ("m" * 500, "m" * LONGEST_NAME),
    ],
)
def test_a_source_names_no_folders_and_nothing_long(model: str, bare: str) -> None:
    """Servers call models by the path of their file; a path says who somebody is."""
    made = replace(MADE, model=model, verdict=Outcome.VALID)
    assert Source.of(made, "python") == Source("local", bare, "python", "kept", "valid")


def test_an_answer_without_a_text_has_a_source_too() -> None:
    """No tier, no verdict."""
    made = replace(MADE, tier=None, reason=Reason.EMPTY)
    assert Source.of(made, "java") == Source("", "small", "java", "empty", "")
    assert Source.of(replace(MADE, tier=Tier.ORG), "java").tier == "org"

"""`synconfroute ledger`: what has left this machine, and whether that is as it was written."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from synconfroute.server.command import main
from synconfroute.server.completion.ledger import Entry, Ledger
from synconfroute.server.places import ledger_folder
from tests.server.command.conftest import Done, Run

Here = Callable[..., Done]

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def entry(request_id: str, path: str = "/w/a.py") -> Entry:
    """A request that was not sure."""
    return Entry(path, "python", 1234, "https://h/v1", "big", "low_confidence", request_id)


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> Here:
    """Run `synconfroute` within this process."""

    def runner(*arguments: str | Path) -> Done:
        code = main.run([str(each) for each in arguments])
        said = capsys.readouterr()
        return Done(code, said.out, said.err)

    return runner


@pytest.fixture
def folder(home: Path) -> Path:
    """The ledger of a user who had two windows open: three requests, one lost."""
    assert home.is_dir()
    one = Ledger(now=lambda: NOON)
    one.ended(one.record(entry("aaaa1111")), "answered", ms=310, tokens=12, model="bigger")
    one.shown("aaaa1111")
    other = Ledger(now=lambda: NOON + timedelta(seconds=1))
    other.record(entry("bbbb2222", path="/w/\x1b[31mb.py"))
    later = Ledger(now=lambda: NOON + timedelta(hours=1))
    later.ended(later.record(entry("cccc3333")), "key_refused", ms=12, tokens=0)
    for each in (one, other, later):
        each.close()
    return ledger_folder()


@pytest.mark.usefixtures("folder")
def test_the_requests_of_all_processes_come_by_time(run: Run) -> None:
    """One line each: what ended, what was shown, and what nobody knows the end of."""
    done = run("ledger")
    assert (done.code, done.err) == (0, "")
    head, *lines = done.out.splitlines()
    assert head.split()[0] == "time"
    assert [line.split()[-2] for line in lines] == ["aaaa1111", "bbbb2222", "cccc3333"]
    assert "2026-03-01 12:00:00" in lines[0]
    assert "answered" in lines[0]
    assert "yes" in lines[0]
    assert "not sent or unknown" in lines[1]
    assert "key_refused" in lines[2]
    assert "\x1b" not in done.out


@pytest.mark.usefixtures("folder")
def test_the_requests_as_json(here: Here) -> None:
    """Since a moment, with all that is known."""
    everything = json.loads(here("ledger", "--json").out)
    assert [each["request_id"] for each in everything["requests"]] == [
        "aaaa1111",
        "bbbb2222",
        "cccc3333",
    ]
    late = json.loads(here("ledger", "--since", "2026-03-01T12:30:00+00:00", "--json").out)
    (request,) = late["requests"]
    assert (request["status"], request["ms"], request["shown"]) == ("key_refused", 12.0, False)
    assert json.loads(here("ledger", "--since", "2h", "--json").out)["requests"] == []


def test_a_wrong_time_is_one_sentence(here: Here) -> None:
    """Exit code 2."""
    done = here("ledger", "--since", "yesterday")
    assert done.code == 2
    assert "2026-11-30" in done.sentence


@pytest.mark.usefixtures("home")
def test_where_nothing_left_that_is_said(here: Here) -> None:
    """By each of the commands."""
    assert here("ledger").out.strip() == "Nothing has left this machine."
    assert here("ledger", "verify").out.strip() == "The ledger is empty."
    done = here("ledger", "explain", "aaaa")
    assert done.code == 1
    assert "no request aaaa" in done.sentence


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("request_id", "facts"),
    [
        ("aaaa", ["1,234 bytes of /w/a.py", "big at https://h/v1", "bigger", "was shown"]),
        ("bbbb2222", ["Not sent or unknown"]),
        ("cccc", ["without an answer: key refused"]),
    ],
)
def test_a_request_is_explained(here: Here, request_id: str, facts: list[str]) -> None:
    """By its id or how that begins: what left, why, and what became of it."""
    done = here("ledger", "explain", request_id)
    assert (done.code, done.err) == (0, "")
    for fact in facts:
        assert fact in done.out
    (request,) = json.loads(here("ledger", "explain", request_id, "--json").out)["requests"]
    assert request["request_id"].startswith(request_id)


def test_a_whole_ledger_is_said_to_be(here: Here, folder: Path) -> None:
    """Exit code 0; the JSON has what an auditor may keep."""
    done = here("ledger", "verify")
    assert (done.code, done.err) == (0, "")
    assert done.out.strip() == "The ledger is as it was written (3 files, 9 lines)."
    report = json.loads(here("ledger", "verify", "--json").out)
    assert report["whole"]
    assert {f"{name}-0001.jsonl" for name in report["heads"]} == {
        file.name for file in folder.glob("*.jsonl")
    }


def test_a_damaged_ledger_is_exit_code_1(here: Here, folder: Path) -> None:
    """With file and line on stderr, no traceback."""
    file = min(folder.glob("*.jsonl"))
    file.write_bytes(file.read_bytes().replace(b"1234", b"1235"))
    done = here("ledger", "verify")
    assert done.code == 1
    assert done.sentence.startswith(f"changed: {file.name}, line 2:")
    assert "not as it was written, in one place" in done.out
    report = json.loads(here("ledger", "verify", "--json").out)
    assert [(each["file"], each["line"]) for each in report["breaks"]] == [(file.name, 2)]


def test_what_was_kept_elsewhere_is_held_against_it(
    here: Here, folder: Path, tmp_path: Path
) -> None:
    """All of it written anew, which nothing in the folder can tell."""
    report = tmp_path / "report.json"
    report.write_text(here("ledger", "verify", "--json").out)
    assert here("ledger", "verify", "--against", report).code == 0
    for file in folder.iterdir():
        file.unlink()
    assert here("ledger", "verify").code == 0
    done = here("ledger", "verify", "--against", report)
    assert done.code == 1
    assert done.err.count("removed:") == 3
    report.write_text("[]")
    assert here("ledger", "verify", "--against", report).code == 2


def test_unreadable_lines_are_told(here: Here, folder: Path) -> None:
    """The others are shown."""
    file = min(folder.glob("*.jsonl"))
    file.write_bytes(b"{\n" + file.read_bytes())
    done = here("ledger")
    assert done.code == 0
    assert file.name in done.sentence
    assert "aaaa1111" in done.out

"""The ledger: a line before anything leaves, or nothing leaves."""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.errors import LedgerError
from synconfroute.server.completion.ledger import Entry, Ledger, dropping
from synconfroute.server.completion.ledger.entry import hashed_path
from synconfroute.server.completion.ledger.history import history
from synconfroute.server.completion.ledger.verification import verify
from synconfroute.server.settings.tree import Ledger as Rules
from tests.ledger_lines import lines_in


def _entry(**changed: object) -> Entry:
    fields = {
        "path": "/w/app.py",
        "language": "python",
        "bytes": 1234,
        "server": "https://vllm.example.org/v1",
        "model": "qwen",
        "reason": "low_confidence",
        "request_id": "r1",
    }
    return Entry(**{**fields, **changed})  # type: ignore[arg-type]


def _noon() -> datetime:
    return datetime(2026, 3, 1, 12, 0, 0, 5000, tzinfo=UTC)


def _lines(ledger: Ledger, *events: str) -> list[dict[str, object]]:
    return lines_in([ledger.file], *(events or ("sent",)))


def test_one_line_says_what_is_about_to_leave(tmp_path: Path) -> None:
    """Every field of the entry and the time in UTC stand in one JSON line, which is chained."""
    ledger = Ledger(tmp_path / "ledger", _noon)
    ledger.record(_entry())
    (begun,), (line,) = _lines(ledger, "begun"), _lines(ledger)
    assert line.pop("prev") == begun["hash"]
    assert len(str(line.pop("hash"))) == 64
    assert [line] == [
        {
            "n": 2,
            "time": "2026-03-01T12:00:00.005Z",
            "event": "sent",
            "path": "/w/app.py",
            "language": "python",
            "bytes": 1234,
            "server": "https://vllm.example.org/v1",
            "model": "qwen",
            "reason": "low_confidence",
            "request_id": "r1",
            "context_files": [],
            "context_bytes": 0,
            "tier": "org",
        }
    ]


def test_lines_are_appended_in_order(tmp_path: Path) -> None:
    """A second entry leaves the first as it was."""
    ledger = Ledger(tmp_path)
    for number in range(3):
        ledger.record(_entry(request_id=str(number)))
    assert [line["request_id"] for line in _lines(ledger)] == ["0", "1", "2"]


def test_each_process_has_a_file_of_its_own(tmp_path: Path) -> None:
    """Two ledgers of the same moment never share a file."""
    assert Ledger(tmp_path, _noon).file != Ledger(tmp_path, _noon).file


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("https://name:key@host:8000/v1?key=k#f", "https://host:8000/v1"),
        ("http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1"),
        ("http://[bad", "unreadable"),
    ],
)
def test_no_key_in_the_address_is_written(tmp_path: Path, address: str, written: str) -> None:
    """Name, key and query of an address stay out of the ledger."""
    ledger = Ledger(tmp_path)
    ledger.record(_entry(server=address))
    assert _lines(ledger)[0]["server"] == written


def test_how_a_request_ended_and_that_it_was_shown_follow(tmp_path: Path) -> None:
    """One line each, about the line of the request; what was not answered is never shown."""
    ledger = Ledger(tmp_path)
    one, other = ledger.record(_entry()), ledger.record(_entry(request_id="r2"))
    ledger.ended(other, "late", ms=4000.04, tokens=0)
    ledger.ended(one, "answered", ms=310.26, tokens=12, model="qwen-32b")
    for request_id in ("r1", "r1", "r2", "nobody's"):
        ledger.shown(request_id)
    first, second = history(tmp_path).requests
    assert (first.status, first.ms, first.tokens, first.answered_by, first.shown) == (
        "answered", 310.3, 12, "qwen-32b", True,
    )  # fmt: skip
    assert (second.status, second.ms, second.tokens, second.shown) == ("late", 4000.0, 0, False)
    assert len(_lines(ledger, "shown")) == 1


def test_what_was_kept_here_by_policy_can_be_noted(tmp_path: Path) -> None:
    """It is told apart from what left."""
    ledger = Ledger(tmp_path)
    ledger.withheld(_entry(), "The rule for *.py only watches.")
    (request,) = history(tmp_path).requests
    assert (request.status, request.why) == ("withheld", "The rule for *.py only watches.")


def test_paths_are_digests_where_the_settings_say_so(tmp_path: Path) -> None:
    """No path stands in the file, and whoever knows it finds it."""
    ledger = Ledger(tmp_path, rules=Rules(paths="hash"))
    ledger.record(_entry(context_files=("/w/other.py",)))
    (line,) = _lines(ledger)
    assert line["path"] == hashed_path("/w/app.py")
    assert line["context_files"] == [hashed_path("/w/other.py")]
    assert "/w/" not in ledger.file.read_text()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    """The folder is made with mode 0700 and the file with 0600."""
    ledger = Ledger(tmp_path / "state" / "ledger")
    ledger.record(_entry())
    assert {file.stat().st_mode & 0o777 for file in ledger.file.parent.iterdir()} == {0o600}
    assert ledger.file.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_in_place_of_the_folder_is_one_sentence(tmp_path: Path) -> None:
    """Where the folder cannot be made, LedgerError says so."""
    (tmp_path / "ledger").write_text("")
    with pytest.raises(LedgerError, match=r"cannot be written \(.+\), so nothing leaves"):
        Ledger(tmp_path / "ledger").record(_entry())


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX links")
def test_a_link_planted_in_its_place_is_not_followed(tmp_path: Path) -> None:
    """The ledger never writes through a symbolic link."""
    ledger = Ledger(tmp_path)
    assert ledger.file.parent == tmp_path
    ledger.file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerError):
        ledger.record(_entry())
    assert not (tmp_path / "elsewhere").exists()


def test_a_deleted_folder_is_made_again(tmp_path: Path) -> None:
    """Deleting the ledger while the server runs does not lose later lines."""
    ledger = Ledger(tmp_path / "ledger")
    ledger.record(_entry())
    for file in ledger.file.parent.iterdir():
        file.unlink()
    ledger.file.parent.rmdir()
    ledger.record(_entry(request_id="r2"))
    assert [line["request_id"] for line in _lines(ledger)] == ["r2"]
    assert [each.damage for each in verify(tmp_path / "ledger").breaks] == ["removed"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX resource limits")
def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    """Where only part of a line fits, LedgerError is raised and the part is taken back."""
    program = f"""
import resource, signal
from synconfroute.errors import LedgerError
from synconfroute.server.completion.ledger import Entry, Ledger, dropping
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
ledger = Ledger(Path({str(tmp_path)!r}))
entry = Entry("/w/a.py", "python", 1, "https://h/v1", "m", "invalid", "r")
ledger.record(entry)
size = ledger.file.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, size + 20))
try:
    ledger.record(entry)
except LedgerError:
    print(ledger.file.stat().st_size == size)
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
        check=False,
    )
    assert done.stdout.strip() == "True", done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
def test_a_recorded_line_survives_the_death_of_the_process(tmp_path: Path) -> None:
    """Once `record` has returned, kill -9 loses nothing."""
    program = f"""
import os, signal
from pathlib import Path
from synconfroute.server.completion.ledger import Entry, Ledger, dropping
Ledger(Path({str(tmp_path)!r})).record(Entry("/w/a.py", "python", 1, "https://h", "m", "x", "r"))
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], timeout=60, env=environment, check=False)
    (line,) = lines_in(tmp_path.glob("*.jsonl"), "sent")
    assert line["request_id"] == "r"
    assert verify(tmp_path).breaks == ()
    (request,) = history(tmp_path).requests
    assert request.status == "not sent or unknown"


def test_trying_the_folder_leaves_no_trace(tmp_path: Path) -> None:
    """`require_writable` writes no line; it raises where `record` would."""
    ledger = Ledger(tmp_path / "ledger")
    ledger.require_writable()
    assert list((tmp_path / "ledger").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError):
        Ledger(tmp_path / "file").require_writable()


@settings(deadline=None)
@given(path=st.text(), model=st.text(), server=st.text())
def test_any_text_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, path: str, model: str, server: str
) -> None:
    """Line breaks, controls and surrogates in a path never break the ledger's lines."""
    ledger = Ledger(tmp_path_factory.mktemp("ledger"))
    ledger.record(_entry(path=path, model=model, server=server))
    (line,) = _lines(ledger)
    assert (line["path"], line["model"]) == (path, model)


def _small(folder: Path) -> Ledger:
    """A ledger that keeps 1 MB, in files of 62 kB."""
    return Ledger(folder, rules=Rules(keep_mb=1))


def _fill(ledger: Ledger, requests: int, *, end: bool = True) -> None:
    padding = "x" * 10_000
    for number in range(requests):
        sent = ledger.record(_entry(path=padding, request_id=f"r{number}"))
        if end:
            ledger.ended(sent, "answered", ms=1, tokens=1)
        if ledger.untidy:
            ledger.tidy()


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def test_the_oldest_files_of_a_long_session_go(tmp_path: Path) -> None:
    """It keeps to half of what may be kept, and is whole by what its lines say of that."""
    ledger = _small(tmp_path)
    _fill(ledger, 120)
    found = verify(tmp_path)
    assert found.breaks == ()
    assert 400_000 < _size(tmp_path) < 600_000
    assert history(tmp_path).requests[-1].request_id == "r119"
    assert len(lines_in(tmp_path.glob("*.jsonl"), "dropped")) >= 1


def test_chains_of_ended_processes_go_oldest_first(tmp_path: Path) -> None:
    """The folder keeps to its size, and nothing that is gone is missed."""
    days = [datetime(2026, 3, day, tzinfo=UTC) for day in range(1, 8)]
    for day in days:
        ledger = Ledger(tmp_path, lambda day=day: day, Rules(keep_mb=1))  # type: ignore[misc]
        _fill(ledger, 30)
        ledger.close()
    assert _size(tmp_path) < 1_000_000
    assert verify(tmp_path).breaks == ()
    oldest = min(file.name for file in tmp_path.glob("*.jsonl"))
    assert "20260304" < oldest < "20260307"


def test_no_request_without_an_end_goes(tmp_path: Path) -> None:
    """Neither of a process that died, nor of this one."""
    died = Ledger(tmp_path, _noon)
    died.record(_entry(request_id="lost"))
    died.close()
    ledger = _small(tmp_path)
    running = ledger.record(_entry(request_id="running"))
    _fill(ledger, 200)
    ids = {request.request_id for request in history(tmp_path).requests}
    assert {"lost", "running", "r0"} <= ids
    ledger.ended(running, "answered", ms=1, tokens=1)
    ledger.tidy()
    ids = {request.request_id for request in history(tmp_path).requests}
    assert "lost" in ids
    assert not {"running", "r0"} & ids
    assert verify(tmp_path).breaks == ()


def test_what_a_living_process_writes_does_not_go(tmp_path: Path) -> None:
    """Another one leaves its files alone until it lets go of them."""
    living = Ledger(tmp_path, _noon)
    living.ended(living.record(_entry(request_id="theirs")), "answered", ms=1, tokens=1)
    ledger = _small(tmp_path)
    _fill(ledger, 120, end=False)
    ledger.tidy()
    assert living.file.exists()
    living.close()
    ledger.tidy()
    assert not living.file.exists()
    assert verify(tmp_path).breaks == ()


def test_many_short_sessions_do_not_pile_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However small they are, only so many chains are kept."""
    monkeypatch.setattr(dropping, "MOST_CHAINS", 5)
    for day in range(1, 10):
        ledger = Ledger(tmp_path, lambda day=day: datetime(2026, 3, day, tzinfo=UTC))  # type: ignore[misc]
        ledger.ended(ledger.record(_entry()), "answered", ms=1, tokens=1)
        ledger.tidy()
        ledger.close()
    assert len(list(tmp_path.glob("*.head"))) == 5
    assert verify(tmp_path).breaks == ()

"""The ledger: a line before anything leaves, or nothing leaves."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.errors import LedgerError
from synconfroute.server.completion.ledger import Entry, Ledger


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


def _lines(ledger: Ledger) -> list[dict[str, object]]:
    return [json.loads(line) for line in ledger.file.read_text("ascii").splitlines()]


def test_one_line_says_what_is_about_to_leave(tmp_path: Path) -> None:
    """Every field of the entry and the time in UTC stand in one JSON line."""
    ledger = Ledger(tmp_path / "ledger", _noon)
    ledger.record(_entry())
    assert _lines(ledger) == [
        {
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


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    """The folder is made with mode 0700 and the file with 0600."""
    ledger = Ledger(tmp_path / "state" / "ledger")
    ledger.record(_entry())
    assert ledger.file.stat().st_mode & 0o777 == 0o600
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
    ledger.file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerError):
        ledger.record(_entry())
    assert not (tmp_path / "elsewhere").exists()


def test_a_deleted_folder_is_made_again(tmp_path: Path) -> None:
    """Deleting the ledger while the server runs does not lose later lines."""
    ledger = Ledger(tmp_path / "ledger")
    ledger.record(_entry())
    ledger.file.unlink()
    ledger.file.parent.rmdir()
    ledger.record(_entry(request_id="r2"))
    assert [line["request_id"] for line in _lines(ledger)] == ["r2"]


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX resource limits")
def test_a_full_disk_leaves_no_half_line(tmp_path: Path) -> None:
    """Where only part of a line fits, LedgerError is raised and the part is taken back."""
    program = f"""
import resource, signal
from synconfroute.errors import LedgerError
from synconfroute.server.completion.ledger import Entry, Ledger
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
from synconfroute.server.completion.ledger import Entry, Ledger
Ledger(Path({str(tmp_path)!r})).record(Entry("/w/a.py", "python", 1, "https://h", "m", "x", "r"))
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], timeout=60, env=environment, check=False)
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text())["request_id"] == "r"


def test_trying_the_folder_leaves_no_trace(tmp_path: Path) -> None:
    """`require_writable` writes no line; it raises where `record` would."""
    ledger = Ledger(tmp_path / "ledger")
    ledger.require_writable()
    assert list((tmp_path / "ledger").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError):
        Ledger(tmp_path / "file").require_writable()


@given(path=st.text(), model=st.text(), server=st.text())
def test_any_text_is_one_line(
    tmp_path_factory: pytest.TempPathFactory, path: str, model: str, server: str
) -> None:
    """Line breaks, controls and surrogates in a path never break the ledger's lines."""
    ledger = Ledger(tmp_path_factory.mktemp("ledger"))
    ledger.record(_entry(path=path, model=model, server=server))
    (line,) = _lines(ledger)
    assert (line["path"], line["model"]) == (path, model)

"""Whatever is typed wrongly is answered by one sentence and exit code 1 or 2."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.command.conftest import SOURCES, Run


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A small Python file of two lines."""
    path = tmp_path / "app.py"
    path.write_text("def f():\n    return \n")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ["complet"],
        ["--bogus"],
        ["complete"],
        ["complete", "FILE"],
        ["complete", "FILE", "--at", "1"],
        ["complete", "FILE", "--at", "0:1"],
        ["complete", "FILE", "--at", "1:0"],
        ["complete", "FILE", "--at", "-1:1"],
        ["complete", "FILE", "--at", "a:b"],
        ["complete", "FILE", "--at", "1:1:1"],
        ["complete", "FILE", "--at", "9" * 5000 + ":1"],
        ["complete", "FILE", "--at", "1:1", "--language", "klingon"],
        ["complete", "notes.xyz", "--at", "1:1"],
        ["validate"],
        ["validate", "FILE"],
        ["validate", "FILE", "--at", "1:1"],
        ["validate", "FILE", "--text", "x"],
        ["validate", "FILE", "--at", "1:1", "--text", "x", "--language", "klingon"],
        ["validate", "FILE", "--at", "1:1", "--text", "x", "--jsonl", "FILE"],
        ["settings"],
        ["settings", "hide"],
        ["engine", "start"],
        ["engine", "pull", "FILE", "--sha256", "abc"],
        ["engine", "pull", "no-such-model"],
        ["engine", "remove", "no-such-model"],
        ["doctor", "everything"],
        ["serve", "--tcp", "127.0.0.1"],
        ["serve", "--log-level", "loud"],
        ["--set", "router.threshold", "doctor"],
        ["settings", "show", "--set", "x"],
    ],
)
def test_wrong_usage_is_one_sentence(run: Run, file: Path, arguments: list[str]) -> None:
    """Exit code 2, nothing on stdout."""
    done = run(*(str(file) if word == "FILE" else word for word in arguments))
    assert done.sentence
    assert (done.code, done.out) == (2, "")


_COMMANDS = {
    "complete": ["complete", "{file}", "--at", "{at}"],
    "complete --json": ["complete", "{file}", "--at", "{at}", "--json"],
    "validate": ["validate", "{file}", "--at", "{at}", "--text", "x"],
}


def _arguments(command: str, file: Path | str, at: str = "1:1") -> list[str]:
    return [word.format(file=file, at=at) for word in _COMMANDS[command]]


@pytest.mark.parametrize("command", _COMMANDS)
@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("binary.py", b"\x7fELF\0\0\1", "is a binary file"),
        ("utf16.py", "x = 1\n".encode("utf-16"), "is a binary file"),
        ("latin.py", "# café\n".encode("latin-1"), "is not UTF-8 text: byte 6"),
        ("huge.py", b"x = 1\n" * (50_000_000 // 6), "is too long"),
    ],
)
def test_a_file_that_is_no_text_is_one_sentence(
    run: Run, tmp_path: Path, command: str, name: str, content: bytes, told: str
) -> None:
    """Binary, other encodings and 50 MB are refused at once."""
    (tmp_path / name).write_bytes(content)
    done = run(*_arguments(command, tmp_path / name))
    assert told in done.sentence
    assert (done.code, done.out) == (1, "")


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_file_that_is_not_there_is_one_sentence(run: Run, tmp_path: Path, command: str) -> None:
    """Missing files, folders and bad names are told apart from text."""
    for name in (tmp_path / "none.py", tmp_path / "none" / "a.py", tmp_path / ("x" * 300 + ".py")):
        done = run(*_arguments(command, name))
        assert "cannot be read" in done.sentence
        assert done.code == 1
    folder = tmp_path / "folder.py"
    folder.mkdir()
    done = run(*_arguments(command, folder))
    assert "cannot be read" in done.sentence
    assert done.code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
@pytest.mark.parametrize("command", _COMMANDS)
def test_an_unreadable_file_and_a_pipe_are_one_sentence(
    run: Run, tmp_path: Path, command: str
) -> None:
    """No permission is told; a named pipe is not waited for."""
    os.mkfifo(tmp_path / "pipe.py")
    assert "cannot be read" in run(*_arguments(command, tmp_path / "pipe.py"), timeout=20).sentence
    if os.geteuid() == 0:
        return  # root may read everything
    locked = tmp_path / "locked.py"
    locked.write_text("x = 1\n")
    locked.chmod(0)
    done = run(*_arguments(command, locked))
    assert "permission denied" in done.sentence
    assert done.code == 1


@pytest.mark.parametrize("command", _COMMANDS)
@pytest.mark.parametrize(
    ("at", "told"),
    [
        ("4:1", "Line 4 is past the end of .*, which has 3 lines"),
        ("1:10", "Column 10 is past the end of line 1 of .*, which has 8 characters"),
        ("3:2", "which has 0 characters"),
        ("999999999:1", "past the end"),
    ],
)
def test_a_position_past_the_end_is_one_sentence(
    run: Run, file: Path, command: str, at: str, told: str
) -> None:
    """The sentence says how much there is."""
    done = run(*_arguments(command, file, at))
    assert done.code == 1
    assert re.search(told, done.sentence)


@pytest.mark.parametrize("content", [b"", b"\n\n  \n", b"\xef\xbb\xbf"])
def test_an_empty_file_cannot_be_completed(run: Run, tmp_path: Path, content: bytes) -> None:
    """There is nothing to complete from, in a file and on stdin."""
    (tmp_path / "empty.py").write_bytes(content)
    done = run("complete", tmp_path / "empty.py", "--at", "1:1")
    assert "is empty" in done.sentence
    assert done.code == 1
    done = run("complete", "empty.py", "--at", "1:1", "--stdin", stdin=content)
    assert "is empty" in done.sentence


def test_a_batch_that_is_not_there_is_one_sentence(run: Run, tmp_path: Path) -> None:
    """A missing file and a folder in place of the batch."""
    for name in (tmp_path / "none.jsonl", tmp_path):
        done = run("validate", "--jsonl", name)
        assert "cannot be read" in done.sentence
        assert done.code == 1


def test_wrong_settings_do_not_stop_a_command(run: Run) -> None:
    """They are told on stderr, and the command goes on."""
    done = run("settings", "show", env={"SYNCONFROUTE_ROUTER_THRESHOLD": "x"})
    assert "SYNCONFROUTE_ROUTER_THRESHOLD" in done.sentence
    assert done.code == 0
    assert "router.threshold" in done.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_terminal_encoding_will_do(run: Run, tmp_path: Path, encoding: str) -> None:
    """A name with characters that the terminal lacks is written with escapes."""
    done = run(
        "complete", tmp_path / "données→💥.py", "--at", "1:1", env={"PYTHONIOENCODING": encoding}
    )
    assert "cannot be read" in done.err
    assert "Traceback" not in done.err


def test_control_characters_of_a_name_never_reach_the_terminal(run: Run) -> None:
    """Escape sequences are shown, not obeyed."""
    done = run("complete", "a\x1b[2Jb.py", "--at", "1:1")
    assert "\x1b" not in done.err
    assert done.sentence


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_sentence(run: Run) -> None:
    """A full disk behind stdout."""
    program = 'exec "$0" -m synconfroute settings show > /dev/full'
    done = subprocess.run(
        ["sh", "-c", program, sys.executable],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")
@pytest.mark.usefixtures("home")
def test_a_reader_that_leaves_is_no_fault() -> None:
    """`synconfroute ... | head -0` ends without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "synconfroute", "settings", "show"],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.usefixtures("home")
def test_ctrl_c_is_one_sentence(tmp_path: Path) -> None:
    """Interrupting a command that waits for stdin gives no traceback."""
    process = subprocess.Popen(
        [sys.executable, "-m", "synconfroute", "complete", "a.py", "--at", "1:1", "--stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    )
    assert process.stdin is not None
    process.stdin.write(b"x" * 1_000_000)  # more than a pipe holds: it has begun to read
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (1, b"", b"Interrupted.\n")

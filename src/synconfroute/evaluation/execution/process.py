"""Runs one program to its end, or to its limits, and leaves nothing of it behind."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from synconfroute.evaluation.execution.limits import Limits
from synconfroute.evaluation.execution.walls import Walls, enclose, opened, works

if TYPE_CHECKING:
    import psutil

_MARK = "SYNCONFROUTE_PROGRAM"
"""Names, in the environment of a program and of all that it starts, whose they are."""

_NO_WALLS = b"bwrap: "
"""How bubblewrap begins what it says of itself; a program may say so too."""

_CHUNK = 1 << 16
_DEAD_WITHIN = 5.0
"""Seconds for the kernel to end what was killed."""


By = Literal["itself", "the clock", "too much output", "what it left behind"]
"""What ended a program: itself (a signal of the kernel too), a limit, or a process of its own that
it did not wait for."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended.

    Attributes:
        code: its exit code; None where a signal or a limit ended it.
        signal: the signal that ended it, 0 where none did.
        by: what ended it.
        output: what it wrote to stdout.
        errors: what it wrote to stderr. Either may hold source code: they are never shown.
    """

    code: int | None
    signal: int
    by: By
    output: bytes
    errors: bytes


class Processes:
    """Runs programs; may be used from several threads, and stopped from another."""

    def __init__(self, walls: Walls) -> None:
        self.walls: Walls = walls
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def stop(self) -> None:
        """Kill all that runs, and start nothing more."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            _kill(process)

    def run(
        self,
        command: Sequence[str],
        folder: Path,
        limits: Limits,
        *,
        stdin: bytes = b"",
        readable: Sequence[Path] = (),
        trusted: bool = False,
    ) -> Ended:
        """Run a program to its end, or to its limits. Blocks.

        Args:
            command: program, with its path, and arguments.
            folder: holds the program; it may write there only if `trusted`, or by weak walls.
            limits: see `Limits`.
            stdin: what it reads; then the stream ends.
            readable: files and folders that it may read beside the system's.
            trusted: a compiler, that starts programs of its own.

        Raises:
            OSError: the program, or the sandbox, cannot be started.
        """
        enclosed = enclose(self.walls, command, folder, limits, readable=readable, trusted=trusted)
        mark = f"{os.getpid()}-{uuid.uuid4().hex}"
        with opened(enclosed) as (line, passed), tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            process = self._start(line, folder, given, passed, mark)
            try:
                ended = self._watch(process, limits, mark)
            finally:
                self._end(process)
        if ended.code and ended.errors.startswith(_NO_WALLS) and not works(self.walls):
            raise OSError(errno.EAGAIN, "the sandbox does not start any more")
        return ended

    def _start(
        self, line: list[str], folder: Path, stdin: IO[bytes], passed: tuple[int, ...], mark: str
    ) -> "subprocess.Popen[bytes]":
        with self._lock:
            if self._stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(
                line,
                cwd=folder,
                env=_environment() | {_MARK: mark},
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=passed,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            self._running.add(process)
            return process

    def _watch(self, process: "subprocess.Popen[bytes]", limits: Limits, mark: str) -> Ended:
        readers = [_Reader(pipe, process, limits.output) for pipe in _pipes(process)]
        by: By = "itself"
        try:
            process.wait(limits.wall)
        except subprocess.TimeoutExpired:
            by = "the clock"
        _kill(process)
        status = process.wait()
        if self.walls in {"limits", "clock"} and _sweep(mark) and by == "itself":
            by = "what it left behind"
        for reader in readers:
            reader.join(_DEAD_WITHIN)
        if any(reader.too_much for reader in readers):
            by = "too much output"
        number = _signal(status)
        code = None if number or by != "itself" else status
        output, errors = (bytes(reader.data) for reader in readers)
        return Ended(code, number, by, output, errors)

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        _kill(process)
        process.wait()
        with self._lock:
            self._running.discard(process)
        for pipe in _pipes(process):
            pipe.close()


class _Reader(threading.Thread):
    """Reads a pipe to its end; kills the process where more comes than is allowed."""

    def __init__(self, pipe: IO[bytes], process: "subprocess.Popen[bytes]", most: int) -> None:
        super().__init__(daemon=True)
        self.data = bytearray()
        self.too_much = False
        self._pipe, self._process, self._most = pipe, process, most
        self.start()

    def run(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self._pipe.fileno(), _CHUNK):
                if len(self.data) + len(chunk) > self._most:
                    self.too_much = True
                    _kill(self._process)
                    return
                self.data += chunk


def _pipes(process: "subprocess.Popen[bytes]") -> list[IO[bytes]]:
    return [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]


def _signal(status: int) -> int:
    """The signal that ended a process; shells and bubblewrap add 128 to it."""
    if os.name != "posix":
        return 0
    return -status if status < 0 else max(0, status - 128)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End the process and its group; with bubblewrap the whole sandbox ends with it."""
    if sys.platform == "win32":
        import psutil

        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
        process.kill()
    elif process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _sweep(mark: str) -> bool:
    """End what has the mark in its environment, wherever it went. Was there anything?"""
    import psutil

    deadline = time.monotonic() + _DEAD_WITHIN
    any_found = False
    quiet = 0
    # A process may start another and end between a list of all and a look at it.
    while quiet < 2 and time.monotonic() < deadline:
        found = [process for process in psutil.process_iter() if _marked(process, mark)]
        quiet = 0 if found else quiet + 1
        any_found = any_found or bool(found)
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
    return any_found


def _marked(process: "psutil.Process", mark: str) -> bool:
    import psutil

    try:
        return process.environ().get(_MARK) == mark
    except (psutil.Error, OSError):
        return False


def _environment() -> dict[str, str]:
    """The same for each run, sets in the same order too; nothing of the user's but tools."""
    kept = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "JAVA_HOME")
    own = {
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return {name: os.environ[name] for name in kept if name in os.environ} | own

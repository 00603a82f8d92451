"""Runs a compiler where it can do no harm: a process group of its own, limits, nothing to write.

Where bubblewrap works (Linux), the compiler sees no file but the system's and those named. POSIX
limits memory, processor time and file size; on Windows there is the time limit alone.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_LIMITED = (
    'ulimit -c 0; ulimit -f 2048; ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; shift 2; exec "$@"'
)
"""The shell sets the limits; unlike code of ours between fork and exec it is safe beside threads.
Files of 1 MB (a block has 512 bytes); macOS has no limit of the address space to set."""

_SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives")
_MOST_ERRORS = 20_000


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may take.

    Attributes:
        seconds: wall-clock time; then the whole process group is killed.
        memory: bytes of address space.
    """

    seconds: float
    memory: int = 2 << 30


@dataclass(frozen=True, slots=True)
class Run:
    """How a run ended.

    Attributes:
        code: the exit code; None where it was ended by a limit or a signal.
        errors: what it wrote to stderr, cut. It may hold source code: it is never shown.
    """

    code: int | None
    errors: str


def run(
    command: Sequence[str],
    *,
    folder: Path,
    limits: Limits,
    stdin: bytes = b"",
    readable: Sequence[Path] = (),
) -> Run:
    """Run a program to its end, or to its limits. Blocks.

    Args:
        command: program and arguments.
        folder: the working folder, the only one it may be meant to write to.
        limits: see `Limits`.
        stdin: what it reads.
        readable: files and folders that it may read beside the system's, where that can be held.

    Raises:
        OSError: the program cannot be started.
    """
    program = Path(shutil.which(command[0]) or command[0]).resolve()
    line = [str(program), *command[1:]]
    if _bubblewrap():
        line = [*_walls(folder, [program.parent.parent, *readable]), *line]
    if os.name == "posix":
        spare = str(int(limits.seconds) + 1)
        line = ["/bin/sh", "-c", _LIMITED, "sh", spare, str(limits.memory // 1024), *line]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            line,
            cwd=folder,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        code = _end(process, stdin, limits.seconds)
        errors.seek(0)
        said = errors.read(_MOST_ERRORS).decode("utf-8", "replace")
    return Run(None if code is None or code < 0 or code > 128 else code, said)


def _end(process: "subprocess.Popen[bytes]", stdin: bytes, seconds: float) -> int | None:
    with process:
        try:
            process.communicate(stdin, timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _kill(process)
    return process.returncode


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """End the process and all that it started; what has ended already is left alone."""
    if sys.platform == "win32":
        import psutil

        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _environment() -> dict[str, str]:
    """Messages in English, and of our environment nothing but where programs and libraries are."""
    kept = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "JAVA_HOME")
    return {name: os.environ[name] for name in kept if name in os.environ} | {"LC_ALL": "C"}


@cache
def _bubblewrap() -> bool:
    """Can bubblewrap be used? Many containers forbid it."""
    if sys.platform != "linux" or shutil.which("bwrap") is None:
        return False
    walls = _walls(Path("/"), ())
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        tried = subprocess.run([*walls, "true"], capture_output=True, timeout=5, check=False)
        return tried.returncode == 0
    return False


def _walls(folder: Path, readable: Sequence[Path]) -> list[str]:
    seen = [*_SYSTEM, *map(str, readable)]
    bound = [part for path in seen for part in ("--ro-bind-try", path, path)]
    home = ["--bind", str(folder), str(folder)] if folder != Path("/") else []
    inside = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108  its own, inside
    options = ["--unshare-all", "--die-with-parent", "--new-session", *inside, *bound, *home]
    return ["bwrap", *options, "--chdir", str(folder), "--"]

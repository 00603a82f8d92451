"""What stands between a program under test and the machine, by what the platform offers."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from synconfroute.evaluation.execution import confine
from synconfroute.evaluation.execution.limits import Limits
from synconfroute.evaluation.execution.syscalls import filter_of_calls

Walls = Literal["bubblewrap", "filter", "limits", "clock"]
"""From strongest to weakest."""

_LIMITED = (
    'ulimit -c 0; ulimit -S -t "$1"; ulimit -H -t "$2"; ulimit -f "$3"; ulimit -v "$4" 2>/dev/null;'
    ' [ "$5" = 0 ] || ulimit -s "$5" 2>/dev/null; shift 5; exec "$@"'
)
"""The shell sets the limits; unlike code of ours between fork and exec it is safe beside threads.
A block of a file has 512 bytes. macOS has no limit of the address space to set."""

_SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives")

_SAYS: dict[Walls, str] = {
    "bubblewrap": (
        "Programs run in bubblewrap: they see no files but the system's and their own, have no"
        " network, start no other programs, and end with their sandbox."
    ),
    "filter": (
        "Programs run without bubblewrap: the kernel refuses them network, signals and other"
        " programs, and their time, memory and files are limited, but they can read and write"
        " whatever you can; install bubblewrap."
    ),
    "limits": (
        "Programs run with limits of time and file size, and what they start is killed, but"
        " nothing keeps them from your files and your network: use a virtual machine for models"
        " that you do not trust."
    ),
    "clock": (
        "Programs run with a limit of time alone, and what they start is killed, but nothing keeps"
        " them from your files, your network and your memory: use a virtual machine for models"
        " that you do not trust."
    ),
}


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A command inside walls.

    Attributes:
        line: what to start.
        calls: the filter of system calls that bubblewrap reads from a descriptor, or None.
    """

    line: list[str]
    calls: bytes | None = None


_DESCRIPTOR = "{descriptor of the filter}"
"""Stands in a line where the number goes."""


def protection() -> str:
    """One sentence: what protects this machine from the programs under test, and what does not."""
    return _SAYS[strongest()]


@cache
def strongest() -> Walls:
    """The strongest walls that work here: many containers forbid what bubblewrap needs."""
    if os.name != "posix":
        return "clock"
    for walls in ("bubblewrap", "filter"):
        if sys.platform == "linux" and works(walls):
            return walls
    return "limits"


def enclose(
    walls: Walls,
    command: Sequence[str],
    folder: Path,
    limits: Limits,
    *,
    readable: Sequence[Path] = (),
    trusted: bool = False,
) -> Enclosed:
    """The command inside walls.

    Args:
        walls: which.
        command: program, with its path, and arguments.
        folder: holds the program under test.
        limits: see `Limits`.
        readable: folders and files to read beside the system's and `folder`.
        trusted: a compiler: it may start programs of its own, and write into `folder`.
    """
    if walls == "clock":
        return Enclosed(list(command))
    calls = None if trusted else filter_of_calls()
    line = [*_limits(limits), *command]
    if walls == "bubblewrap":
        return Enclosed([*_bubblewrap(folder, limits, readable, trusted, calls), *line], calls)
    if walls == "filter" and calls is not None:
        interpreter = [python(), "-I", "-S", "-c", _confine()]
        line = [*_limits(limits), *interpreter, calls.hex(), *command]
    return Enclosed(line)


@contextmanager
def opened(enclosed: Enclosed) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """The line to start, with the descriptors to pass on, which are open as long as this is."""
    if enclosed.calls is None:
        yield enclosed.line, ()
        return
    readable, writable = os.pipe()
    try:
        with open(writable, "wb") as pipe:
            pipe.write(enclosed.calls)
        yield [part.replace(_DESCRIPTOR, str(readable)) for part in enclosed.line], (readable,)
    finally:
        os.close(readable)


def python() -> str:
    """The interpreter that runs this, not that of a virtual environment, which points at it."""
    return os.path.realpath(getattr(sys, "_base_executable", "") or sys.executable)


def _limits(limits: Limits) -> list[str]:
    cpu = max(1, round(limits.cpu))
    numbers = (cpu, cpu + 1, limits.file // 512, limits.memory // 1024, limits.stack // 1024)
    return ["/bin/sh", "-c", _LIMITED, "sh", *map(str, numbers)]


def _bubblewrap(
    folder: Path, limits: Limits, readable: Sequence[Path], trusted: bool, calls: bytes | None
) -> list[str]:
    seen = [*_SYSTEM, *map(str, readable)]
    return [
        "bwrap", "--unshare-all", "--die-with-parent", "--new-session",
        "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev",
        "--size", str(limits.disk), "--tmpfs", "/tmp",  # noqa: S108  its own, inside
        *(part for path in seen for part in ("--ro-bind-try", path, path)),
        "--bind" if trusted else "--ro-bind", str(folder), str(folder),
        "--remount-ro", "/", "--chdir", str(folder) if trusted else "/tmp",  # noqa: S108
        *(["--seccomp", _DESCRIPTOR] if calls else []),
        "--",
    ]  # fmt: skip


@cache
def _confine() -> str:
    return Path(confine.__file__).read_text(encoding="utf-8")


def works(walls: Walls) -> bool:
    """Can a program that does nothing run within these walls (Linux)?"""
    if walls == "bubblewrap" and shutil.which("bwrap") is None:
        return False
    if walls == "filter" and filter_of_calls() is None:
        return False
    nothing = enclose(walls, ["/bin/sh", "-c", ":"], Path("/usr"), Limits())
    with suppress(OSError, subprocess.TimeoutExpired), opened(nothing) as (line, passed):
        tried = subprocess.run(line, pass_fds=passed, capture_output=True, timeout=10, check=False)
        return tried.returncode == 0
    return False

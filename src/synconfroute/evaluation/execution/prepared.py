"""What compilers read anew for each program, made once and kept in the user's cache.

C++: the header of the whole standard library, which most programs of contests include (a quarter
of the time). Java: the compiler's own classes (two thirds). Where it cannot be made, it is done
without.
"""

import hashlib
import json
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from synconfroute.evaluation.execution.limits import COMPILING, MEBIBYTE
from synconfroute.evaluation.execution.process import Processes
from synconfroute.server.places import prepared_folder

_LIMITS = replace(COMPILING, file=512 * MEBIBYTE)
_HEADER = "bits/stdc++.h"
_ARCHIVE = "javac.jsa"
_SOURCE = (
    "import java.util.*; class A { <T> List<T> f(Map<T, int[]> m) { for (int[] x : m.values())"
    " System.out.println(x[0] + 1L); return new ArrayList<>(m.keySet()); } }"
)
_SIZES = "sizes.json"
_LOCK = threading.Lock()
_READY: dict[Path, bool] = {}
"""What this process has looked for, and whether it can be used."""


def headers(compiler: Sequence[str], version: str, processes: Processes) -> Path | None:
    """A folder to search for headers first.

    Args:
        compiler: g++ with the options that programs are compiled with.
        version: of the compiler.
        processes: run the compiler.
    """

    def build(folder: Path) -> bool:
        header = folder / _HEADER
        header.parent.mkdir()
        header.write_text(f"#include_next <{_HEADER}>\n", encoding="utf-8")
        command = [*compiler, "-x", "c++-header", _HEADER, "-o", f"{_HEADER}.gch"]
        return processes.run(command, folder, _LIMITS, trusted=True).code == 0

    return _once(f"{version} {compiler}", build)


def archive(
    compiler: Sequence[str], version: str, processes: Processes, readable: Sequence[Path]
) -> Path | None:
    """A file of the compiler's classes, for `-XX:SharedArchiveFile`.

    Args:
        compiler: javac with the options that programs are compiled with.
        version: of the compiler.
        processes: run the compiler.
        readable: what it reads beside the system's files.
    """

    def build(folder: Path) -> bool:
        (folder / "A.java").write_text(_SOURCE, encoding="utf-8")
        own = [f"-J-XX:ArchiveClassesAtExit={folder / _ARCHIVE}", "A.java"]
        command = [*compiler, *own]
        ended = processes.run(command, folder, _LIMITS, readable=readable, trusted=True)
        return ended.code == 0 and (folder / _ARCHIVE).is_file()

    folder = _once(f"{version} {compiler}", build)
    return folder / _ARCHIVE if folder is not None else None


def _once(what: str, build: Callable[[Path], bool]) -> Path | None:
    folder = prepared_folder() / hashlib.sha256(what.encode()).hexdigest()[:16]
    with _LOCK:
        if folder in _READY:
            return folder if _READY[folder] else None
        _READY[folder] = _whole(folder) or _made(folder, build)
        return folder if _READY[folder] else None


def _made(folder: Path, build: Callable[[Path], bool]) -> bool:
    """Make it elsewhere and put it in place whole: another process may do the same."""
    with suppress(OSError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(dir=folder.parent)).resolve()
        try:
            if build(work):
                (work / _SIZES).write_text(json.dumps(_sizes(work)), encoding="utf-8")
                shutil.rmtree(folder, ignore_errors=True)
                os.replace(work, folder)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return _whole(folder)


def _whole(folder: Path) -> bool:
    """Is it there as it was made? A compiler takes half a header for an error in the program."""
    with suppress(OSError, ValueError):
        return bool(_sizes(folder) == json.loads((folder / _SIZES).read_bytes()))
    return False


def _sizes(folder: Path) -> dict[str, int]:
    return {
        file.relative_to(folder).as_posix(): file.stat().st_size
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != _SIZES
    }

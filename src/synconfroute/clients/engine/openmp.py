"""GCC's OpenMP runtime, which the wheel of llama.cpp expects of a Linux machine.

Most have it; container images and minimal installations often lack it. There the file is taken
out of a small wheel that carries it, the way the starter model comes.
"""

import platform
import re
import sys
from functools import cache
from pathlib import Path

from synconfroute.clients.engine.folders import libraries_folder
from synconfroute.clients.engine.store import sha256_of
from synconfroute.clients.engine.wheel import Packed, take
from synconfroute.errors import WeightsDamaged

OPENMP_MISSING = (
    "The engine needs GCC's OpenMP runtime: install libgomp1 (Debian, Ubuntu) or libgomp (Fedora),"
    " or run: synconfroute engine pull smollm2"
)

_FILE = "libgomp.so.1"
_SHA256 = {
    "x86_64": "4dae993cb6da9101fc2cfef827306dd03b892011d2e2789c8e44828ca9f2583c",
    "aarch64": "dc3231f8fd4cadc46d8659c3b8dd811ae33174749e86807f16f61ead6ee59bfd",
}


def openmp_missing() -> bool:
    """True if the engine cannot start here for want of the runtime."""
    return not _on_system() and not _fetched().exists()


def load_openmp() -> None:
    """Load a runtime fetched for the engine into this process, before llama.cpp asks for it."""
    if _on_system() or not _fetched().exists():
        return
    import ctypes

    ctypes.CDLL(str(_fetched()), mode=ctypes.RTLD_GLOBAL)


def fetch_openmp(folder: Path) -> None:
    """Fetch the runtime into the user's cache, where this machine lacks it.

    Args:
        folder: an empty folder on the cache's disk; it is empty afterwards.

    Raises:
        WeightsMissing: pip could not download it.
        WeightsDamaged: what pip brought is not the expected file.
    """
    machine = platform.machine()
    if not openmp_missing() or machine not in _SHA256:
        return
    taken = take(_wheel(machine), folder)
    if sha256_of(taken) != _SHA256[machine]:
        raise WeightsDamaged(
            "The OpenMP runtime that pip brought is not the expected file; ask whoever runs the"
            " package index, or install libgomp1."
        )
    taken.write_bytes(_renamed(taken.read_bytes()))
    taken.replace(_fetched())


def _renamed(library: bytes) -> bytes:
    """The library under the name that others ask for, instead of the one private to its wheel.

    The name is a text in the file, ended by a zero byte; the new one is shorter.
    """
    return re.sub(
        rb"\0(libgomp-[0-9a-f]+\.so\.1\.0\.0)\0",
        lambda found: b"\0" + _FILE.encode().ljust(len(found[1]), b"\0") + b"\0",
        library,
    )


@cache
def _on_system() -> bool:
    """True if the system has it, or is not one that needs it."""
    if sys.platform != "linux":
        return True
    import ctypes

    try:
        ctypes.CDLL(_FILE)
    except OSError:
        return False
    return True


def _fetched() -> Path:
    return libraries_folder() / _FILE


def _wheel(machine: str) -> Packed:
    # One wheel a machine, whatever Python runs here, so that one checksum holds.
    tags = (f"manylinux2014_{machine}", f"manylinux_2_17_{machine}", f"manylinux_2_28_{machine}")
    return Packed(
        what="GCC's OpenMP runtime",
        requirement="pykdtree==1.4.3",
        pattern=r"libgomp-[0-9a-f]+\.so\.1\.0\.0",
        otherwise="Install libgomp1 (Debian, Ubuntu) or libgomp (Fedora) instead.",
        options=(
            *("--python-version", "3.11", "--implementation", "cp", "--abi", "cp311"),
            *(option for tag in tags for option in ("--platform", tag)),
        ),
    )

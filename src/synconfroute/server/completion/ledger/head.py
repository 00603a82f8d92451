"""A chain's head: how many lines it has, and the hash of the last one.

It is written in place, right after each line, so that a file whose end was cut off is noticed. A
living process holds a lock on it, by which others see that its files are still written to.
"""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from synconfroute.server.completion.ledger.files import SAFE

_SIZE = 128
_HASH = re.compile(r"[0-9a-f]{64}")
_LOCKED_BYTE = 1 << 30  # Windows lets nobody read a byte that is locked, so it is none of the text


@dataclass(frozen=True, slots=True)
class Head:
    """What a head says.

    Attributes:
        lines: the number of the chain's last line.
        hash: of that line.
    """

    lines: int
    hash: str


def read_head(file: Path) -> Head | None:
    """A chain's head; None where there is none, or none that can be read."""
    try:
        with file.open("rb") as opened:
            members = json.loads(opened.read(_SIZE))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(members, dict):
        return None
    lines, digest = members.get("lines"), members.get("hash")
    if type(lines) is not int or lines < 0:
        return None
    if not isinstance(digest, str) or _HASH.fullmatch(digest) is None:
        return None
    return Head(lines, digest)


class HeldHead:
    """The head of this process's own chain, open and locked."""

    def __init__(self, file: Path, head: Head) -> None:
        """Make it, and its folder; `head` is what it says at first.

        Raises:
            OSError: it cannot be made.
        """
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._descriptor = os.open(file, os.O_RDWR | os.O_CREAT | SAFE, 0o600)
        _lock(self._descriptor)
        self.write(head)

    def write(self, head: Head) -> None:
        """Put this head in the place of the last one.

        Raises:
            OSError: it cannot be written.
        """
        text = json.dumps({"lines": head.lines, "hash": head.hash}).encode("ascii")
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        os.write(self._descriptor, text.ljust(_SIZE - 1) + b"\n")

    def close(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)


def is_held(file: Path) -> bool:
    """True if a living process writes this chain."""
    try:
        descriptor = os.open(file, os.O_RDWR | SAFE)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        return not _lock(descriptor)
    finally:
        os.close(descriptor)


if sys.platform == "win32":

    def _lock(descriptor: int) -> bool:
        """Lock the file until it is closed; False where another process has."""
        import msvcrt

        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _lock(descriptor: int) -> bool:
        """Lock the file until it is closed; False where another process has."""
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

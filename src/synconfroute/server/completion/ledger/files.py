"""The ledger's files: `CHAIN-0001.jsonl`, `CHAIN-0002.jsonl`, … and `CHAIN.head`.

A chain is what one server process writes; its name begins with the time in UTC, so that names sort
by age.
"""

import errno
import os
import re
from dataclasses import dataclass
from pathlib import Path

_FILE = re.compile(r"(?P<chain>[0-9]{8}T[0-9]{6}Z-[0-9]{1,20}-[0-9a-f]{8})-(?P<part>[0-9]{4,9})")
SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Chain:
    """What one process has written.

    Attributes:
        name: its name.
        files: in order; those that were dropped are not among them.
        head: where its head is, or would be.
    """

    name: str
    files: tuple[Path, ...]
    head: Path


def file_of(folder: Path, chain: str, part: int) -> Path:
    """A chain's file; the first part is 1."""
    return folder / f"{chain}-{part:04}.jsonl"


def head_of(folder: Path, chain: str) -> Path:
    """Where a chain's head is."""
    return folder / f"{chain}.head"


def chains_in(folder: Path) -> tuple[Chain, ...]:
    """All chains of a folder, oldest first. What else lies there is passed over.

    Raises:
        OSError: the folder cannot be read; one that does not exist is empty.
    """
    parts: dict[str, list[tuple[int, Path]]] = {}
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return ()
    for name in names:
        stem, suffix = os.path.splitext(name)
        if suffix == ".head" and _FILE.fullmatch(f"{stem}-0001"):
            parts.setdefault(stem, [])
        match = _FILE.fullmatch(stem) if suffix == ".jsonl" else None
        if match is not None:
            parts.setdefault(match["chain"], []).append((int(match["part"]), folder / name))
    return tuple(
        Chain(name, tuple(file for _, file in sorted(parts[name])), head_of(folder, name))
        for name in sorted(parts)
    )


def append(file: Path, text: bytes, *, behind: int) -> None:
    """Write all of `text` or none of it, behind the bytes that the file has to have.

    A file is made where it has to have none; its folder, too.

    Raises:
        Altered: the file is gone, or somebody else has changed its size.
        OSError: it cannot be written.
    """
    flags = os.O_WRONLY | os.O_APPEND | SAFE
    if behind == 0:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags |= os.O_CREAT
    try:
        descriptor = os.open(file, flags, 0o600)
    except FileNotFoundError:
        if behind:
            raise Altered from None
        raise
    try:
        if os.fstat(descriptor).st_size != behind:
            raise Altered
        if os.write(descriptor, text) != len(text):
            os.ftruncate(descriptor, behind)
            raise OSError(errno.ENOSPC, "half a line went through")
    finally:
        os.close(descriptor)


class Altered(Exception):
    """A file of the ledger is not as this process left it."""

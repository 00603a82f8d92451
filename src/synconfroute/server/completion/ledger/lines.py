"""The lines of one of the ledger's files, whatever stands in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from synconfroute.server.completion.ledger.chain import Record, read

_LONGEST = 1 << 20
"""No line of ours is longer, in bytes."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line.

    Attributes:
        file: where it stands.
        at: which line of the file, from 1.
        record: what it says; None where it cannot be read.
        whole: it ends with a line feed: one that does not was being written when its process or
            the machine died.
    """

    file: Path
    at: int
    record: Record | None
    whole: bool


def lines_of(file: Path) -> Iterator[Line]:
    """The lines in order; none of a file that is gone.

    Raises:
        OSError: it cannot be read.
    """
    try:
        opened = file.open("rb")
    except FileNotFoundError:
        return
    with opened:
        at = 0
        while text := opened.readline(_LONGEST):
            at += 1
            complete = text.endswith(b"\n")
            record = read(text[:-1]) if complete else None
            yield Line(file, at, record, whole=complete or len(text) == _LONGEST)

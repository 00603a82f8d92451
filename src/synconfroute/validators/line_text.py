"""A text kept as lines, edited by whole lines."""

from itertools import accumulate
from typing import NamedTuple

from synconfroute.validators.insertion import with_line_feeds

TO_THE_END = 2**31
"""Beyond the last line of any text."""


class Splice(NamedTuple):
    """An edit of whole lines.

    Attributes:
        first: the first line replaced, counted from 0.
        stop: the line behind the last one replaced.
        text: what stands there now, each line with its end; LF, CRLF or CR.
    """

    first: int
    stop: int
    text: str


class LineText:
    """A text with LF as its line ends. A byte order mark is no part of it."""

    def __init__(self, text: str) -> None:
        self._lines = _split(text)
        self._read()

    def splice(self, edits: list[Splice]) -> None:
        """Make edits, in order. Lines beyond the end mean the end."""
        for first, stop, text in edits:
            fresh = _split(text)
            if stop < len(self._lines):
                # What ends with a line end yields an empty last line: here the next one follows.
                fresh.pop()
            self._lines[first:stop] = fresh
        self._read()

    def offset(self, line: int, character: int) -> int:
        """Characters before a place, both counted from 0; a place beyond the end means the end."""
        if line >= len(self._lines):
            return len(self.text)
        return min(max(self._starts[line] + character - self._mark, 0), self._starts[line + 1])

    def _read(self) -> None:
        first = self._lines[0]
        # The editor counts a byte order mark as a character of the first line.
        self._mark = int(first.startswith("\ufeff"))
        self.text = "".join(self._lines)[self._mark :]
        self._starts = list(accumulate(map(len, self._lines), initial=0))


def _split(text: str) -> list[str]:
    lines = [line + "\n" for line in with_line_feeds(text).split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines

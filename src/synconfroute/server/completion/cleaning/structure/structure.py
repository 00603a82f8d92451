"""Where the structure ends that a text of several lines began at its hole."""

import re

from synconfroute.server.completion.cleaning.repetition import without_repetition
from synconfroute.server.completion.cleaning.structure.reading import Row, reader_for
from synconfroute.server.completion.cleaning.structure.surroundings import (
    Surroundings,
    bare,
    column,
    surroundings,
)
from synconfroute.server.completion.hole import Hole

_TELLING = re.compile(r"\w+\W+\w+")
_LEAVES = re.compile(r"\s*(?:break|continue|goto|raise|return|throw)\b")
"""What follows such a line on its level is never run."""
_LABEL = re.compile(r"\s*(?:case\b|default\b|[\w$]+\s*:)")
_DEFINITION = re.compile(r"\s*(?:@\w|(?:async\s+)?def\b|class\b)")
_NO_STATEMENT = re.compile(r"\s*(?:#|@\w)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_OPENERS = {")": "(", "]": "[", "}": "{"}
_ENDS = {"/*": "*/"}


class Structure:
    """Reads a text while it grows, and knows where it must end.

    What it says of the beginning of a text holds for the whole: an end is decided by what stands
    up to the place where it is decided.
    """

    def __init__(self, hole: Hole) -> None:
        """Read one text for this hole."""
        self._hole = hole
        self._indented = hole.language == "python"
        self._reader = reader_for(hole.language)
        self._around: Surroundings | None = None
        self._closable: list[str] = []
        self._quoted = ""
        self._read = 0
        self._end: int | None = None
        self._left_at: int | None = None
        self._doubled_from: int | None = None
        self._first: str | None = None
        self._closed_block = False

    def end(self, text: str) -> int | None:
        """Where the text must end; None while all of it belongs to the hole.

        Args:
            text: the text so far; it begins with what it was in the last call.
        """
        while self._end is None:
            begin = self._read
            stop = text.find("\n", begin)
            line = text[begin:] if stop < 0 else text[begin:stop]
            if line.strip():
                self._begin(line)
                self._end = None if self._quoted else self._before(line, begin)
            if stop < 0 or self._end is not None:
                break
            if self._quoted:
                self._leave_quotes(line)
            else:
                self._end = self._after(line, begin, text)
            self._read = stop + 1
        return self._end

    def _begin(self, line: str) -> None:
        if self._around is None:
            self._around = surroundings(self._hole, line)
            self._closable = list(self._around.closable)
            self._quoted = self._around.quoted

    def _leave_quotes(self, line: str) -> None:
        """Read a line within the string or comment that the hole is in, up to its end."""
        _, ended, rest = line.partition(_ENDS.get(self._quoted, self._quoted))
        if ended:
            self._quoted, self._first = "", line
            self._reader.read(rest)

    def _before(self, line: str, begin: int) -> int | None:
        """The place before a line of which at least one visible character is there, or None."""
        around, reader = self._around, self._reader
        if around is None or not reader.code:
            return None
        first = line.lstrip()[0]
        if first in _OPENERS and not reader.depth and not self._may_close(first):
            return begin
        if self._first is None or self._within or not self._indented:
            return None
        at = column(line)
        ends_definition = _DEFINITION.match(self._first) and at <= around.level
        return begin if at < around.floor or ends_definition else None

    def _after(self, line: str, begin: int, text: str) -> int | None:
        """The place in or behind a whole line, or before it where all of it tells; else None."""
        around, within = self._around, self._within
        code = self._reader.code
        if around is None or not line.strip():
            self._reader.read(line)
            return None
        if self._first is not None and code and self._is_too_much(line, within=within):
            return begin
        doubled = self._doubles(line, begin)
        if doubled is not None:
            return doubled
        row = self._reader.read(line)
        for closer in row.closers:
            if not self._may_close(closer.bracket):
                # Where nothing is open at all the line is damaged: the verdict's to say.
                damaged = not around.held and closer.bracket in _OPENERS
                return begin + len(line if damaged else line[: closer.column].rstrip())
            self._closable.pop()
            self._closed_block |= closer.bracket == "}" and not self._indented
        self._note(line if begin else self._hole.left + line, row, within=within)
        end = begin + len(line)
        return end if self._closes(row) or self._repeats(text[:end]) else None

    @property
    def _within(self) -> bool:
        """The next line begins within an expression, so that its level says nothing."""
        around = self._around
        outer = self._indented and around is not None and (around.held or self._closable)
        return bool(self._reader.within or outer)

    def _may_close(self, bracket: str) -> bool:
        return self._closable[-1:] == [_OPENERS.get(bracket)]

    def _is_too_much(self, line: str, *, within: bool) -> bool:
        """True if a whole line of code stands where nothing is run, or is no code at all."""
        if _FENCE.match(line):
            return True
        return not within and column(line) == self._left_at and not _LABEL.match(line)

    def _doubles(self, line: str, begin: int) -> int | None:
        """Where the text begins to say what stands below, in a telling line or in two lines."""
        below = self._around.below if self._around else ()
        said, start = bare(line), self._doubled_from
        self._doubled_from = None
        if self._first is None or not below:
            return None
        if start is not None and len(below) > 1 and said == below[1]:
            return start
        if said in below and _TELLING.search(line):
            return begin
        if said == below[0]:
            self._doubled_from = begin
        return None

    def _note(self, line: str, row: Row, *, within: bool) -> None:
        """Remember of a whole line what the next one is measured by."""
        if self._first is None and not _NO_STATEMENT.match(line):
            self._first = line
        leaves = row.code and not within and row.left == row.depth and _LEAVES.match(line)
        ended = self._indented or line.rstrip().endswith((";", "}"))
        self._left_at = column(line) if leaves and ended else None

    def _closes(self, row: Row) -> bool:
        """True if a line closed the block that the hole is in, or a whole definition."""
        if self._indented or self._around is None or row.left:
            return False
        return self._closed_block or (self._around.defines and row.depth > 0)

    def _repeats(self, text: str) -> bool:
        return without_repetition(self._hole, text) != text

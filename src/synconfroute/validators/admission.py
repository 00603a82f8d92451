"""What no parser should see: a buffer too large, broken as text, or nested beyond all reason.

The buffer is looked at once, when it changes; an insertion into it costs what it holds itself.
"""

import re
from itertools import accumulate
from operator import sub

MAX_BYTES = 1_000_000
"""The largest buffer that is judged, the text included, in bytes of UTF-8."""

MAX_DEPTH = 1_000
"""The deepest nesting that is judged. No compiler of our languages takes more brackets within
brackets (Python 200, clang 256, javac what its stack holds), and files written to be read have
none of it; what has is there to exhaust a parser."""

TOO_LARGE = "the buffer is larger than 1 MB"
_TOO_DEEP = f"the buffer nests deeper than {MAX_DEPTH:,} levels"
_BRACKET = re.compile(r"[()\[\]{}]")
_STATEMENT_END = re.compile(r"[{};]")
_ANGLE = re.compile(r"[<>]")
_STEP = {"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}


def oversize(*parts: str) -> str | None:
    """Why a buffer of these parts is too large, in one sentence; None if it is not."""
    characters = sum(map(len, parts))
    # A character has one to four bytes: most buffers need no counting.
    if characters > MAX_BYTES:
        return TOO_LARGE
    if characters * 4 <= MAX_BYTES:
        return None
    return TOO_LARGE if sum(map(_size, parts)) > MAX_BYTES else None


class Admission:
    """May a parser see this buffer, and which texts may then be inserted into it?"""

    def __init__(self, buffer: str) -> None:
        """Look at the whole buffer, once."""
        self._size = _size(buffer)
        self._depth = 0
        self.obstacle = _fault(buffer, self._size)
        if self.obstacle is None:
            self._depth = _depth(buffer)
            self.obstacle = _TOO_DEEP if self._depth > MAX_DEPTH else None

    def obstacle_to(self, text: str) -> str | None:
        """Why no parser should see the buffer with the text in it, in one sentence; or None."""
        reason = self.obstacle or _fault(text, self._size + _size(text))
        if reason is not None:
            return reason
        return _TOO_DEEP if self._depth + _depth(text) > MAX_DEPTH else None


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _fault(text: str, size: int) -> str | None:
    if size > MAX_BYTES:
        return TOO_LARGE
    if "\0" in text:
        return "the buffer holds a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "the buffer holds half of a character (a lone surrogate)"
    return None


def _depth(text: str) -> int:
    """How deep brackets nest, or less-than signs follow one another in a statement: at most so.

    What stands in strings and comments counts too. Where there are few brackets, their number is
    said: it bounds their depth and costs less.
    """
    openers, angles = sum(map(text.count, "([{")), text.count("<")
    if openers + angles <= MAX_DEPTH // 2:
        return openers + angles
    return max(_levels(_BRACKET.findall(text)), _angles(text) if angles else 0)


def _angles(text: str) -> int:
    """How deep they nest in one statement, at most: statements with few are only counted."""
    statements = _STATEMENT_END.split(text)
    most = max(statement.count("<") for statement in statements)
    if most <= MAX_DEPTH // 2:
        return most
    return max(_levels(_ANGLE.findall(statement)) for statement in statements)


def _levels(marks: list[str]) -> int:
    """How deep these marks nest; closers without an opener count for nothing."""
    levels = list(accumulate(map(_STEP.__getitem__, marks)))
    lows = accumulate(levels, min, initial=0)
    return max(map(sub, levels, lows), default=0)

"""What no parser should see: a buffer too large, broken as text, or nested beyond all reason."""

import re

from synconfroute.validators.insertion import Insertion

MAX_BYTES = 256_000
"""The largest buffer that is judged, the text included, in bytes of UTF-8."""

MAX_DEPTH = 1_000
"""The deepest nesting that is judged. No compiler of our languages takes more brackets within
brackets (Python 200, clang 256, javac what its stack holds), and files written to be read have
none of it; what has is there to exhaust a parser."""

_TOO_LARGE = f"the buffer is larger than {MAX_BYTES // 1000} kB"
_MARK = re.compile(r"[()\[\]{}<>;]")


def oversize(*parts: str) -> str | None:
    """Why a buffer of these parts is too large, in one sentence; None if it is not."""
    characters = sum(map(len, parts))
    # A character has one to four bytes: most buffers need no counting.
    if characters > MAX_BYTES:
        return _TOO_LARGE
    if characters * 4 <= MAX_BYTES:
        return None
    size = sum(len(part.encode("utf-8", "surrogatepass")) for part in parts)
    return _TOO_LARGE if size > MAX_BYTES else None


def obstacle(insertion: Insertion) -> str | None:
    """Why no parser should see this buffer, in one sentence; None if one may."""
    buffer = insertion.buffer
    if (reason := oversize(buffer)) is not None:
        return reason
    if "\0" in buffer:
        return "the buffer holds a NUL character"
    try:
        buffer.encode()
    except UnicodeEncodeError:
        return "the buffer holds half of a character (a lone surrogate)"
    if _nests_too_deep(buffer):
        return f"the buffer nests deeper than {MAX_DEPTH:,} levels"
    return None


def _nests_too_deep(buffer: str) -> bool:
    """Do brackets nest, or less-than signs follow one another in a statement, beyond the limit?

    What stands in strings and comments counts too.
    """
    if sum(map(buffer.count, "([{<")) <= MAX_DEPTH:
        return False
    brackets = angles = 0
    for mark in _MARK.findall(buffer):
        if mark in "([{":
            brackets += 1
        elif mark in ")]}":
            brackets = max(0, brackets - 1)
        elif mark == "<":
            angles += 1
        elif mark == ">":
            angles = max(0, angles - 1)
        if mark in "{};":
            angles = 0
        if max(brackets, angles) > MAX_DEPTH:
            return True
    return False

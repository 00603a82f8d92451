"""Text that a model repeats until it is stopped."""

import re

from synconfroute.server.completion.hole import Hole

_LONG = re.compile(r"(?P<unit>[^\n]{10,80}?)(?P=unit){2,}(?P<rest>[^\n]{0,79})\Z")
_SHORT = re.compile(r"(?P<unit>[^\n]{3,9}?)(?P=unit){4,}(?P<rest>[^\n]{0,8})\Z")
_WORD = re.compile(r"[^\W\d_]{2}")
_LONGEST_LINE = 1000
_LONGEST_BLOCK = 8
_LINES = 4
_BLOCKS = 3


def without_repetition(hole: Hole, text: str) -> str:
    """Keep one of what is repeated up to the end of the text.

    Repeated are four equal lines or more, three equal blocks or more of up to eight lines, and
    within the last line a piece with a word in it: five times, or three if it is long. The last
    of them may be cut off. What ends in anything else is no endless repeat.
    """
    stands = "" if hole.left.strip() else hole.left
    return _lines_once(stands + _line_end_once(text)).removeprefix(stands)


def _line_end_once(text: str) -> str:
    begin = text.rfind("\n") + 1
    line = text[begin:].rstrip()
    if len(line) > _LONGEST_LINE:
        return text
    for pattern in (_SHORT, _LONG):
        match = pattern.search(line)
        if match and match["unit"].startswith(match["rest"]) and _WORD.search(match["unit"]):
            return text[:begin] + line[: match.start()] + match["unit"].rstrip()
    return text


def _lines_once(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    for size in range(1, _LONGEST_BLOCK + 1):
        kept = _repeated_from(lines, size)
        if kept is not None:
            return "\n".join(lines[: kept + size])
    return text


def _repeated_from(lines: list[str], size: int) -> int | None:
    """Where the first of many equal blocks begins that run up to the end, or None."""
    for cut in range(min(size, len(lines) - size) + 1):
        end = len(lines) - cut
        unit, begun = lines[end - size : end], lines[end:]
        if not "\n".join(unit).startswith("\n".join(begun)):
            continue
        count = 1
        while count * size < end and lines[end - size * (count + 1) : end - size * count] == unit:
            count += 1
        enough = count >= (_LINES if size == 1 else _BLOCKS)
        if enough and any(_WORD.search(line) for line in unit):
            return end - size * count
    return None

"""What of a text fits into so many tokens."""

import math
import zlib
from collections.abc import Callable, Iterable

from synconfroute.clients.token_counts import CHARACTERS_PER_TOKEN, estimated_tokens

__all__ = ["Count", "estimated_tokens", "head_within", "tail_within"]

Count = Callable[[str], int]
"""The most tokens that a text has."""
_BLANK = 1_000_000
"""More than any indentation: a blank line is no beginning."""


def head_within(text: str, tokens: int, count: Count = estimated_tokens) -> str:
    """The longest run of whole lines from the start within a budget, else part of the first."""
    end, left = 0, tokens
    while end < len(text):
        following = text.find("\n", end) + 1 or len(text)
        left -= count(text[end:following])
        if left < 0:
            break
        end = following
    if end == len(text):
        return text
    return text[: end - 1] if end else text[: _characters(text, tokens)]


def tail_within(
    text: str,
    tokens: int,
    count: Count = estimated_tokens,
    *,
    slack: int = 0,
    moves: bool = False,
) -> str:
    """The end of a text within a budget, beginning at a line's start.

    While the user types, the prompt must keep its first tokens, or the server's cache is of no
    use. So the beginning is a line that stands out by what it holds, not by how far away it is:
    of the lines that leave no more than `slack` unused, the one that is indented least.

    Args:
        text: what ends at the cursor.
        tokens: the budget.
        count: of a text's tokens.
        slack: tokens of the budget that may be left unused.
        moves: the text itself begins elsewhere as the user types.
    """
    starts: list[tuple[int, int]] = []
    start, used = len(text), 0
    between = _counting(text, count)
    while start > 0:
        line = text.rfind("\n", 0, start - 1) + 1
        used += between(line, start)
        if used > tokens:
            break
        starts.append((line, used))
        start = line
    if start == 0 and not (moves and len(starts) > 1):
        return text
    if start == 0:
        starts.pop()  # wherever the text happens to begin
        tokens = starts[-1][1]
    elif not starts or starts[-1][1] < tokens // 2:
        return _end_within_line(text, tokens)
    fitting = [line for line, used in starts if used >= tokens - slack] or [start]
    return text[min(fitting, key=lambda line: _plainness(text, line)) :]


def _counting(text: str, count: Count) -> Callable[[int, int], int]:
    """The same count, of the part of a text between two places.

    The estimate of ASCII needs no look at it: hundreds of lines are counted at each request.
    """
    if count is estimated_tokens and text.isascii():
        return lambda start, end: math.ceil((end - start) / CHARACTERS_PER_TOKEN)
    return lambda start, end: count(text[start:end])


def _plainness(text: str, start: int) -> tuple[int, int, int]:
    """Least for the line to begin with; the same for a line wherever it stands in a window.

    Of lines that are the same, none is nearer or farther than others by rule: one that is would
    change with every line typed.
    """
    line = text[start : text.find("\n", start) + 1 or len(text)]
    indentation = len(line) - len(line.lstrip()) if line.strip() else _BLANK
    place = zlib.crc32(start.to_bytes(8, "little"))
    return indentation, zlib.crc32(line.encode("utf-8", "replace")), place


def _end_within_line(text: str, tokens: int) -> str:
    """The end of a text whose last line, or the one before, is longer than the budget.

    The cut moves in steps of a quarter of the budget.
    """
    most = _characters(text[::-1], tokens)
    if most == 0:
        return ""
    step = max(1, most // 4)
    return text[math.ceil((len(text) - most) / step) * step :]


def _characters(text: Iterable[str], tokens: int) -> int:
    """How many characters of a text's start fit, by estimate."""
    most = 0
    left = float(tokens)
    for character in text:
        left -= 1 / CHARACTERS_PER_TOKEN if character < "\x80" else 2
        if left < 0:
            break
        most += 1
    return most

"""The text up to a point before its end."""

import re
from collections.abc import Iterator

from synconfroute.server.completion.hole import Hole

_BREAK = re.compile(r"\s+|(?<=[)\]}\"'\w])(?=[^\w\s\"'.])")
"""White space, or the place behind an operand and before what is no operand."""
_MOST = 6


def cut_back(hole: Hole, text: str) -> Iterator[str]:
    """The text without its last word, then without its last two, and so on, nearest first.

    A cut leaves at least half of the text: less is another answer, not a repaired one.
    """
    begin = len(text) - len(text.lstrip())
    least = begin + (len(text.rstrip()) - begin + 1) // 2
    places = [match.start() for match in _BREAK.finditer(text, least)]
    for place in [each for each in reversed(places) if each < len(text.rstrip())][:_MOST]:
        yield text[:place]

"""Closing brackets too many, or too few."""

from collections.abc import Iterator

from synconfroute.server.completion.cleaning.suffix_overlap import unopened
from synconfroute.server.completion.hole import Hole

_CLOSERS = ")]}"
_MOST = 3


def without_surplus_closers(hole: Hole, text: str) -> Iterator[str]:
    """The text with one closing bracket less at its end, then two, then three.

    Only brackets that nothing in the text opens.
    """
    end = text.rstrip(" \t;,:")
    separators = text[len(end) :]
    for _ in range(_MOST):
        if end[-1:] not in set(_CLOSERS) or not unopened(end):
            return
        end = end[:-1].rstrip()
        if not end.strip():
            return
        yield end + separators

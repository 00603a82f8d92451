"""Markdown fences around an answer."""

import re

from synconfroute.server.completion.cleaning.chatter import chatter_end
from synconfroute.server.completion.hole import Hole

_OPENING = re.compile(r"\s*(?:```|~~~)[ \t]*[\w+#.-]*[ \t]*\n")
_MAY_OPEN = re.compile(r"\s*(?:`{0,2}|~{0,2}|(?:```|~~~)[ \t]*[\w+#.-]*[ \t]*)")
_CLOSING = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*$", re.MULTILINE)
_READ = 20_000
"""Characters before the cursor that are looked at."""


def fence_end(text: str) -> int | None:
    """Where the answer proper begins: behind chatter and an opening fence, else 0.

    None while the text could still become one of these.
    """
    begin = chatter_end(text)
    if begin is None:
        return None
    opening = _OPENING.match(text, begin)
    if opening:
        return opening.end()
    return None if _MAY_OPEN.fullmatch(text, begin) else begin


def without_fences(hole: Hole, text: str) -> str:
    """Drop an opening fence with its language tag, and all from the closing fence on."""
    opening = _OPENING.match(text)
    if opening and not hole.left.strip():
        text = text[opening.end() :]
    elif opening:
        text = text[opening.end() :].lstrip()
    closing = closing_fence(hole, text)
    return text if closing is None else text[:closing]


def closing_fence(hole: Hole, text: str, begin: int = 0) -> int | None:
    """Where a line behind `begin` closes the answer's fence; None where none does."""
    closing = _CLOSING.search(text, begin)
    return closing.start() if closing and not user_fence(hole) else None


def user_fence(hole: Hole) -> bool:
    """True if the user's own text has opened a fence before the cursor, as in a docstring."""
    near = hole.prefix[-_READ:]
    return near.count("```") % 2 == 1 or near.count("~~~") % 2 == 1

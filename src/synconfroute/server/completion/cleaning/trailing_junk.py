"""Pieces at the end of an answer that are no code."""

import re

from synconfroute.server.completion.hole import Hole

_JUNK = re.compile(
    r"(?:\ufffd|[\u200b\u2060\ufeff]|<\|[\w\u2581]{0,20}|<｜[\w\u2581]{0,20}|```+)+\s*\Z"
)
"""Half a character, marks without width, the beginning of a control token, a fence."""


def without_trailing_junk(hole: Hole, text: str) -> str:
    """Drop what was cut off in the middle of a character or of a control token, and a last fence.

    A fence that the cursor's line has opened is the user's.
    """
    match = _JUNK.search(text)
    if match is None or ("`" in match.group() and "`" in hole.left + hole.right):
        return text
    before = text[: match.start()]
    return text if before.count("`") % 2 and "`" in match.group() else before

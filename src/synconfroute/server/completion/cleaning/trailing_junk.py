"""Pieces at the end of an answer that are no code."""

import re

from synconfroute.server.completion.cleaning.fences import user_fence
from synconfroute.server.completion.hole import Hole

_JUNK = re.compile(
    r"(?:\ufffd|[\u200b\u2060\ufeff]|<\|[\w\u2581]{0,20}|<｜[\w\u2581]{0,20}|```+)+\s*\Z"
)
"""Half a character, marks without width, the beginning of a control token, a fence."""


def without_trailing_junk(hole: Hole, text: str) -> str:
    """Drop what was cut off in the middle of a character or of a control token, and a last fence.

    Backquotes that close what the user or the text has opened are code.
    """
    match = _JUNK.search(text)
    if match is None:
        return text
    before = text[: match.start()]
    is_code = user_fence(hole) or "`" in hole.left + hole.right or before.count("`") % 2
    return text if is_code and "`" in match.group() else before

"""What stands before the cursor on its line, written once more."""

import re

from synconfroute.server.completion.hole import Hole

_SEVERAL_WORDS = re.compile(r"\S\s+\S|\w[ \t]+\Z")


def without_echoed_prefix(hole: Hole, text: str) -> str:
    """Drop the beginning of the text that repeats the cursor's line up to the cursor.

    Only where that is more than one word, or a word and a blank: `f(` may well be followed by
    `f(`, but `x = ` by `x = ` hardly ever.
    """
    left = hole.left.strip()
    if not left or not _SEVERAL_WORDS.search(hole.left.lstrip()):
        return text
    visible = text.lstrip()
    if not visible.startswith(left):
        return text
    rest = visible[len(left) :]
    cut_word = left[-1:].isalnum() and rest[:1].isalnum()
    if cut_word or not rest.strip():
        return text
    return rest.lstrip(" \t") if hole.left[-1:] in {" ", "\t"} else rest

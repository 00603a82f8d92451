"""Where nothing is asked of a model unless the user asks for it."""

import os
from functools import lru_cache

from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.policy import secret_mark

MOST_RIGHT = 8
"""More characters than these right of the cursor, and the user is changing a line, not writing."""

_CLOSERS = frozenset(")]}>;,:\"'`")


def unwanted(hole: Hole) -> str:
    """Why a request that nobody asked for is not worth a model here; "" where it is."""
    right = hole.right.strip()
    if _in_word(hole.left[-1:]) and _in_word(hole.right[:1]):
        return "The cursor stands inside a word."
    if len(right) > MOST_RIGHT and not _CLOSERS.issuperset(right.replace(" ", "")):
        return "Code follows on the line."
    if hole.path is not None and _looks_secret(hole.path):
        return "The file looks like one that holds secrets."
    return ""


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"


@lru_cache(maxsize=64)
def _looks_secret(path: str) -> bool:
    """By its name, or by that of the file that a link leads to."""
    try:
        return bool(secret_mark(path) or secret_mark(os.path.realpath(path)))
    except (OSError, ValueError):
        return True

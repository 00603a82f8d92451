"""How many tokens a text has at most, and what of it fits into so many."""

import math

CHARACTERS_PER_TOKEN = 2.5
"""Source code has 3 to 4; fewer here, so that an estimate errs to the safe side."""


def estimated_tokens(text: str) -> int:
    """A safe estimate of a text's tokens, above the true number for code."""
    plain = len(text) if text.isascii() else sum(character < "\x80" for character in text)
    return math.ceil(plain / CHARACTERS_PER_TOKEN) + 2 * (len(text) - plain)


def head_within(text: str, tokens: int) -> str:
    """The longest run of whole lines from the start within a budget, else part of the first."""
    most = int(tokens * CHARACTERS_PER_TOKEN)
    head = text[:most]
    while head and estimated_tokens(head) > tokens:
        head = head[: len(head) * 3 // 4]
    if len(head) == len(text):
        return head
    end = head.rfind("\n")
    return head[:end] if end > 0 else head


def tail_within(text: str, tokens: int) -> str:
    """The end of a text within a budget, beginning at a line's start.

    The cut moves in steps of a quarter of the budget, so that the prompt keeps its first tokens
    while the user types, and the server its cache.
    """
    most = int(tokens * CHARACTERS_PER_TOKEN)
    while most > 0 and estimated_tokens(text[-most:]) > tokens:
        most = most * 3 // 4
    if len(text) <= most:
        return text
    if most <= 0:
        return ""
    step = max(1, most // 4)
    start = math.ceil((len(text) - most) / step) * step
    line = text.find("\n", start)
    return text[line + 1 :] if 0 <= line < len(text) - 1 else text[start:]

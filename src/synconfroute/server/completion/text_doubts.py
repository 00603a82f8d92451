"""What a text gives away by itself, in any language: doubts that cost nothing to look for."""

REPEATS = "repeats"
"""A line of the text stands already near the hole, and is too long to be a phrase of the language
such as `break;` or `} else {`."""

GAP = "gap"
"""The line below the hole is more than one level deeper than the text: nothing that one line can
open reaches down there."""

LONG = 11
"""Characters that a repeated line has at least, without its indentation."""

NEAR = 40
"""Lines on either side of the hole that are looked at, whatever the length of the document."""

LEVEL = 4
"""Columns of one level, and of a tab."""


def text_doubts(prefix: str, text: str, suffix: str) -> frozenset[str]:
    """What speaks against a text in a hole: `REPEATS`, `GAP`, both or none.

    Args:
        prefix: the buffer before the hole.
        text: what would be inserted.
        suffix: the buffer after the hole.
    """
    *above, left = prefix.rsplit("\n", NEAR + 1)[-NEAR - 1 :]
    written = _visible((left + text).split("\n"))
    below = _visible(suffix.split("\n", NEAR + 1)[1 : NEAR + 1])
    doubts = set()
    around = {line.strip() for line in (*above, *below)}
    if any(len(line.strip()) >= LONG and line.strip() in around for line in written):
        doubts.add(REPEATS)
    if written and below and _columns(below[0]) - _columns(written[-1]) > LEVEL:
        doubts.add(GAP)
    return frozenset(doubts)


def _visible(lines: list[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _columns(line: str) -> int:
    expanded = line.expandtabs(LEVEL)
    return len(expanded) - len(expanded.lstrip())

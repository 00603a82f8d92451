"""Tabs or spaces, as the buffer has them."""

import re
from collections.abc import Callable

from synconfroute.server.completion.hole import Hole

_BEGIN = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)
_UNITS = (4, 2)
_READ = 20_000
"""Characters of the buffer that are looked at on each side."""


def with_indentation_characters(hole: Hole, text: str) -> str:
    """Write the indentation of the text's lines with the buffer's character, at the same level.

    In a buffer that indents with tabs, a unit of spaces becomes a tab; in one with spaces, a tab
    becomes a unit. A buffer that shows neither, or both (but for one space of alignment behind
    tabs), changes nothing.
    """
    kept = text.find("\n") + 1 if hole.left.strip() else 0
    if (hole.left.strip() and not kept) or _BEGIN.search(text, kept) is None:
        return text
    mine = {begin for part in _sides(hole) for begin in _BEGIN.findall(part)}
    tabs = any(begin.startswith("\t") for begin in mine)
    mixed = any(("\t" in begin and "  " in begin) or " \t" in begin for begin in mine)
    if mixed or tabs == any(begin.startswith(" ") for begin in mine):
        return text
    change = _to_tabs(text[kept:]) if tabs else _to_spaces(mine)
    return text[:kept] + _BEGIN.sub(lambda match: change(match.group()), text[kept:])


def _sides(hole: Hole) -> tuple[str, str]:
    """Whole lines above and below, and the cursor's own up to the cursor where it has code."""
    above = hole.prefix[-_READ:]
    above = above if hole.left.strip() else above[: len(above) - len(hole.left)] + hole.left + "."
    return above, hole.suffix[len(hole.right) : _READ]


def _to_spaces(mine: set[str]) -> Callable[[str], str]:
    unit = min((begin for begin in mine if len(begin) > 1), key=len, default=" " * _UNITS[0])
    return lambda begin: begin.replace("\t", unit)


def _to_tabs(text: str) -> Callable[[str], str]:
    """By the widest unit that all indentations of the text are made of; as it is if none is."""
    widths = [len(begin) for begin in _BEGIN.findall(text) if "\t" not in begin]
    fits = [unit for unit in _UNITS if all(width % unit == 0 for width in widths)]
    return (lambda begin: begin.replace(" " * fits[0], "\t")) if fits else (lambda begin: begin)

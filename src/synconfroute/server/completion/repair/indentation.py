"""The same text at another level of indentation (Python)."""

from collections.abc import Iterator

from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.repair.levels import (
    Around,
    around,
    indentation,
    is_header,
    width,
)


def at_header_level(hole: Hole, text: str) -> str | None:
    """The header at the only level where it opens the block that stands below.

    None where nothing fixes its level, or it stands there already. What stands below can then
    follow nothing else, so this is sure in a way that no other repair is.
    """
    if not _begins_line(hole, text) or not is_header(text):
        return None
    level = around(hole).header_level
    return None if level is None else _moved(hole, text, level)


def reindented(hole: Hole, text: str) -> Iterator[str]:
    """The text at each level that the lines around it allow, the likeliest first."""
    if not _begins_line(hole, text):
        return
    tried = {hole.left + indentation(text)}
    for level in _levels(around(hole), header=is_header(text)):
        if level not in tried:
            tried.add(level)
            moved = _moved(hole, text, level)
            if moved is not None:
                yield moved


def _begins_line(hole: Hole, text: str) -> bool:
    return hole.language == "python" and not hole.left.strip() and text.strip() != ""


def _levels(near: Around, *, header: bool) -> Iterator[str]:
    """Levels for a line between these neighbours; more than one may fit."""
    if header and near.header_level is not None:
        yield near.header_level
    yield near.deepest
    below = indentation(near.below)
    if header and below.endswith(near.unit):
        yield below.removesuffix(near.unit)
    least = width(below) if near.below else 0
    yield from (level for level in near.outer if width(level) >= least)


def _moved(hole: Hole, text: str, level: str) -> str | None:
    """The text with its first line at a level and the later ones moved along.

    None where it stands there, or the cursor stands behind that level already.
    """
    begin = indentation(text)
    old = hole.left + begin
    if old == level or not level.startswith(hole.left) or "\n" in begin:
        return None
    first, *rest = text.split("\n")
    later = [level + line.removeprefix(old) if line.startswith(old) else line for line in rest]
    return "\n".join([level.removeprefix(hole.left) + first.lstrip(), *later])

"""The one repair of the profile `paper`: an answer moved to the level that its place asks for.

The paper (§2.3) repairs the indentation of every model's answer alike, since chats often get it
wrong, and does not say how. Ours reads only the lines around the hole, never the truth: an answer
keeps its level where the place allows it, else it is moved to the likeliest.
"""

import textwrap

from synconfroute.server.completion.hole import Hole

_TAB = 4
"""Columns of a tab, and of one level where the code above shows none."""


def repaired(hole: Hole, text: str) -> str:
    """The text with its first visible line at a level that fits; later lines move along.

    A hole within a line, or a text without visible characters, stays as it is.
    """
    if hole.left.strip() or not text.strip():
        return text
    visible = [line for line in _lines(hole, text) if line.strip()]
    levels = _levels(hole, opens=len(visible) == 1 and _opens(visible[0]))
    return text if _level(visible[0]) in levels else moved_to(hole, text, levels[0])


def level_of(hole: Hole, text: str) -> int | None:
    """The column where the text's first visible line begins; None where that is not its own.

    It is not in a hole within a line, and there is none without visible characters.
    """
    if hole.left.strip() or not text.strip():
        return None
    return next(_level(line) for line in _lines(hole, text) if line.strip())


def moved_to(hole: Hole, text: str, level: int) -> str:
    """The text with its first visible line at a column, for which there must be one.

    Later lines move along; none goes left of the margin.
    """
    lines = _lines(hole, text)
    first = next(index for index, line in enumerate(lines) if line.strip())
    return "\n".join([*lines[:first], *_moved(lines[first:], level)]).removeprefix(hole.left)


def _lines(hole: Hole, text: str) -> list[str]:
    return (hole.left + text).expandtabs(_TAB).split("\n")


def _moved(lines: list[str], level: int) -> list[str]:
    """The lines with the first one at a level, and none left of the margin."""
    rest = textwrap.dedent("\n".join(lines)).split("\n")
    shift = level - _level(rest[0])
    return [
        " " * max(0, _level(line) + shift) + line.lstrip() if line.strip() else "" for line in rest
    ]


def _levels(hole: Hole, *, opens: bool) -> list[int]:
    """Columns where a line in the hole may begin, the likeliest first.

    Args:
        hole: where the line goes.
        opens: the line opens the block that stands below.
    """
    above = _visible(hole.prefix[: len(hole.prefix) - len(hole.left)]) or [""]
    below = _visible(hole.suffix)
    unit = min((_level(line) for line in above if _level(line)), default=_TAB)
    if _opens(above[-1]):
        return [_level(above[-1]) + unit]
    inside = unit if _level(above[-1]) else 0
    if opens and below and _level(below[0]) - unit >= inside:
        return [_level(below[0]) - unit]
    least = _level(below[0]) if below else inside
    around = {level for level in map(_level, above) if least <= level <= _level(above[-1])}
    return sorted(around, reverse=True) or [_level(above[-1])]


def _visible(text: str) -> list[str]:
    return [line for line in text.expandtabs(_TAB).split("\n") if line.strip()]


def _opens(line: str) -> bool:
    """True if what follows the line stands one level deeper."""
    return line.partition("#")[0].rstrip().endswith((":", "{"))


def _level(line: str) -> int:
    return len(line) - len(line.lstrip(" "))

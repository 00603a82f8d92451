"""Logical lines of hundreds of lines, such as tables, cut down to what decides about a place."""

from dataclasses import dataclass, field
from functools import lru_cache

from synconfroute.validators.python.lexing import closers, marks

LONG = 500
"""Characters of a part of a logical line that is worth cutting: below, parsing costs little."""
_LONG_ELEMENT = 40
_SHORTEST = {"(": "()", "[": "[0]", "{": "{}"}
"""What may stand wherever such a bracket and its content do."""
_FIRST_ELEMENT = 4_000


@dataclass(slots=True)
class _Level:
    """A bracket that is open, and the commas seen in it so far.

    Attributes:
        at: where it stands.
        first: where its first comma does, or -1.
        last: where its last comma does, or -1.
        inner: where long brackets in its first element begin and end.
    """

    at: int
    first: int = -1
    last: int = -1
    inner: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Head:
    """The part of a logical line before a place.

    Attributes:
        text: the part, without elements in the middle of brackets that are still open, and without
            what stands in long brackets in the first ones.
        moved: where each open bracket stands in it now, by its place in the whole part.
    """

    text: str
    moved: dict[int, int]


@lru_cache(maxsize=4)
def cut_head(text: str) -> Head:
    """Of every bracket open at the end, keep the first element and what follows the last comma."""
    levels = _levels(text)
    if len(text) <= LONG or not levels:
        return Head(text, {level.at: level.at for level in levels})
    parts = [text[: levels[0].at]]
    moved = {}
    ends = [*(level.at for level in levels[1:]), len(text)]
    for level, following in zip(levels, ends, strict=True):
        moved[level.at] = sum(map(len, parts))
        if level.first < 0:
            parts.append(_shortened(text, level, following))
        else:
            parts += [_shortened(text, level, level.first + 1), text[level.last + 1 : following]]
    return Head("".join(parts), moved)


def _shortened(text: str, level: _Level, end: int) -> str:
    """The text from an open bracket on, without what long brackets in the first element hold."""
    parts = []
    at = level.at
    for start, stop in level.inner:
        parts += [text[at:start], _SHORTEST[text[start]]]
        at = stop
    return "".join([*parts, text[at:end]])


def _levels(text: str) -> list[_Level]:
    levels: list[_Level] = []
    for kind, at in marks(text, 0, len(text)):
        if kind in "([{":
            levels.append(_Level(at))
        elif levels and kind in ")]}":
            closed = levels.pop()
            if levels and levels[-1].first < 0 and at - closed.at > _LONG_ELEMENT:
                levels[-1].inner.append((closed.at, at + 1))
        elif levels and kind == ",":
            levels[-1].last = at
            if levels[-1].first < 0:
                levels[-1].first = at
    return levels


def cut_tail(text: str, start: int, end: int, opened: str) -> str:
    """Of what goes on behind a place, keep the first element, and close what must be open there.

    Args:
        text: the text.
        start: where the part begins.
        end: where it ends.
        opened: the brackets that are open where it begins, the outermost first.
    """
    if end - start <= LONG or not opened:
        return text[start:end]
    depth = 0
    for kind, at in marks(text, start, min(end, start + _FIRST_ELEMENT)):
        if kind == "," and depth == 0:
            return text[start : at + 1] + closers(opened, tuple(range(len(opened))))
        depth += (kind in "([{") - (kind in ")]}")
        if depth < 0:
            break
    return text[start:end]

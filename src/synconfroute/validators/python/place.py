"""Logical lines as places: which one a line of the buffer is of, and what is open there."""

from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from synconfroute.validators.python.lexing import CLEAR, State, open_at
from synconfroute.validators.python.lines import Lines


class Place(NamedTuple):
    """The logical line that a line of the buffer is or would be of.

    Attributes:
        number: its number, counted from 0.
        start: where it begins.
        state: what is open where the line of the buffer begins.
    """

    number: int
    start: int
    state: State


def place_of(text: str, lines: Lines, line: int) -> Place:
    """The place of the line that begins here."""
    index = bisect_right(lines.starts, line) - 1
    if index < 0:
        return Place(0, line, CLEAR)
    start = lines.starts[index]
    state = _open_at(text, start, line)
    if start == line or state.within or text.endswith("\\\n", start, line):
        return Place(index, start, state)
    return Place(index + 1, line, CLEAR)


def place_within(text: str, lines: Lines, place: Place, line: int) -> Place | None:
    """The place in the logical line above instead, if that has a bracket open."""
    if place.start != line or place.number == 0:
        return None
    start = lines.starts[place.number - 1]
    state = _open_at(text, start, line)
    return Place(place.number - 1, start, state) if state.brackets else None


def span_of(text: str, lines: Lines, index: int) -> tuple[int, int]:
    """Where the logical line of this number begins and ends; the text's end if there is none."""
    starts = [*lines.starts[index : index + 2], len(text), len(text)]
    return starts[0], starts[1]


def _open_at(text: str, start: int, end: int) -> State:
    state = _scanned(text[start:end])
    if not start or not state.within:
        return state
    quote_at = state.quote_at + start if state.quote else -1
    return State(tuple(at + start for at in state.brackets), state.quote, quote_at)


@lru_cache(maxsize=4)
def _scanned(part: str) -> State:
    """Remembered, since a table of thousands of lines is asked about again and again."""
    return open_at(part, 0, len(part))

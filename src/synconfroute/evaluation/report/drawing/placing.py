"""Where the names of points stand, so that none lies on another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

LINE = 14.0
"""How high a line of the drawings' text is."""

_CHARACTER = 6.6
"""How wide a character of it is."""

_POINT = 7.0
"""Half of the room of a point."""

Anchor = Literal["start", "middle", "end"]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands.

    Attributes:
        x: of its anchor.
        y: of its base line.
        anchor: which end `x` is.
        far: too far from its point to be understood without a line to it.
    """

    x: float
    y: float
    anchor: Anchor
    far: bool


def places(points: Sequence[tuple[float, float, Sequence[str]]], room: Box) -> list[Place]:
    """A place for the first line of each name, near its point.

    Args:
        points: each with the lines of its name.
        room: where names may stand.
    """
    taken = [(x - _POINT, y - _POINT, x + _POINT, y + _POINT) for x, y, _ in points]
    found: dict[int, Place] = {}
    for index in sorted(range(len(points)), key=lambda index: points[index][:2]):
        x, y, name = points[index]
        tried = [(place, _box(place, name)) for place in _around(x, y, len(name))]
        best, box = min(tried, key=lambda each: _trouble(each[1], taken, room))
        found[index] = best
        taken.append(box)
    return [found[index] for index in range(len(points))]


def _around(x: float, y: float, lines: int) -> Iterator[Place]:
    """Places from the nearest to the farthest."""
    more = (lines - 1) * LINE
    yield Place(x + 10, y + 4 - more / 2, "start", False)
    yield Place(x - 10, y + 4 - more / 2, "end", False)
    yield Place(x, y - 12 - more, "middle", False)
    yield Place(x, y + 21, "middle", False)
    for away in (16.0, 30.0, 46.0, 62.0, 80.0, 100.0):
        for top in (y - away + 4 - more, y + away + 4):
            yield Place(x + 12, top, "start", True)
            yield Place(x - 12, top, "end", True)


def _box(place: Place, name: Sequence[str]) -> Box:
    width = _CHARACTER * max(map(len, name))
    left = place.x - {"start": 0.0, "middle": width / 2, "end": width}[place.anchor]
    return left, place.y - LINE + 3, left + width, place.y + 3 + (len(name) - 1) * LINE


def _trouble(box: Box, taken: Sequence[Box], room: Box) -> float:
    """How much of a box lies on others or outside."""
    inside = _shared(box, room)
    outside = (box[2] - box[0]) * (box[3] - box[1]) - inside
    return 3 * outside + sum(_shared(box, other) for other in taken)


def _shared(one: Box, other: Box) -> float:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0.0

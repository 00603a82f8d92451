"""What every drawing is drawn on: an SVG element, and a plot with its axes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 760
"""Of every drawing, in its own units: pixels where the page is wide enough."""

Ticks = Sequence[tuple[float, str]]
"""Values with what is written at them."""

_STEPS = (1, 2, 5, 10, 20)
"""Percent between two lines of the grid."""


def svg(height: float, says: str, parts: Iterable[str]) -> str:
    """A drawing.

    Args:
        height: in its own units.
        says: what it shows, for who cannot see it.
        parts: elements.
    """
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" role="img"'
        f' aria-label="{escape(says)}">{"".join(parts)}</svg>'
    )


def text(x: float, y: float, said: str, kind: str = "") -> str:
    """Words at a place."""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{named}>{escape(said)}</text>'


@dataclass(frozen=True, slots=True)
class Plot:
    """A plane between two axes.

    Attributes:
        height: of the whole drawing.
        across: the values at the left and at the right.
        up: the values at the bottom and at the top.
        left: room for what is written at the upward axis.
        bottom: room for what is written at the other.
        right: room beside it.
        top: room above it.
    """

    height: float
    across: tuple[float, float]
    up: tuple[float, float]
    left: float = 56
    bottom: float = 48
    right: float = 16
    top: float = 16

    def x(self, value: float) -> float:
        """Where a value is, from the left."""
        low, high = self.across
        share = (value - low) / (high - low)
        return round(self.left + share * (WIDTH - self.left - self.right), 1)

    def y(self, value: float) -> float:
        """Where a value is, from the top."""
        low, high = self.up
        share = (high - value) / (high - low)
        return round(self.top + share * (self.height - self.top - self.bottom), 1)

    def axes(self, across: Ticks, up: Ticks, names: tuple[str, str]) -> str:
        """The grid with what is written at it.

        Args:
            across: ticks of the axis at the bottom.
            up: ticks of the axis at the left.
            names: of the two axes.
        """
        end, floor = WIDTH - self.right, self.height - self.bottom
        parts = []
        for value, said in up:
            y = self.y(value)
            parts.append(f'<line class="grid" x1="{self.left}" x2="{end}" y1="{y}" y2="{y}"/>')
            parts.append(text(self.left - 8, y + 4, said, "tick end"))
        parts += [text(self.x(value), floor + 20, said, "tick middle") for value, said in across]
        middle = (self.top + floor) / 2
        parts.append(text((self.left + end) / 2, self.height - 8, names[0], "label middle"))
        parts.append(
            f'<text class="label middle" x="14" y="{middle:.1f}"'
            f' transform="rotate(-90 14 {middle:.1f})">{escape(names[1])}</text>'
        )
        return "".join(parts)


def heights(values: Sequence[float]) -> tuple[tuple[float, float], Ticks]:
    """The range of an axis of shares that holds these, and its ticks in percent."""
    low, high = min(values), max(values)
    step = next((each for each in _STEPS if 100 * (high - low) / each <= 8), _STEPS[-1])
    first = min(step * int(100 * low / step), 100 - step)
    last = min(100, step * (int(100 * high / step) + 1))
    ticks = [(percent / 100, f"{percent}") for percent in range(first, last + 1, step)]
    return (first / 100, last / 100), ticks


SHARES: Ticks = [(percent / 100, f"{percent}") for percent in range(0, 101, 20)]
"""Ticks of an axis of local shares."""

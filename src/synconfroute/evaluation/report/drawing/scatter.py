"""Points in a plane with their names: strategies by local share, models by latency."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

from synconfroute.evaluation.report.drawing.canvas import SHARES, WIDTH, Plot, Ticks, heights, svg
from synconfroute.evaluation.report.drawing.canvas import text as words
from synconfroute.evaluation.report.drawing.placing import LINE, places

_HEIGHT = 440
_NEAR = 6.0
"""Points that are nearer to each other lie on one another."""
_LONGEST = 34
"""Characters of a line of names."""

TARGET = 0.2
"""Seconds: the paper's target for real time (§3.2)."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A point.

    Attributes:
        name: stands beside it.
        kind: the class of its colour.
        x: local share in [0, 1], or seconds.
        quality: pass@1 in [0, 1].
        interval: its bounds; None for none.
        diamond: a diamond, else a circle.
        hollow: only its outline.
    """

    name: str
    kind: str
    x: float
    quality: float
    interval: tuple[float, float] | None = None
    diamond: bool = False
    hollow: bool = False


def strategies(spots: Sequence[Spot]) -> str:
    """pass@1 over local share."""
    up, ticks = heights([spot.quality for spot in spots])
    plot = Plot(_HEIGHT, (0.0, 1.0), up, right=24)
    axes = plot.axes(SHARES, ticks, ("answered locally, %", "pass@1, %"))
    return svg(_HEIGHT, "Strategies by local share and pass@1", [axes, *_drawn(spots, plot)])


def landscape(spots: Sequence[Spot]) -> str:
    """pass@1 over seconds, with the target as a dashed line."""
    bounds = [bound for spot in spots for bound in spot.interval or (spot.quality,)]
    up, ticks = heights([*bounds, *(spot.quality for spot in spots)])
    longest = max([TARGET, *(spot.x for spot in spots)]) * 1.12
    plot = Plot(_HEIGHT, (0.0, longest), up, right=24)
    axes = plot.axes(_seconds(longest), ticks, ("median seconds to the answer", "pass@1, %"))
    x, ground = plot.x(TARGET), _HEIGHT - plot.bottom
    target = f'<line class="target" x1="{x}" x2="{x}" y1="{plot.top}" y2="{ground}"/>' + words(
        x + 5, plot.top + 10, "200 ms", "tick"
    )
    return svg(_HEIGHT, "Models by latency and pass@1", [axes, target, *_drawn(spots, plot)])


def _seconds(longest: float) -> Ticks:
    """Five to ten ticks from 0."""
    power = 10.0 ** floor(log10(longest))
    step = next(power * part for part in (0.1, 0.2, 0.5, 1.0) if longest / (power * part) <= 10)
    count = int(longest / step)
    return [(index * step, f"{index * step:g}"[:5]) for index in range(count + 1)]


def _drawn(spots: Sequence[Spot], plot: Plot) -> list[str]:
    room = (plot.left + 2, 2.0, WIDTH - 2.0, _HEIGHT - plot.bottom - 2)
    heaps = _heaps(spots, plot)
    named = [(x, y, _lines([spot.name for spot in heap])) for x, y, heap in heaps]
    parts = [_whisker(spot, plot) for spot in spots if spot.interval is not None]
    names = []
    for (x, y, lines), place in zip(named, places(named, room), strict=True):
        if place.far:
            parts.append(f'<path class="leader" d="M{x} {y}L{place.x:.1f} {place.y - 4:.1f}"/>')
        anchor = "" if place.anchor == "start" else f" {place.anchor}"
        names += [
            words(place.x, place.y + index * LINE, line, f"name{anchor}")
            for index, line in enumerate(lines)
        ]
    marks = [_mark(spot, plot.x(spot.x), plot.y(spot.quality)) for spot in spots]
    return [*parts, *names, *marks]


def _heaps(spots: Sequence[Spot], plot: Plot) -> list[tuple[float, float, list[Spot]]]:
    """The spots with a place for each, those that lie on one another together."""
    heaps: list[tuple[float, float, list[Spot]]] = []
    for spot in spots:
        x, y = plot.x(spot.x), plot.y(spot.quality)
        near = [heap for heap in heaps if abs(heap[0] - x) < _NEAR and abs(heap[1] - y) < _NEAR]
        if near:
            near[0][2].append(spot)
        else:
            heaps.append((x, y, [spot]))
    return heaps


def _lines(names: Sequence[str]) -> list[str]:
    """Names one after the other, in lines that are not too long."""
    lines: list[str] = []
    for index, name in enumerate(names):
        said = name if index == len(names) - 1 else f"{name},"
        if lines and len(lines[-1]) + len(said) < _LONGEST:
            lines[-1] += f" {said}"
        else:
            lines.append(said)
    return lines


def _whisker(spot: Spot, plot: Plot) -> str:
    x = plot.x(spot.x)
    low, high = map(plot.y, spot.interval or (spot.quality, spot.quality))
    return f'<path class="whisker" d="M{x} {low}V{high}M{x - 4} {low}h8M{x - 4} {high}h8"/>'


def _mark(spot: Spot, x: float, y: float) -> str:
    kind = f"spot {spot.kind}{' hollow' if spot.hollow else ''}"
    said = f"<title>{escape(spot.name)}: {spot.quality:.1%}</title>"
    if spot.diamond:
        return f'<path class="{kind}" d="M{x} {y - 7}l7 7l-7 7l-7-7z">{said}</path>'
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="5.5">{said}</circle>'

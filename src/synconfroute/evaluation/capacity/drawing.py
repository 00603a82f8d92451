"""Waits and misses over the number of replicas."""

from collections.abc import Callable, Iterator, Sequence

from synconfroute.evaluation.capacity.outcome import Outcome
from synconfroute.evaluation.report.drawing.canvas import Plot, Ticks, svg

Around = Sequence[tuple[int, Outcome]]
_HEIGHT = 360
_ROUND = (1, 2, 5)
_MOST_TICKS = 8


def waits_over_replicas(around: Around, target_ms: float) -> str:
    """p50, p95 with its interval, and p99."""
    highest = max(max(found.p99_ms.mean, found.p95_ms.high) for _, found in around)
    plot, ticks = _plot(around, max(highest, target_ms))
    parts = [
        plot.axes(_whole(around), [(each, f"{each:,.0f}") for each in ticks], ("replicas", "ms")),
        _level(plot, target_ms),
        _line(plot, around, "synconfroute", lambda found: found.p50_ms.mean),
        _line(plot, around, "score", lambda found: found.p95_ms.mean),
        _line(plot, around, "confidence", lambda found: found.p99_ms.mean),
        *_whiskers(plot, around),
    ]
    return svg(_HEIGHT, "How long answers take, by the number of replicas", parts)


def share_over_replicas(around: Around, target: float) -> str:
    """Late or refused, in percent."""

    def missed(found: Outcome) -> float:
        return 100 * (found.late.mean + found.refused.mean)

    highest = max(missed(found) for _, found in around)
    plot, ticks = _plot(around, max(highest, 100 * target, 0.1))
    parts = [
        plot.axes(_whole(around), [(each, f"{each:g}") for each in ticks], ("replicas", "%")),
        _level(plot, 100 * target),
        _line(plot, around, "confidence", missed),
    ]
    return svg(_HEIGHT, "Late or refused requests, by the number of replicas", parts)


def _plot(around: Around, highest: float) -> tuple[Plot, list[float]]:
    """A plane that holds it all, and round values along its left."""
    first, last = around[0][0], around[-1][0]
    across = (float(first), float(last)) if last > first else (first - 0.5, first + 0.5)
    ticks = list(_ticks(highest))
    return Plot(_HEIGHT, across, (0.0, ticks[-1])), ticks


def _ticks(highest: float) -> Iterator[float]:
    """Round values from 0 to the first that is not exceeded."""
    size = 1e-6
    steps = (size * 10**power * each for power in range(20) for each in _ROUND)
    step = next(each for each in steps if highest / each < _MOST_TICKS)
    count = 0
    while True:
        yield round(count * step, 9)
        if count and count * step >= highest:
            return
        count += 1


def _whole(around: Around) -> Ticks:
    return [(float(replicas), f"{replicas:,}") for replicas, _ in around]


def _line(plot: Plot, around: Around, kind: str, of: Callable[[Outcome], float]) -> str:
    points = " ".join(f"{plot.x(replicas)},{plot.y(of(found))}" for replicas, found in around)
    return f'<polyline class="line {kind}" points="{points}"/>'


def _level(plot: Plot, value: float) -> str:
    y, (left, right) = plot.y(value), map(plot.x, plot.across)
    return f'<line class="target" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'


def _whiskers(plot: Plot, around: Around) -> Iterator[str]:
    for replicas, found in around:
        x, low = plot.x(replicas), max(0.0, found.p95_ms.low)
        yield (
            f'<line class="whisker" x1="{x}" x2="{x}" y1="{plot.y(low)}"'
            f' y2="{plot.y(found.p95_ms.high)}"/>'
        )

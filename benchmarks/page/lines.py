"""What is added, as lines: over the size of the document, and over the model's own time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.added import HOLDS
from benchmarks.figure import Figure
from benchmarks.page.logarithmic import decades, place, span, ticks
from synconfroute.evaluation.report.drawing.canvas import Plot, svg

COLOURS = ("synconfroute", "evidence", "confidence", "score")
_HEIGHT = 320
_RIGHT = 34


@dataclass(frozen=True, slots=True)
class Added:
    """One of its figures, taken apart.

    Attributes:
        lines: of the document.
        shape: of the model.
        own: ms that the model takes itself.
        figure: what was measured.
    """

    lines: int
    shape: str
    own: int
    figure: Figure


def taken_apart(figures: Sequence[Figure]) -> list[Added]:
    """The figures that `benchmarks.added` gives, by what their cases say."""
    found = []
    for figure in figures:
        if figure.what == "added per request":
            lines, shape, own = figure.case.rsplit(", ", 2)
            count = int(lines.removesuffix(" lines").replace(",", ""))
            found.append(Added(count, shape, int(own.removesuffix(" ms")), figure))
    return found


def over_lines(added: Sequence[Added]) -> str:
    """A line for each time of the model: p50, and dashed p99. Of one shape."""
    across = span([each.lines for each in added])
    by_own = {own: [each for each in added if each.own == own] for own in own_times(added)}
    held = [most for holds in HOLDS.values() for most in holds.values()]
    up = span([*_values(added), *held])
    plot = Plot(_HEIGHT, across, up, right=_RIGHT)
    parts = [plot.axes(decades(across), ticks(up), ("lines of the document", "added, ms"))]
    for colour, (own, row) in zip(COLOURS, by_own.items(), strict=False):
        for of, dashes in (("p50", ""), ("p99", "6 5")):
            points = {float(each.lines): getattr(each.figure, of) for each in row}
            parts.append(_line(plot, points, colour, f"{of}, model of {own} ms", dashes))
    plain = {float(each.lines): each.figure.beside_p50 or 0.0 for each in by_own[min(by_own)]}
    parts.append(_line(plot, plain, "oracle", "plain http.client, p50", "2 4"))
    for lines, holds in HOLDS.items():
        for of, most in holds.items():
            x, y = plot.x(place(lines, across)), plot.y(place(most, up))
            parts.append(
                f'<line class="mark" x1="{x - 12:.1f}" x2="{x + 12:.1f}" y1="{y}" y2="{y}">'
                f"<title>{of} at {lines:,} lines: at most {most:g} ms</title></line>"
            )
    return svg(_HEIGHT, "Added time over the lines of the document", parts)


def over_own(added: Sequence[Added]) -> str:
    """A line for each size of document: p50 over the model's own time. Of one shape."""
    owns = own_times(added)
    across = (float(min(owns)), float(max(owns)))
    up = span([each.figure.p50 for each in added])
    plot = Plot(_HEIGHT, across, up, right=_RIGHT)
    named = [(float(own), f"{own}") for own in owns]
    parts = [plot.axes(named, ticks(up), ("the model's own time, ms", "added p50, ms"))]
    for colour, lines in zip(COLOURS, sizes(added), strict=False):
        points = {each.own: each.figure.p50 for each in added if each.lines == lines}
        drawn = " ".join(
            f"{plot.x(own)},{plot.y(place(value, up))}" for own, value in points.items()
        )
        parts.append(_polyline(drawn, colour, f"{lines:,} lines", ""))
    return svg(_HEIGHT, "Added time over the model's own", parts)


def own_times(added: Sequence[Added]) -> list[int]:
    """The model's times, in ms."""
    return sorted({each.own for each in added})


def sizes(added: Sequence[Added]) -> list[int]:
    """The lines of the documents."""
    return sorted({each.lines for each in added})


def _values(added: Sequence[Added]) -> list[float]:
    return [
        value
        for each in added
        for value in (each.figure.p50, each.figure.p99, each.figure.beside_p50 or 0.0)
    ]


def _line(plot: Plot, points: Mapping[float, float], kind: str, said: str, dashes: str) -> str:
    drawn = " ".join(
        f"{plot.x(place(x, plot.across))},{plot.y(place(y, plot.up))}"
        for x, y in sorted(points.items())
    )
    return _polyline(drawn, kind, said, dashes)


def _polyline(points: str, kind: str, said: str, dashes: str) -> str:
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<polyline class="line {kind}" points="{points}"{dashed}>'
        f"<title>{escape(said)}</title></polyline>"
    )

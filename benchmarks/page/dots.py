"""Figures as dots on one logarithmic axis: ours, the other's, and what is allowed."""

from collections.abc import Iterator, Sequence
from html import escape

from benchmarks.figure import Figure
from benchmarks.page.logarithmic import place, span, ticks
from benchmarks.table import number
from synconfroute.evaluation.report.drawing.canvas import WIDTH, Plot, svg, text

LEGEND = (
    ("ours, median to 99th percentile", "synconfroute"),
    ("what it is compared with", "confidence"),
    ("the most that is allowed: a dashed line", "other"),
)
SHARES_LEGEND = (("kept", "evidence"), ("not kept", "confidence"))

_ROW, _SHARE_ROW, _FOOT, _LEFT = 36, 22, 44, 330
_RIGHT = 36
_LONGEST = 52
"""Characters that there is room for."""


def dots(figures: Sequence[Figure], unit: str) -> str:
    """One row a figure, all of one unit."""
    bounds = span([value for figure in figures for value in _values(figure)])
    plot = _plot(_ROW * len(figures), bounds)
    parts = [_grid(plot, bounds, unit)]
    for number_, figure in enumerate(figures):
        parts += _row(figure, plot, bounds, _ROW * number_ + _ROW / 2)
    return svg(plot.height, f"Figures in {unit}", parts)


def shares(figures: Sequence[Figure]) -> str:
    """Each promise as one row: what was measured as a share of what is allowed."""
    rows = [(figure, of, most) for figure in figures for of, most in figure.holds.items()]
    values = [value_of(figure, of) / most for figure, of, most in rows]
    bounds = span([*values, 0.1, 2])
    plot = _plot(_SHARE_ROW * len(rows), bounds)
    parts = [_grid(plot, bounds, "measured over allowed")]
    parts.append(_upright("target", plot.x(0.0), 0, plot.height - _FOOT))
    for number_, ((figure, of, most), value) in enumerate(zip(rows, values, strict=True)):
        y = _SHARE_ROW * number_ + _SHARE_ROW / 2
        said = f"{figure.what}, {figure.case}"
        parts.append(text(_LEFT - 10, y + 4, _cut(said), "small end"))
        parts.append(
            _spot("evidence" if value <= 1 else "confidence", plot.x(place(value, bounds)), y,
                  f"{said}: {of} {number(value_of(figure, of))}, allowed {most:g}")
        )  # fmt: skip
        parts.append(text(plot.x(place(value, bounds)) + 9, y + 4, of, "small"))
    return svg(plot.height, "What was measured as a share of what is allowed", parts)


def value_of(figure: Figure, of: str) -> float:
    """What a promise is about."""
    return {"p50": figure.p50, "p99": figure.p99, "ratio": figure.ratio or 0.0}[of]


def _allowed(figure: Figure) -> list[float]:
    """What is allowed, in the figure's unit."""
    other = figure.beside_p50 or 0.0
    return [most * other if of == "ratio" else most for of, most in figure.holds.items()]


def _values(figure: Figure) -> list[float]:
    return [figure.p50, figure.p99, figure.beside_p50 or 0.0, *_allowed(figure)]


def _row(figure: Figure, plot: Plot, bounds: tuple[float, float], y: float) -> Iterator[str]:
    def x(value: float) -> float:
        return plot.x(place(value, bounds))

    yield text(_LEFT - 12, y - 2, _cut(figure.what), "end value")
    yield text(_LEFT - 12, y + 12, _cut(figure.case), "end small")
    for most in _allowed(figure):
        yield _upright("target", x(most), y - 13, y + 13)
    yield f'<line class="whisker" x1="{x(figure.p50)}" x2="{x(figure.p99)}" y1="{y}" y2="{y}"/>'
    yield _upright("whisker", x(figure.p99), y - 4, y + 4)
    if figure.beside_p50:
        said = f"{figure.beside}: {number(figure.beside_p50)} {figure.unit}"
        yield _spot("hollow confidence", x(figure.beside_p50), y, said)
    said = f"p50 {number(figure.p50)}, p99 {number(figure.p99)} {figure.unit}"
    yield _spot("synconfroute", x(figure.p50), y, said)


def _plot(rows: float, bounds: tuple[float, float]) -> Plot:
    """Rows of this height in all, over an axis."""
    return Plot(rows + _FOOT, bounds, (0, 1), left=_LEFT, top=0, bottom=_FOOT, right=_RIGHT)


def _grid(plot: Plot, bounds: tuple[float, float], name: str) -> str:
    floor = plot.height - _FOOT
    parts = []
    for power, said in ticks(bounds):
        parts.append(_upright("grid", plot.x(power), 0, floor))
        parts.append(text(plot.x(power), floor + 16, said, "tick middle"))
    parts.append(text((_LEFT + WIDTH - _RIGHT) / 2, plot.height - 6, name, "label middle"))
    return "".join(parts)


def _upright(kind: str, x: float, top: float, bottom: float) -> str:
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="{top:g}" y2="{bottom:g}"/>'


def _spot(kind: str, x: float, y: float, said: str) -> str:
    return (
        f'<circle class="spot {kind}" cx="{x}" cy="{y:g}" r="5.5">'
        f"<title>{escape(said)}</title></circle>"
    )


def _cut(said: str) -> str:
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"

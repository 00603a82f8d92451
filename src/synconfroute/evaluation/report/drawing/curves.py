"""Quality over local share, one line a strategy."""

from collections.abc import Mapping, Sequence
from html import escape

from synconfroute.evaluation.report.drawing.canvas import SHARES, Plot, heights, svg

Curve = Sequence[tuple[float, float]]
"""Pairs of local share and pass@1."""

COLOURED = ("score", "evidence", "synconfroute", "confidence")
"""Strategies with a colour of their own, from the best; all others are in the background."""

_HEIGHT = 430


def curves(drawn: Mapping[str, Curve]) -> str:
    """One line a strategy; its name shows under the pointer."""
    up, ticks = heights([quality for curve in drawn.values() for _, quality in curve])
    plot = Plot(_HEIGHT, (0.0, 1.0), up)
    parts = [plot.axes(SHARES, ticks, ("answered locally, %", "pass@1, %"))]
    order = sorted(drawn, key=lambda name: (name in COLOURED, name != "oracle"))
    for name in order:
        points = " ".join(
            f"{plot.x(share):.1f},{plot.y(quality):.1f}" for share, quality in drawn[name]
        )
        parts.append(
            f'<polyline class="line {kind_of(name)}" points="{points}">'
            f"<title>{escape(name)}</title></polyline>"
        )
    return svg(_HEIGHT, "Quality over local share", parts)


def kind_of(strategy: str) -> str:
    """The class of a strategy's colour."""
    return strategy if strategy in COLOURED or strategy == "oracle" else "other"

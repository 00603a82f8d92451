"""Drawings as SVG elements. Colours are classes, which `style` gives for light and dark."""

from collections.abc import Mapping, Sequence
from html import escape

Curve = Sequence[tuple[float, float]]
"""Pairs of local share and pass@1."""

COLOURED = ("score", "evidence", "synconfroute", "confidence")
"""Strategies with a colour of their own, from the best; all others are in the background."""

_WIDTH, _HEIGHT = 760, 430
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 16, 16, 48
_STEPS = (1, 2, 5, 10, 20)
"""Percent between two lines of the grid."""


def curves(drawn: Mapping[str, Curve]) -> str:
    """Quality over local share, one line a strategy; its name shows under the pointer."""
    heights = [quality for curve in drawn.values() for _, quality in curve]
    low, high = min(heights), max(heights)
    step = next((each for each in _STEPS if 100 * (high - low) / each <= 8), _STEPS[-1])
    low = min(step * int(100 * low / step), 100 - step) / 100
    high = min(1.0, step * (int(100 * high / step) + 1) / 100)
    parts = [_axes(low, high, step)]
    order = sorted(drawn, key=lambda name: (name in COLOURED, name != "oracle"))
    for name in order:
        points = " ".join(
            f"{_x(share):.1f},{_y(quality, low, high):.1f}" for share, quality in drawn[name]
        )
        kind = name if name in COLOURED or name == "oracle" else "other"
        parts.append(
            f'<polyline class="line {kind}" points="{points}">'
            f"<title>{escape(name)}</title></polyline>"
        )
    return _svg(_WIDTH, _HEIGHT, "Quality over local share", parts)


def bar(parts: Sequence[tuple[str, int, str]]) -> str:
    """One bar of all tasks, cut into parts.

    Args:
        parts: what each is, how many, and the class of its colour.
    """
    total = sum(count for _, count, _ in parts) or 1
    drawn, left = [], 0.0
    for name, count, kind in parts:
        width = _WIDTH * count / total
        share = f"{count / total:.1%}"
        drawn.append(
            f'<rect class="part {kind}" x="{left:.1f}" y="0" width="{max(0.0, width - 2):.1f}"'
            f' height="34" rx="4"><title>{escape(name)}: {count}, {share}</title></rect>'
        )
        if width > 52:
            drawn.append(f'<text class="on {kind}" x="{left + 10:.1f}" y="22">{share}</text>')
        left += width
    return _svg(_WIDTH, 34, ", ".join(f"{name} {count}" for name, count, _ in parts), drawn)


def _axes(low: float, high: float, step: int) -> str:
    lines = []
    first, last = round(100 * low), round(100 * high)
    for percent in range(first, last + 1, step):
        y = _y(percent / 100, low, high)
        lines.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>')
        lines.append(f'<text class="tick end" x="{_LEFT - 8}" y="{y + 4}">{percent}</text>')
    bottom = _HEIGHT - _BOTTOM
    for percent in range(0, 101, 20):
        x = _x(percent / 100)
        lines.append(f'<text class="tick middle" x="{x}" y="{bottom + 20}">{percent}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    lines.append(
        f'<text class="label middle" x="{middle}" y="{_HEIGHT - 8}">answered locally, %</text>'
    )
    turned = f"rotate(-90 14 {bottom / 2})"
    lines.append(
        f'<text class="label middle" x="14" y="{bottom / 2}" transform="{turned}">pass@1, %</text>'
    )
    return "".join(lines)


def _x(share: float) -> float:
    return round(_LEFT + share * (_WIDTH - _LEFT - _RIGHT), 1)


def _y(quality: float, low: float, high: float) -> float:
    height = _HEIGHT - _TOP - _BOTTOM
    return round(_TOP + (high - quality) / (high - low) * height, 1)


def _svg(width: int, height: int, says: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' aria-label="{escape(says)}">{"".join(parts)}</svg>'
    )

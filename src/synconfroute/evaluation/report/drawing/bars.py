"""Bars: one cut into parts, and small panels of several with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from synconfroute.evaluation.report.drawing.canvas import WIDTH, svg, text

_BAR, _GAP, _HEAD, _FOOT = 17, 6, 44, 22
_PANEL_GAP = 26
_LABEL, _VALUE = 90, 42
_COLUMNS = 3


def bar(parts: Sequence[tuple[str, int, str]]) -> str:
    """One bar of all tasks, cut into parts.

    Args:
        parts: what each is, how many, and the class of its colour.
    """
    total = sum(count for _, count, _ in parts) or 1
    drawn, left = [], 0.0
    for name, count, kind in parts:
        width = WIDTH * count / total
        share = f"{count / total:.1%}"
        drawn.append(
            f'<rect class="part {kind}" x="{left:.1f}" y="0" width="{max(0.0, width - 2):.1f}"'
            f' height="34" rx="4"><title>{escape(name)}: {count}, {share}</title></rect>'
        )
        if width > 70:
            drawn.append(text(left + 10, 22, share, f"on {kind}"))
        left += width
    return svg(34, ", ".join(f"{name} {count}" for name, count, _ in parts), drawn)


@dataclass(frozen=True, slots=True)
class Bar:
    """A share with how sure it is.

    Attributes:
        name: what it is of.
        kind: the class of its colour.
        share: in [0, 1].
        interval: its bounds.
        other: a second share of the same, drawn as a mark; None for none.
    """

    name: str
    kind: str
    share: float
    interval: tuple[float, float]
    other: float | None = None


@dataclass(frozen=True, slots=True)
class Panel:
    """Some bars under a title.

    Attributes:
        title: of what.
        note: how many tasks, and what is special.
        bars: from the top.
    """

    title: str
    note: str
    bars: Sequence[Bar]


def panels(shown: Sequence[Panel]) -> str:
    """Three panels a row, all to one scale from 0 to 100 %."""
    most = max((len(panel.bars) for panel in shown), default=0)
    high = _HEAD + most * (_BAR + _GAP) + _FOOT
    wide = (WIDTH - (_COLUMNS - 1) * _PANEL_GAP) / _COLUMNS
    drawn = []
    for index, panel in enumerate(shown):
        row, column = divmod(index, _COLUMNS)
        place = f"translate({column * (wide + _PANEL_GAP):.1f} {row * high:.1f})"
        drawn.append(f'<g transform="{place}">{_panel(panel, wide)}</g>')
    rows = -(-len(shown) // _COLUMNS)
    return svg(rows * high, "; ".join(map(_said, shown)), drawn)


def _said(panel: Panel) -> str:
    shares = ", ".join(f"{each.name} {each.share:.1%}" for each in panel.bars)
    return f"{panel.title}: {shares or panel.note}"


def _panel(panel: Panel, wide: float) -> str:
    parts = [text(0, 15, panel.title, "head"), text(0, 31, panel.note, "small")]
    reach = wide - _LABEL - _VALUE
    floor = _HEAD + len(panel.bars) * (_BAR + _GAP)
    for share in (0.0, 0.5, 1.0) if panel.bars else ():
        x = _LABEL + share * reach
        parts.append(
            f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_HEAD - 4}" y2="{floor:.1f}"/>'
        )
        parts.append(text(x, floor + 11, f"{share:.0%}", "small middle"))
    for index, each in enumerate(panel.bars):
        parts.append(_bar(each, _HEAD + index * (_BAR + _GAP), reach))
    return "".join(parts)


def _bar(each: Bar, y: float, reach: float) -> str:
    low, high = (_LABEL + bound * reach for bound in each.interval)
    middle, end = y + _BAR / 2, _LABEL + each.share * reach
    mark = ""
    if each.other is not None:
        x = _LABEL + each.other * reach
        mark = (
            f'<path class="mark" d="M{x:.1f} {y - 1:.1f}v{_BAR + 2}"/>'
            f'<circle class="mark" cx="{x:.1f}" cy="{middle:.1f}" r="3"/>'
        )
    said = f"{each.name} {each.share:.1%} ({each.interval[0]:.0%} to {each.interval[1]:.0%})"
    return (
        f"<g><title>{escape(said)}</title>"
        + text(_LABEL - 8, middle + 4, each.name, "small end")
        + f'<rect class="part {each.kind}" x="{_LABEL}" y="{y:.1f}" width="{end - _LABEL:.1f}"'
        f' height="{_BAR}" rx="2"/>'
        f'<path class="whisker" d="M{low:.1f} {middle:.1f}H{high:.1f}M{low:.1f} {middle - 3:.1f}v6'
        f'M{high:.1f} {middle - 3:.1f}v6"/>{mark}'
        + text(_LABEL + reach + _VALUE, middle + 4, f"{100 * each.share:.1f}", "value end")
        + "</g>"
    )

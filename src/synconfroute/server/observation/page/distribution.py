"""How long answers took: a small histogram for each that they were waited for."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import log10

from synconfroute.server.completion.counts import BOUNDS_MS
from synconfroute.server.completion.summary import Waits
from synconfroute.server.observation.page import marks
from synconfroute.server.observation.words import milliseconds, percent_of

NAMES = {"local": "Local model", "org": "Organisation", "memory": "From memory"}

_WIDTH, _LEFT, _RIGHT = 900, 118, 96
_TOP, _ROW, _GAP, _FOOT = 16, 62, 22, 24
_LEAST = 0.5
"""Where the axis begins, in ms; what took less stands there, too."""
_TICKS = (1, 10, 100, 1_000, 10_000)

Scale = Callable[[float], float]
"""Where a wait in ms stands, in the drawing."""
Cells = Sequence[tuple[int, int]]
"""Of some of `BOUNDS_MS`, how many waits were above the bound before and at most this."""


def distribution(waits: Mapping[str, Waits], counts: Mapping[str, Cells]) -> str:
    """The drawing with its numbers; "" without any answer."""
    shown = [name for name in NAMES if waits[name].count]
    if not shown:
        return ""
    rows = [
        marks.row(
            NAMES[name],
            [
                f"{waits[name].count:,}",
                milliseconds(waits[name].p50),
                milliseconds(waits[name].p95),
            ],
        )
        for name in shown
    ]
    summary = marks.table(
        "Answers with a text by what was waited for", ("waited for", "answers", "p50", "p95"), rows
    )
    label = "How long answers took, by what was waited for"
    return marks.figure(label, _drawn(shown, waits, counts), summary + _steps(shown, counts))


def _steps(shown: Sequence[str], counts: Mapping[str, Cells]) -> str:
    """Every step that has an answer."""
    by_bound = {name: dict(counts[name]) for name in shown}
    used = [bound for bound in BOUNDS_MS if any(bound in each for each in by_bound.values())]
    rows = [
        marks.row(f"to {bound:,} ms", [f"{by_bound[name].get(bound, 0):,}" for name in shown])
        for bound in used
    ]
    heads = ("took", *(NAMES[name] for name in shown))
    return marks.table("Answers in each step of time", heads, rows)


def _drawn(shown: Sequence[str], waits: Mapping[str, Waits], counts: Mapping[str, Cells]) -> str:
    last = max(bound for name in shown for bound, _ in counts[name])
    scale = (_WIDTH - _LEFT - _RIGHT) / log10(max(last, 10_000) / _LEAST)

    def x(ms: float) -> float:
        return _LEFT + log10(max(ms, _LEAST) / _LEAST) * scale

    height = _TOP + len(shown) * (_ROW + _GAP) - _GAP
    parts = [f'<svg viewBox="0 0 {_WIDTH} {height + _FOOT}">']
    for tick in _TICKS:
        name = f"{tick} ms" if tick < 1_000 else f"{tick // 1_000} s"
        parts.append(
            f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="{_TOP - 8}"'
            f' y2="{height}"/><text class="middle" x="{x(tick):.1f}" y="{height + 17}">'
            f"{name}</text>"
        )
    for place, name in enumerate(shown):
        floor = _TOP + place * (_ROW + _GAP) + _ROW
        parts += _row(name, waits[name], counts[name], floor, x)
    return "".join(parts) + "</svg>"


def _row(name: str, waits: Waits, cells: Cells, floor: float, x: Scale) -> list[str]:
    """Bars whose area is the share of answers: steps are not equally wide."""
    edges = {bound: before for before, bound in zip((_LEAST, *BOUNDS_MS), BOUNDS_MS, strict=False)}
    dense = {bound: count / (x(bound) - x(edges[bound]) or 1) for bound, count in cells}
    widest = max(dense.values())
    parts = [
        f'<text class="ink" x="0" y="{floor - 12}">{NAMES[name]}</text>'
        f'<text x="0" y="{floor + 3}">{waits.count:,} answers</text>'
        f'<line class="zero" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{floor}" y2="{floor}"/>'
    ]
    for bound, count in cells:
        left, right = x(edges[bound]), x(bound)
        tall = dense[bound] / widest * _ROW
        said = escape(
            f"{edges[bound] if edges[bound] >= 1 else 0:,} to {bound:,} ms: {count:,}"
            f" ({percent_of(count, waits.count)})"
        )
        parts.append(
            f'<rect class="{name}" x="{left + 0.5:.1f}" y="{floor - tall:.1f}"'
            f' width="{max(right - left - 1, 1):.1f}" height="{tall:.1f}">'
            f"<title>{said}</title></rect>"
        )
    parts += [
        f'<line class="mark" x1="{x(ms):.1f}" x2="{x(ms):.1f}" y1="{floor - _ROW - 3}"'
        f' y2="{floor}"/>'
        for ms in (waits.p50, waits.p95)
        if ms is not None
    ]
    parts.append(
        f'<text class="end" x="{_WIDTH}" y="{floor - 12}">p50 {milliseconds(waits.p50)}</text>'
        f'<text class="end" x="{_WIDTH}" y="{floor + 3}">p95 {milliseconds(waits.p95)}</text>'
    )
    return parts

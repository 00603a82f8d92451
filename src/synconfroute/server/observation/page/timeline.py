"""The share kept local over time, with how many requests it is of."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape

from synconfroute.server.completion.intervals import Interval, wilson
from synconfroute.server.completion.summary import Row
from synconfroute.server.observation.page import marks
from synconfroute.server.observation.words import percent, span

MOST_PLACES = 62
"""Beyond so many days, weeks are drawn."""

_WIDTH, _LEFT, _RIGHT = 900, 46, 10
_TOP, _SHARES, _GAP, _COUNTS, _FOOT = 12, 150, 22, 48, 26


@dataclass(frozen=True, slots=True)
class Stretch:
    """A day, or a week from Monday on.

    Attributes:
        first: its first day.
        requests: how many.
        kept: of these, those of which nothing was sent away.
    """

    first: date
    requests: int
    kept: int

    @property
    def share(self) -> float:
        """Kept of all, from 0 to 1."""
        return round(max(0, self.kept) / self.requests, 4)

    @property
    def interval(self) -> Interval:
        """Its 95 % interval."""
        return wilson(self.kept, self.requests) or (0.0, 1.0)


def stretches(days: Sequence[Row]) -> tuple[list[Stretch], int]:
    """The days with requests, or weeks where there are many; and how many days each has."""
    counted = [(date.fromisoformat(day.name), day.requests, day.sent) for day in days]
    counted = [each for each in counted if each[1]]
    if not counted:
        return [], 1
    length = 1 if (counted[-1][0] - counted[0][0]).days < MOST_PLACES else 7
    together: dict[date, list[int]] = {}
    for day, requests, sent in counted:
        first = day if length == 1 else day - timedelta(days=day.weekday())
        sums = together.setdefault(first, [0, 0])
        sums[0] += requests
        sums[1] += requests - sent
    return [Stretch(first, *sums) for first, sums in sorted(together.items())], length


def timeline(days: Sequence[Row]) -> str:
    """The drawing with its numbers; "" without any request."""
    found, length = stretches(days)
    if not found:
        return ""
    unit = "Day" if length == 1 else "Week from"
    rows = [
        marks.row(
            each.first.isoformat(),
            [
                f"{each.requests:,}",
                f"{each.requests - each.kept:,}",
                percent(each.share),
                marks.span(each.interval),
            ],
        )
        for each in found
    ]
    heads = (unit, "requests", "sent", "kept local", "95 %")
    label = f"Share kept local by {unit.split(maxsplit=1)[0].lower()}, from {found[0].first} on"
    return marks.figure(label, _drawn(found, length), marks.table(label, heads, rows))


def _drawn(found: Sequence[Stretch], length: int) -> str:
    first = found[0].first
    places = (found[-1].first - first).days // length + 1
    step = (_WIDTH - _LEFT - _RIGHT) / max(places, 7)
    most = max(each.requests for each in found)
    floor = _TOP + _SHARES
    bottom = floor + _GAP + _COUNTS

    def x(day: date) -> float:
        return _LEFT + ((day - first).days // length + 0.5) * step

    def y(share: float) -> float:
        return floor - share * _SHARES

    parts = [f'<svg viewBox="0 0 {_WIDTH} {bottom + _FOOT}">']
    parts += [
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y(share):.1f}"'
        f' y2="{y(share):.1f}"/><text class="end" x="{_LEFT - 8}" y="{y(share) + 4:.1f}">'
        f"{share:.0%}</text>"
        for share in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    line = " ".join(f"{x(each.first):.1f},{y(each.share):.1f}" for each in found)
    parts.append(f'<polyline class="line" points="{line}"/>')
    bar = min(step * 0.62, 26)
    for each in found:
        low, high = each.interval
        middle, height = x(each.first), each.requests / most * _COUNTS
        said = escape(
            f"{each.first}: {percent(each.share)} of {each.requests:,} ({span(each.interval)})"
        )
        parts.append(
            f"<g><title>{said}</title>"
            f'<line class="range" x1="{middle:.1f}" x2="{middle:.1f}" y1="{y(low):.1f}"'
            f' y2="{y(high):.1f}"/>'
            f'<circle class="local" cx="{middle:.1f}" cy="{y(each.share):.1f}" r="3.6"/>'
            f'<rect class="memory" x="{middle - bar / 2:.1f}" y="{bottom - height:.1f}"'
            f' width="{bar:.1f}" height="{height:.1f}" rx="1.5"/></g>'
        )
    parts.append(
        f'<line class="zero" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{bottom}" y2="{bottom}"/>'
        f'<text class="end" x="{_LEFT - 8}" y="{bottom - _COUNTS + 9}">{most:,}</text>'
        f'<text class="end" x="{_LEFT - 8}" y="{bottom - 1}">0</text>'
        f'<text x="{_LEFT}" y="{floor + _GAP - 5}">requests</text>'
    )
    every = max(1, round(places / 9))
    for place in range(0, places, every):
        day = first + timedelta(days=place * length)
        parts.append(
            f'<text class="middle" x="{x(day):.1f}" y="{bottom + 18}">{day.day} {day:%b}</text>'
        )
    return "".join(parts) + "</svg>"

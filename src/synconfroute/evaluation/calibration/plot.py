"""A curve as text, for the terminal: plain ASCII, within 80 columns."""

from collections.abc import Sequence

from synconfroute.evaluation.calibration.curve import Point

WIDTH = 80
_LEFT = 9
"""Columns of the axis on the left: a figure, a blank and a line."""
_HEIGHT = 12
_EVERY = 20
"""Steps of the grid between two labels below."""


def plot(points: Sequence[Point], chosen: Point) -> str:
    """Draw pass@1, or precision where no larger model was asked, over the threshold.

    Below it stands the share that is kept locally. The chosen point is an O on its column.

    Args:
        points: of the whole grid, in its order.
        chosen: one of them.
    """
    what = "precision" if chosen.escalated_right is None else "pass@1"
    heights = [point.precision if what == "precision" else point.pass_at_1 for point in points]
    known = [height for height in heights if height is not None]
    low, high = min(known), max(known)
    columns = WIDTH - _LEFT - 2
    rows = [[" "] * columns for _ in range(_HEIGHT)]
    for point, height in zip(points, heights, strict=True):
        if height is not None:
            rows[_row(height, low, high)][_column(point.threshold, columns)] = "*"
    column = _column(chosen.threshold, columns)
    for row in rows:
        row[column] = ":" if row[column] == " " else "O"
    axis = "+" + "-" * columns
    lines = [f"{what}, %", *(_line(index, row, low, high) for index, row in enumerate(rows))]
    lines.append(" " * (_LEFT - 2) + axis)
    lines.append(_labels("t", [(each, f"{each.threshold:.1f}") for each in points[::_EVERY]]))
    lines.append(
        _labels("local %", [(each, f"{100 * each.local_share:.0f}") for each in points[::_EVERY]])
    )
    return "\n".join(line.rstrip() for line in lines)


def _row(height: float, low: float, high: float) -> int:
    """Counted from the top."""
    return round((high - height) / (high - low) * (_HEIGHT - 1)) if high > low else _HEIGHT // 2


def _column(threshold: float, columns: int) -> int:
    return min(columns - 1, round(threshold * (columns - 1)))


def _line(index: int, row: list[str], low: float, high: float) -> str:
    value = high - (high - low) * index / (_HEIGHT - 1)
    label = f"{100 * value:5.1f}" if index % 3 == 0 or index == _HEIGHT - 1 else ""
    return f"{label:>{_LEFT - 3}} |" + "".join(row)


def _labels(name: str, labels: Sequence[tuple[Point, str]]) -> str:
    columns = WIDTH - _LEFT - 2
    line = list(f"{name:<{_LEFT - 1}}" + " " * (columns + 3))
    for point, label in labels:
        start = _LEFT - 1 + _column(point.threshold, columns) - (len(label) - 1) // 2
        start = min(start, WIDTH - len(label))
        line[start : start + len(label)] = label
    return "".join(line)

"""Logarithmic axes: times here span from microseconds to seconds."""

import math
from collections.abc import Sequence

from synconfroute.evaluation.report.drawing.canvas import Ticks

_STEPS = (1, 2, 5)
_FEW_DECADES = 2.5
_LEAST, _MOST = -9, 13
"""Exponents: from a billionth to a trillion."""

_SLACK = 1e-9


def span(values: Sequence[float]) -> tuple[float, float]:
    """Around all that is above zero, as exponents of ten, from one step of 1, 2, 5 to another.

    (0, 1) for nothing.
    """
    positive = [value for value in values if value > 0]
    if not positive:
        return 0.0, 1.0
    low = max(step for step in _steps() if step <= min(positive))
    high = min(step for step in _steps() if step >= max(positive) and step > low)
    return math.log10(low), math.log10(high)


def ticks(bounds: tuple[float, float]) -> Ticks:
    """Where the axis is written at: powers of ten, and 2 and 5 of them where there are few."""
    low, high = bounds
    return _within(bounds, _steps()) if high - low <= _FEW_DECADES else decades(bounds)


def decades(bounds: tuple[float, float]) -> Ticks:
    """The powers of ten alone."""
    return _within(bounds, _powers())


def place(value: float, bounds: tuple[float, float]) -> float:
    """Where a value stands on the axis: its exponent, the least one for zero."""
    return max(math.log10(value), bounds[0]) if value > 0 else bounds[0]


def _within(bounds: tuple[float, float], steps: Sequence[float]) -> Ticks:
    low, high = bounds
    return [
        (math.log10(step), _said(step))
        for step in steps
        if low - _SLACK <= math.log10(step) <= high + _SLACK
    ]


def _steps() -> list[float]:
    return [step * power for power in _powers() for step in _STEPS]


def _powers() -> list[float]:
    return [10.0**power for power in range(_LEAST, _MOST)]


def _said(step: float) -> str:
    return f"{step:,.0f}" if step >= 1 else f"{step:g}"

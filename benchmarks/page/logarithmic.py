"""Logarithmic axes: times here span from microseconds to seconds."""

import math
from collections.abc import Sequence

from synconfroute.evaluation.report.drawing.canvas import Ticks


def span(values: Sequence[float]) -> tuple[float, float]:
    """Whole powers of ten, as exponents, around all that is above zero; (0, 1) for nothing."""
    logs = [math.log10(value) for value in values if value > 0]
    if not logs:
        return 0.0, 1.0
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    return float(low), float(max(high, low + 1))


def ticks(bounds: tuple[float, float]) -> Ticks:
    """The powers of ten between the exponents."""
    low, high = (int(bound) for bound in bounds)
    return [(float(power), _said(power)) for power in range(low, high + 1)]


def place(value: float, bounds: tuple[float, float]) -> float:
    """Where a value stands on the axis: its exponent, the least one for zero."""
    return max(math.log10(value), bounds[0]) if value > 0 else bounds[0]


def _said(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"

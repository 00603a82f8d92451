"""Measured numbers in short."""

from collections.abc import Sequence

from synconfroute.evaluation.latency.document import Spread
from synconfroute.evaluation.routing.statistics import median_by_group

_DIGITS = 4
"""Of a second: a tenth of a millisecond."""


def spread(values: Sequence[float], groups: Sequence[str]) -> Spread:
    """The middle of some numbers, at least one, with its interval, and what nine of ten reach.

    Args:
        values: one a task.
        groups: the function of each.
    """
    import numpy as np

    low, high = median_by_group(values, groups)
    middle, p90 = np.percentile(values, [50, 90])
    return Spread(rounded(middle), rounded(p90), (rounded(low), rounded(high)))


def rounded(value: float) -> float:
    """To a tenth of a thousandth."""
    return round(float(value), _DIGITS)

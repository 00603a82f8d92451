"""How sure a share is that was counted."""

from math import sqrt
from statistics import NormalDist

NORMAL_95 = NormalDist().inv_cdf(0.975)
"""The standard normal distribution has 95 % within so many standard deviations."""

Interval = tuple[float, float]
"""From, to."""


def wilson(part: int, whole: int) -> Interval | None:
    """The 95 % score interval of a share (Wilson 1927); None of nothing.

    It holds for events that do not depend on each other. Completions of one sitting are alike, so
    it is narrower than it would be for the share of another week.

    Args:
        part: how many of them did.
        whole: of how many; a `part` beyond it counts as all.
    """
    if whole <= 0:
        return None
    share, squared = min(1.0, max(0.0, part / whole)), NORMAL_95**2
    middle = share + squared / (2 * whole)
    reach = NORMAL_95 * sqrt(share * (1 - share) / whole + squared / (4 * whole**2))
    scale = 1 + squared / whole
    low, high = (middle - reach) / scale, (middle + reach) / scale
    return round(max(0.0, min(low, share)), 4), round(min(1.0, max(high, share)), 4)


def student(degrees: float, share: float = 0.975) -> float:
    """The quantile of Student's t distribution, by its Cornish-Fisher expansion.

    At 0.975 within 0.2 % from 3 degrees of freedom on (Abramowitz and Stegun, 26.7.5).

    Args:
        degrees: of freedom, at least 3.
        share: so much of the distribution lies below, in (0, 1).
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, 1))

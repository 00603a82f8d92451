"""Estimates from sessions: whole sessions are drawn, so whole sessions carry the uncertainty.

A share is a ratio of two sums over sessions (accepted, shown). Its variance is the jackknife's: how
much the ratio moves as each session is left out. Few long sessions among many short ones make it
larger, as they should.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist

from synconfroute.server.completion.intervals import NORMAL_95, Interval, student

FEWEST = 5
"""Of fewer sessions in an arm no interval is given."""
POWER = 0.8
"""How likely a difference is to be seen by the number of sessions that `needed` says."""

_ALPHA = 0.05

Pair = tuple[float, float]
"""Part and whole, of one session."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A ratio, of at least two sessions.

    Attributes:
        value: the ratio.
        variance: of the ratio, as an estimate.
        sessions: how many sessions it is of: those whose whole is not nothing.
    """

    value: float
    variance: float
    sessions: int

    @property
    def sure(self) -> bool:
        """There are enough sessions, and they are not all the same, as where nothing happened."""
        return self.sessions >= FEWEST and self.variance > 0


def ratio(pairs: Sequence[Pair]) -> Estimate | None:
    """The sum of parts over the sum of wholes, with its variance; None of fewer than two."""
    counted = [(part, whole) for part, whole in pairs if whole > 0]
    count, all_of = len(counted), sum(whole for _, whole in counted)
    if count < 2:
        return None
    parts = sum(part for part, _ in counted)
    value = parts / all_of
    moved = sum(((parts - part) / (all_of - whole) - value) ** 2 for part, whole in counted)
    return Estimate(value, (count - 1) / count * moved, count)


def difference_ci95(first: Estimate, second: Estimate) -> Interval | None:
    """The 95 % interval of `second` less `first`, by Welch's t.

    It holds if it is looked at once, at a number of sessions that was fixed before.
    """
    if not (first.sure and second.sure):
        return None
    reach = student(_degrees(first, second)) * sqrt(first.variance + second.variance)
    return _about(second.value - first.value, reach)


def difference_always(first: Estimate, second: Estimate, planned: int) -> Interval | None:
    """An interval that holds the true difference at all numbers of sessions at once, in 95 %.

    However often one looks, and whenever one stops. An asymptotic confidence sequence
    (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and
    asymptotic confidence sequences", 2021-2024, theorem 2.2), tightest at the planned number of
    sessions and widened for few sessions as Student's t is.

    Args:
        first: one arm.
        second: the other.
        planned: so many sessions, over both arms.
    """
    if not (first.sure and second.sure):
        return None
    tuned = (-2 * log(_ALPHA) + log(-2 * log(_ALPHA) + 1)) / planned
    spread = (first.sessions + second.sessions) * tuned
    wide = sqrt(2 * (spread + 1) / spread * log(sqrt(spread + 1) / _ALPHA))
    few = student(_degrees(first, second)) / NORMAL_95
    reach = wide * few * sqrt(first.variance + second.variance)
    return _about(second.value - first.value, reach)


def needed(first: Estimate, second: Estimate, difference: float) -> int | None:
    """So many sessions, over both arms, show such a difference with a chance of 80 %.

    If sessions go on to vary as they did so far. None where too few are known to say.

    Args:
        first: one arm.
        second: the other.
        difference: of the two, above 0.
    """
    if not (first.sure and second.sure):
        return None
    spread = first.variance * first.sessions + second.variance * second.sessions
    wanted = (NORMAL_95 + NormalDist().inv_cdf(POWER)) ** 2 * spread / difference**2
    return 2 * int(wanted + 1)


def _degrees(first: Estimate, second: Estimate) -> float:
    """Welch and Satterthwaite's degrees of freedom, at least 3."""
    top = (first.variance + second.variance) ** 2
    parts = (each.variance**2 / (each.sessions - 1) for each in (first, second))
    return max(3.0, top / sum(parts))


def _about(value: float, reach: float) -> Interval:
    return round(value - reach, 4), round(value + reach, 4)

"""Intervals of differences between two rules, held by simulation: sessions are the unit."""

import random
from collections.abc import Callable, Sequence
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.intervals import Interval
from synconfroute.server.observation.comparison.clusters import (
    Estimate,
    Pair,
    difference_always,
    difference_ci95,
    needed,
    ratio,
)

TRIALS = 500


def drawn(chance: random.Random, count: int, taste: float) -> list[Pair]:
    """Sessions as they are: few are long, and each has an acceptance of its own about `taste`."""
    pairs = []
    for _ in range(count):
        shown = 1 + int(chance.expovariate(1 / 25))
        own = chance.betavariate(8 * taste, 8 * (1 - taste))
        pairs.append((float(sum(chance.random() < own for _ in range(shown))), float(shown)))
    return pairs


def true_difference(first: float, second: float) -> float:
    """Long sessions are not better ones here, so the ratio of sums is about the taste."""
    return second - first


def coverage(interval: Callable[[Estimate, Estimate], Interval | None], sessions: int) -> float:
    """How often the interval of a difference of 5 points holds it."""
    chance, held = random.Random(20), 0
    for _ in range(TRIALS):
        first, second = ratio(drawn(chance, sessions, 0.30)), ratio(drawn(chance, sessions, 0.35))
        assert first is not None
        assert second is not None
        found = interval(first, second)
        assert found is not None
        held += found[0] <= true_difference(0.30, 0.35) <= found[1]
    return held / TRIALS


@pytest.mark.parametrize("sessions", [15, 40])
def test_the_interval_holds_the_difference_in_95_percent(sessions: int) -> None:
    """At a fixed number of sessions in each arm, few or more."""
    assert 0.92 <= coverage(difference_ci95, sessions) <= 0.98


def test_an_interval_of_single_completions_would_not() -> None:
    """Taken as independent, completions of one session promise more than they hold."""

    def naive(first: Estimate, second: Estimate) -> Interval:
        reach = 1.96 * sqrt(sum(p * (1 - p) / (40 * 25) for p in (first.value, second.value)))
        middle = second.value - first.value
        return middle - reach, middle + reach

    assert coverage(naive, 40) < 0.88


def looked_at(chance: random.Random, planned: int) -> tuple[bool, bool]:
    """Whether each kind of interval held at every look, of one every ten sessions."""
    arms: tuple[list[Pair], list[Pair]] = ([], [])
    once, always = True, True
    for _ in range(planned // 10):
        for arm in arms:
            arm.extend(drawn(chance, 5, 0.3))
        first, second = ratio(arms[0]), ratio(arms[1])
        assert first is not None
        assert second is not None
        plain, wide = difference_ci95(first, second), difference_always(first, second, planned)
        if plain is not None and wide is not None:
            once = once and plain[0] <= 0 <= plain[1]
            always = always and wide[0] <= 0 <= wide[1]
    return once, always


def test_looking_often_fools_the_one_and_not_the_other() -> None:
    """Two rules alike, twenty looks: the plain interval errs in far more than 5 %."""
    chance = random.Random(4)
    trials = [looked_at(chance, 200) for _ in range(300)]
    assert sum(not once for once, _ in trials) / 300 > 0.12
    assert sum(not always for _, always in trials) / 300 <= 0.05


def test_the_number_of_sessions_needed_is_enough() -> None:
    """With so many, a true difference is seen in about 80 %."""
    chance = random.Random(6)
    first, second = ratio(drawn(chance, 2_000, 0.30)), ratio(drawn(chance, 2_000, 0.40))
    assert first is not None
    assert second is not None
    enough = needed(first, second, 0.10)
    assert enough is not None
    seen = 0
    for _ in range(TRIALS):
        pair = ratio(drawn(chance, enough // 2, 0.30)), ratio(drawn(chance, enough // 2, 0.40))
        assert pair[0] is not None
        assert pair[1] is not None
        interval = difference_ci95(*pair)  # type: ignore[arg-type]
        assert interval is not None
        seen += interval[0] > 0
    assert 0.74 <= seen / TRIALS <= 0.86


def test_a_ratio_by_hand() -> None:
    """Three sessions: 1 of 2, 1 of 4, 4 of 6."""
    found = ratio([(1, 2), (1, 4), (4, 6), (0, 0)])
    assert found is not None
    assert (found.value, found.sessions) == (0.5, 3)
    # Left out in turn: 5 of 10, 5 of 8, 2 of 6.
    assert found.variance == pytest.approx(2 / 3 * (0 + (1 / 8) ** 2 + (1 / 6) ** 2))


def test_the_always_valid_interval_by_hand() -> None:
    """At the planned number it is sqrt(2·8.94/7.94·ln(sqrt(8.94)/0.05)) deviations wide."""
    one, other = Estimate(0.3, 1e-4, 500), Estimate(0.3, 1e-4, 500)
    interval = difference_always(one, other, 1000)
    assert interval is not None
    spread = -2 * log(0.05) + log(-2 * log(0.05) + 1)
    wide = sqrt(2 * (spread + 1) / spread * log(sqrt(spread + 1) / 0.05))
    assert interval[1] == pytest.approx(wide * sqrt(2e-4), rel=0.01)
    assert wide == pytest.approx(3.03, abs=0.01)


SESSIONS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), max_size=12)


@given(SESSIONS, SESSIONS)
def test_too_little_says_nothing(
    first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]
) -> None:
    """Whatever was counted: an interval only of five sessions an arm that are not all alike."""
    one, other = ratio(first), ratio(second)
    if one is None or other is None:
        assert min(sum(whole > 0 for _, whole in each) for each in (first, second)) < 2
        return
    interval, always = difference_ci95(one, other), difference_always(one, other, 100)
    sure = one.sure and other.sure
    assert (interval is not None) == (always is not None) == sure
    assert (needed(one, other, 0.05) is not None) == sure
    if interval is not None and always is not None:
        assert always[0] <= interval[0] <= interval[1] <= always[1]

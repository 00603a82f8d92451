"""What sessions of two rules come to, in numbers and in words."""

import random
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.counts import Wait, cell
from synconfroute.server.observation.comparison import words
from synconfroute.server.observation.comparison.result import (
    ACCEPTANCE,
    KEPT_LOCAL,
    STILL_THERE,
    WAIT,
    Comparison,
    Measure,
    compared,
)
from synconfroute.server.observation.comparison.sessions import NAMES, Session

DAY = date(2026, 11, 30)
ARMS = ("paper", "score")


def session(number: int, arm: str, planned: int = 12, **numbers: int) -> Session:
    """One session; its numbers by name, waits as `ms_150`."""
    named = {name.replace("ms_", "model_ms "): count for name, count in numbers.items()}
    day = DAY + timedelta(days=number)
    return Session(f"{number:016x}", ("score", "paper"), arm, planned, day, named)


def six_each(planned: int = 12) -> list[Session]:
    """Six sessions a rule, in which `score` is accepted, kept local and waited for less."""
    paper = [
        session(n, "paper", planned, asked=12, sent=3, shown=10, accepted=5 + n % 2, kept=4, gone=1,
                ms_200=8, ms_300=2)
        for n in range(6)
    ]  # fmt: skip
    score = [
        session(10 + n, "score", planned, asked=12, sent=1 + n % 2, shown=10, accepted=1 + n % 2,
                kept=1, ms_150=9, ms_200=1)
        for n in range(6)
    ]  # fmt: skip
    return paper + score


def one(found: tuple[Comparison, ...]) -> Comparison:
    """The only comparison."""
    assert len(found) == 1
    return found[0]


def test_sums_and_shares_of_both_rules() -> None:
    """The second's less the first's, in the order of their names."""
    found = one(compared(six_each()))
    sums = [
        (arm.name, arm.sessions, arm.requests, arm.shown, arm.accepted, arm.waits)
        for arm in found.arms
    ]
    assert sums == [("paper", 6, 72, 60, 33, 60), ("score", 6, 72, 60, 9, 60)]
    by_name = {each.name: each for each in found.measures}
    assert (by_name[ACCEPTANCE].first, by_name[ACCEPTANCE].second) == (0.55, 0.15)
    assert by_name[ACCEPTANCE].difference == -0.4
    assert (by_name[KEPT_LOCAL].first, by_name[KEPT_LOCAL].second) == (0.75, 0.875)
    assert (by_name[STILL_THERE].first, by_name[STILL_THERE].second) == (0.8, 1.0)
    assert (by_name[WAIT].first, by_name[WAIT].second) == (181.2, 127.8)
    acceptance = by_name[ACCEPTANCE]
    assert acceptance.ci95 is not None
    assert acceptance.always95 is not None
    assert acceptance.always95[0] < acceptance.ci95[0] < -0.4 < acceptance.ci95[1] < 0
    assert by_name[STILL_THERE].ci95 is None  # all sessions alike: nothing to judge it by
    assert (
        words.outcome(found) == "Completions by paper are accepted more often than those by score."
    )


def test_before_the_plan_is_fulfilled_only_the_wide_interval_counts() -> None:
    """One look more, and it is the other."""
    early = one(compared(six_each(planned=400)))
    assert (early.sessions, early.planned, early.reached) == (12, 400, False)
    assert early.counts == early.measures[0].always95
    assert "12 of 400 planned sessions" in words.standing(early)
    assert "however often one looks" in words.standing(early)
    done = one(compared(six_each(planned=12)))
    assert done.reached
    assert done.counts == done.measures[0].ci95


def test_of_few_sessions_nothing_is_said() -> None:
    """Nor of none."""
    assert compared([]) == ()
    found = one(compared(six_each()[:4]))
    assert (found.needed, found.counts) == (None, None)
    assert words.outcome(found) == "There are too few sessions to say anything of acceptance."
    assert "not known" in words.still_needed(found)


def test_no_difference_is_not_called_one() -> None:
    """Both rules alike."""
    alike = [
        session(n, ARMS[n % 2], asked=10, shown=10, accepted=3 + n // 2 % 3) for n in range(12)
    ]
    found = one(compared(alike))
    assert words.outcome(found).startswith("No difference in acceptance is shown")


def test_the_smaller_the_difference_the_more_sessions() -> None:
    """Four times as many for half of it, about."""
    large, small = (one(compared(six_each(), difference=each)).needed for each in (0.1, 0.05))
    assert large is not None
    assert small is not None
    assert small == pytest.approx(4 * large, abs=8)


def test_a_session_counts_once_and_one_without_a_number_not_at_all() -> None:
    """The longer of two with one id, as of an export made in the middle of it."""
    sessions = [*six_each(), session(0, "paper", asked=1, shown=1), session(99, "score")]
    assert one(compared(sessions)) == one(compared(six_each()))


NUMBERS = st.dictionaries(st.sampled_from(sorted(NAMES)), st.integers(1, 10_000))


@given(st.lists(st.tuples(st.sampled_from(ARMS), NUMBERS), max_size=14))
def test_whatever_was_counted_something_true_is_said(
    drawn: list[tuple[str, dict[str, int]]],
) -> None:
    """No fault, no number out of range, and a sentence of each kind."""
    sessions = [
        Session(f"{place:016x}", ("score", "paper"), arm, 10, DAY, numbers)
        for place, (arm, numbers) in enumerate(drawn)
    ]
    for found in compared(sessions):
        assert found.sessions == sum(bool(numbers) for _, numbers in drawn)
        for sentence in (words.outcome(found), words.standing(found), words.still_needed(found)):
            assert sentence.endswith(".")
        for measure in found.measures:
            assert words.interval(measure, measure.ci95)
            if measure.ci95 is not None and measure.always95 is not None:
                assert measure.always95[0] <= measure.ci95[0] <= measure.ci95[1]


def waited(chance: random.Random, number: int, arm: str, ms: float) -> Session:
    """A session with a pace of its own, whose waits are about so long."""
    pace = chance.lognormvariate(0, 0.35)
    numbers: dict[str, int] = {}
    for _ in range(1 + int(chance.expovariate(1 / 25))):
        name = cell(Wait.MODEL, ms * pace * chance.lognormvariate(0, 0.4))
        numbers[name] = numbers.get(name, 0) + 1
    return Session(f"{number:016x}", ("score", "paper"), arm, 40, DAY, numbers)


def medians(chance: random.Random, sessions: int) -> Measure:
    """Of waits of about 220 ms in one arm, and 180 ms in the other."""
    held = [waited(chance, n, "paper", 220) for n in range(sessions)]
    held += [waited(chance, sessions + n, "score", 180) for n in range(sessions)]
    return next(each for each in one(compared(held)).measures if each.name == WAIT)


def test_the_interval_of_a_median_holds_it_in_95_percent() -> None:
    """By simulation, of twenty sessions a rule; the true difference is that of 4,000."""
    chance = random.Random(1)
    true, held = medians(chance, 4_000).difference, 0
    assert true is not None
    assert true == pytest.approx(-42, abs=4)
    for _ in range(200):
        interval = medians(chance, 20).ci95
        assert interval is not None
        held += interval[0] <= true <= interval[1]
    assert 0.92 <= held / 200 <= 0.99

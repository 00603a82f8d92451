"""The wait before an automatic request, by a clock of the test's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.debounce import Debounce


class Typist:
    """Types at a rate, with a model that takes so long to begin."""

    def __init__(self, most: float = 1.0) -> None:
        self.now = 100.0
        self.debounce = Debounce(most, lambda: self.now)

    def types(self, gap: float, keys: int = 10) -> None:
        """So many keys, so many seconds apart."""
        for _ in range(keys):
            self.now += gap
            self.debounce.typed()

    def answers(self, seconds: float) -> None:
        """The model has begun to answer a few times."""
        for _ in range(4):
            self.debounce.answered(seconds)


@pytest.fixture
def typist() -> Typist:
    """Nothing is known yet."""
    return Typist()


def test_nothing_is_waited_for_before_anything_is_known(typist: Typist) -> None:
    """The first requests go at once."""
    assert typist.debounce.wait() == 0
    typist.types(0.1)
    assert typist.debounce.wait() == 0
    other = Typist()
    other.answers(1.0)
    assert other.debounce.wait() == 0


def test_a_model_that_begins_between_two_keys_is_asked_at_each(typist: Typist) -> None:
    """There is nothing to win by a wait."""
    typist.types(0.2)
    typist.answers(0.24)
    assert typist.debounce.wait() == 0


def test_a_slower_model_waits_longer(typist: Typist) -> None:
    """Up to two gaps between keys."""
    typist.types(0.1)
    waits = []
    for seconds in (0.15, 0.3, 1.0, 10.0):
        other = Typist()
        other.types(0.1)
        other.answers(seconds)
        waits.append(other.debounce.wait())
    assert waits == sorted(waits)
    assert waits == pytest.approx([0.0333, 0.1167, 0.175, 0.1975], abs=1e-3)


def test_time_that_has_passed_since_the_key_counts(typist: Typist) -> None:
    """An editor that waits itself is not made slower."""
    typist.types(0.1)
    typist.answers(1.0)
    typist.now += 0.05
    assert typist.debounce.wait() == pytest.approx(0.125)
    typist.now += 0.2
    assert typist.debounce.wait() == 0


def test_pauses_are_no_typing(typist: Typist) -> None:
    """Thinking between two words does not slow what comes after it."""
    typist.types(0.1, 4)
    typist.types(30.0, 10)
    typist.answers(1.0)
    assert typist.debounce.wait() == pytest.approx(0.175)


def test_the_most_is_the_most(typist: Typist) -> None:
    """And none is none."""
    slow, never = Typist(most=0.05), Typist(most=0.0)
    for one in (slow, never):
        one.types(0.5)
        one.answers(20.0)
    assert slow.debounce.wait() == 0.05
    assert never.debounce.wait() == 0


@given(
    gaps=st.lists(st.floats(0, 1e6), max_size=30),
    answers=st.lists(st.floats(0, 1e6), max_size=20),
    most=st.floats(0, 10),
)
def test_the_wait_is_within_its_limits(
    gaps: list[float], answers: list[float], most: float
) -> None:
    """Whatever was measured."""
    typist = Typist(most)
    for gap in gaps:
        typist.types(gap, 1)
    for answer in answers:
        typist.debounce.answered(answer)
    assert 0 <= typist.debounce.wait() <= most

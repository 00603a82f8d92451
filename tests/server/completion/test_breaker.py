"""A server that fails is left alone, longer each time, and heals by itself."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.errors import (
    BadAnswer,
    KeyRefused,
    ModelMissing,
    RequestRefused,
    ServerBusy,
    ServerFault,
    ServerUnreachable,
)
from synconfroute.server.completion.breaker import Breaker, Pauses

FAULT = ServerFault("It failed.")


class Watched:
    """A breaker by a clock and a chance of the test's own."""

    def __init__(self, first: float = 1, longest: float = 300, chance: float = 1.0) -> None:
        self.now = 100.0
        self.chance = chance
        self.breaker = Breaker(Pauses(first, longest), lambda: self.now, lambda: self.chance)

    @property
    def state(self) -> str:
        """Of the breaker."""
        return str(self.breaker.state)

    def pause(self) -> float:
        """How long nothing is allowed from now on."""
        low, high = 0.0, 1_000_000.0
        begun = self.now
        for _ in range(60):
            middle = (low + high) / 2
            self.now = begun + middle
            low, high = (low, middle) if self.breaker.allows else (middle, high)
        self.now = begun
        return round(high, 3)

    def fail(self, error: Exception = FAULT) -> float:
        """Try once and fail. Returns the pause."""
        self.breaker.entered()
        self.breaker.failed(error)
        return self.pause()


def test_a_server_that_works_is_asked() -> None:
    """Closed, and nothing is said."""
    watched = Watched()
    watched.breaker.entered()
    watched.breaker.answered()
    assert watched.breaker.allows
    assert (watched.state, watched.breaker.failure) == ("closed", None)


def test_each_failure_doubles_the_pause_up_to_the_longest() -> None:
    """1, 2, 4, … seconds."""
    watched, pauses = Watched(longest=20), []
    for _ in range(7):
        pauses.append(watched.fail())
        watched.now += pauses[-1]
    assert pauses == [1, 2, 4, 8, 16, 20, 20]


@settings(deadline=None)
@given(chance=st.floats(0, 1))
def test_chance_spreads_the_pauses(chance: float) -> None:
    """From half of it to all of it, so that not all editors come back at once."""
    assert Watched(chance=chance).fail() == pytest.approx((1 + chance) / 2, abs=0.01)


@pytest.mark.parametrize("kind", [KeyRefused, ModelMissing, RequestRefused])
def test_what_only_a_person_mends_is_tried_seldom(kind: type[Exception]) -> None:
    """At once after the longest pause."""
    assert Watched().fail(kind("Set the key.")) == 300


@pytest.mark.parametrize("kind", [ServerUnreachable, ServerFault, BadAnswer, ServerBusy])
def test_what_may_pass_is_tried_soon(kind: type[Exception]) -> None:
    """After the first pause."""
    assert Watched().fail(kind("It passes.")) == 1


@pytest.mark.parametrize(
    ("asked", "chance", "pause"), [(30.0, 0.0, 30), (30.0, 1.0, 33), (0.0, 1.0, 0), (9e9, 0, 300)]
)
def test_a_busy_server_says_how_long(asked: float, chance: float, pause: float) -> None:
    """Never earlier than it asks, a tenth later at most, and never beyond the longest pause."""
    watched = Watched(chance=chance)
    assert watched.fail(ServerBusy("Busy.", asked)) == pause


def test_after_the_pause_one_request_may_go() -> None:
    """The others wait for how it ends."""
    watched = Watched()
    watched.now += watched.fail()
    assert watched.state == "half_open"
    watched.breaker.entered()
    assert not watched.breaker.allows
    watched.breaker.answered()
    assert (watched.state, watched.pause()) == ("closed", 0)


def test_a_request_that_nobody_waits_for_decides_nothing() -> None:
    """The next one may try."""
    watched = Watched()
    watched.now += watched.fail()
    watched.breaker.entered()
    watched.breaker.given_up()
    assert watched.breaker.allows
    assert watched.state == "half_open"


def test_a_question_that_is_answered_lets_a_request_go_and_forgets_nothing() -> None:
    """If that fails, too, the pause is twice as long."""
    watched = Watched()
    watched.now += watched.fail()
    watched.breaker.entered()
    watched.breaker.looked_well()
    watched.breaker.given_up()
    assert watched.breaker.failure is None
    assert watched.breaker.allows
    assert watched.fail() == 2


def test_requests_that_fail_together_count_once() -> None:
    """Ten were on their way when the server died."""
    watched = Watched()
    for _ in range(10):
        watched.breaker.entered()
    for _ in range(10):
        watched.breaker.failed(FAULT)
    assert watched.pause() == 1


def test_an_answer_closes_it_whenever_it_comes() -> None:
    """The next failure begins with the first pause."""
    watched = Watched()
    for _ in range(4):
        watched.now += watched.fail()
    watched.breaker.answered()
    assert watched.fail() == 1

"""A server that fails is left alone, longer each time, and heals by itself."""

import random
from collections import Counter
from functools import partial

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
    ("asked", "chance", "pause"),
    [
        (30.0, 0.0, 30), (30.0, 1.0, 45), (0.0, 1.0, 1), (1.0, 1.0, 2),
        (299.0, 1.0, 300), (9e9, 0.0, 150), (9e9, 1.0, 300),
    ],
)  # fmt: skip
def test_a_busy_server_says_how_long(asked: float, chance: float, pause: float) -> None:
    """Never earlier than it asks, half of it or a first pause later at most.

    What would be longer than the longest pause is from half of that on.
    """
    watched = Watched(chance=chance)
    assert watched.fail(ServerBusy("Busy.", asked)) == pause


def test_who_always_asks_for_a_second_is_asked_ever_more_seldom() -> None:
    """The spread doubles with each failure, up to the longest pause."""
    watched, pauses = Watched(longest=20), []
    for _ in range(6):
        pauses.append(watched.fail(ServerBusy("Busy.", 1.0)))
        watched.now += pauses[-1]
    assert pauses == [2, 3, 5, 9, 17, 20]


def test_many_clients_do_not_come_back_in_one_instant() -> None:
    """200 were told the same in the same moment: of a second, no tenth sees more than 40 of them.

    Where the server stays busy, the second time they come spread over two seconds, and so on.
    """
    draw = random.Random(7)
    clients = [Watched() for _ in range(200)]
    for client in clients:
        client.breaker = Breaker(Pauses(1, 300), partial(getattr, client, "now"), draw.random)
    for width in (1, 2, 4):
        back = [client.fail(ServerBusy("Busy.", 1.0)) for client in clients]
        assert min(back) >= 1
        assert max(back) <= 1 + width
        tenths = Counter(int(seconds * 10) for seconds in back)
        assert max(tenths.values()) <= 40 / width + 10
        for client, seconds in zip(clients, back, strict=True):
            client.now += seconds + 0.01


@settings(deadline=None, max_examples=30)
@given(
    asked=st.one_of(st.none(), st.floats(0, 5)),
    every=st.floats(0.05, 3),
    seed=st.integers(0, 1000),
)
def test_a_server_that_stays_down_is_tried_ever_more_seldom(
    asked: float | None, every: float, seed: int
) -> None:
    """In ten minutes of typing at most a score of requests reach it, whatever it asks for."""
    watched, draw = Watched(longest=300), random.Random(seed)
    watched.breaker = Breaker(Pauses(1, 300), lambda: watched.now, draw.random)
    sent, end = 0, watched.now + 600
    while watched.now < end:
        if watched.breaker.allows:
            sent += 1
            watched.breaker.entered()
            watched.breaker.failed(ServerBusy("Busy.", asked))
        watched.now += every
    assert 2 <= sent <= 20


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

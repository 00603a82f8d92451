"""Whether a request goes to the organisation's server now: breaker, budgets, and its time."""

from dataclasses import replace

import pytest

from synconfroute.errors import KeyRefused, PromptTooLong, ServerFault
from synconfroute.server.completion.admission import Admission
from synconfroute.server.settings.tree import Breaker, Escalation, Settings

REFUSED = KeyRefused("The key is refused: set the right one.")


class Gate:
    """An admission by a clock of the test's own, with a deadline of 4 s."""

    def __init__(self, **escalation: int) -> None:
        self.now = 100.0
        settings = replace(
            Settings(),
            escalation=Escalation(**escalation),  # type: ignore[arg-type]
            breaker=Breaker(first_pause_ms=1000, longest_pause_ms=300_000),
        )
        self.admission = Admission(settings, lambda: self.now)

    def reason(self, *, single_line: bool = True) -> str:
        """Why no request may go; "" if one may."""
        obstacle = self.admission.obstacle(single_line=single_line)
        return "" if obstacle is None else obstacle.reason

    def asks(
        self, seconds: float = 0.1, error: Exception | None = None, *, single_line: bool = True
    ) -> None:
        """A request that takes so long, and may fail."""
        with self.admission.request(single_line=single_line):
            self.now += seconds
            if error is not None:
                raise error


def test_a_failure_keeps_requests_here_and_says_which() -> None:
    """Until the pause is over."""
    gate = Gate()
    assert gate.reason() == ""
    with pytest.raises(ServerFault):
        gate.asks(error=ServerFault("The server failed (HTTP 500)."))
    obstacle = gate.admission.obstacle(single_line=True)
    assert obstacle is not None
    assert obstacle.reason == "refused_breaker"
    assert "HTTP 500" in obstacle.sentence
    assert gate.admission.trouble == obstacle.sentence
    gate.now += 1
    assert gate.reason() == ""
    gate.asks()
    assert gate.admission.trouble == ""


def test_a_wrong_key_is_tried_again_only_after_minutes() -> None:
    """Other settings make another admission."""
    gate = Gate()
    with pytest.raises(KeyRefused):
        gate.asks(error=REFUSED)
    gate.now += 140
    assert gate.reason() == "refused_breaker"
    gate.now += 170
    assert gate.reason() == ""


def test_a_prompt_that_is_too_long_says_nothing_against_the_server() -> None:
    """It answered."""
    gate = Gate()
    with pytest.raises(PromptTooLong):
        gate.asks(error=PromptTooLong("Too long."))
    assert gate.reason() == ""


def test_no_more_wait_there_than_may() -> None:
    """The next one may go when one of them has ended."""
    gate = Gate(concurrent=2)
    with gate.admission.request(single_line=True):
        with gate.admission.request(single_line=True):
            assert gate.reason() == "refused_breaker"
            assert gate.admission.trouble == ""
        assert gate.reason() == ""


def test_no_more_go_in_a_minute_than_may() -> None:
    """Counted over the last minute, not the clock's."""
    gate = Gate(per_minute=3)
    for _ in range(3):
        gate.asks(seconds=10)
    assert gate.reason() == "refused_breaker"
    gate.now += 29
    assert gate.reason() == "refused_breaker"
    gate.now += 2
    assert gate.reason() == ""


def test_what_would_come_too_late_is_not_asked_for() -> None:
    """By the measured time of the last answers; one slow answer among quick ones is no reason."""
    gate = Gate()
    for _ in range(3):
        gate.asks(seconds=0.3)
    gate.asks(seconds=3.9)
    assert gate.reason() == ""
    for _ in range(3):
        with pytest.raises(TimeoutError):
            gate.asks(seconds=4, error=TimeoutError())
    assert gate.reason() == "late"
    assert gate.reason(single_line=False) == ""


def test_a_server_that_was_slow_is_tried_again_after_a_while() -> None:
    """And believed to be quick as soon as it is."""
    gate = Gate()
    with pytest.raises(TimeoutError):
        gate.asks(seconds=4, error=TimeoutError())
    assert gate.reason() == "late"
    gate.now += 31
    assert gate.reason() == ""
    gate.asks(seconds=0.3)
    assert gate.reason() == ""


def test_a_cancelled_request_says_nothing() -> None:
    """Of neither health nor time."""
    gate = Gate()
    with pytest.raises(ZeroDivisionError):
        gate.asks(seconds=100, error=ZeroDivisionError())
    assert gate.reason() == ""

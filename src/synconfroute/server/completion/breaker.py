"""A server that has failed is left alone for a while, then tried once.

Closed: it is asked. Open: it is not, until a pause is over. Half-open: the pause is over, and what
is asked first is a question without code; then one request may go, and until it has ended no other.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from synconfroute.errors import KeyRefused, ModelMissing, RequestRefused, ServerBusy

_FOR_A_PERSON = (KeyRefused, ModelMissing, RequestRefused)
"""What nobody mends but a person: trying soon is in vain."""


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long a server is left alone.

    Attributes:
        first_s: after it failed, in seconds; twice that after the next failure, and so on.
        longest_s: never longer, whatever it asks for; at once where only a person can mend it.
    """

    first_s: float
    longest_s: float


class State(StrEnum):
    """Whether the server is asked."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


class Breaker:
    """Stands before one server."""

    def __init__(
        self,
        pauses: Pauses,
        clock: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Closed.

        Args:
            pauses: how long the server is left alone.
            clock: seconds.
            chance: a number from 0 to 1, so that not all of an organisation come back at once.
        """
        self._pauses = pauses
        self._clock = clock
        self._chance = chance
        self._failures = 0
        self._until = 0.0
        self._trying = False
        self._failure: Exception | None = None

    @property
    def state(self) -> State:
        """Whether the server is asked now."""
        if not self._failures:
            return State.CLOSED
        return State.OPEN if self._clock() < self._until else State.HALF_OPEN

    @property
    def failure(self) -> Exception | None:
        """What was wrong last; None where all is well as far as anyone knows."""
        return self._failure

    @property
    def allows(self) -> bool:
        """True if a request may go now."""
        state = self.state
        return state is State.CLOSED or (state is State.HALF_OPEN and not self._trying)

    def entered(self) -> None:
        """A request goes: in the half-open state the only one."""
        self._trying = self.state is State.HALF_OPEN

    def failed(self, error: Exception) -> None:
        """The server failed: it is left alone, longer each time."""
        self._failure = error
        self._trying = False
        if self.state is State.OPEN:
            return  # others were on their way when it failed
        self._failures += 1
        self._until = self._clock() + self._pause(error)

    def given_up(self) -> None:
        """Nobody waited for the end of a request: nothing is known."""
        self._trying = False

    def looked_well(self) -> None:
        """A question without code was answered: a request may go at once."""
        self._failure = None
        self._until = self._clock()

    def answered(self) -> None:
        """A request was answered."""
        self._failures, self._failure, self._trying = 0, None, False

    def _pause(self, error: Exception) -> float:
        """Seconds; a bit less than the most, or a bit more than the server asked for."""
        longest = self._pauses.longest_s
        doubled = min(self._pauses.first_s * 2.0 ** min(self._failures - 1, 60), longest)
        if isinstance(error, ServerBusy) and error.retry_after is not None:
            return self._asked_for(max(error.retry_after, 0.0), doubled)
        most = longest if isinstance(error, _FOR_A_PERSON) else doubled
        return most * (1 + self._chance()) / 2

    def _asked_for(self, seconds: float, doubled: float) -> float:
        """From what the server asks for on, spread: it asks all clients for the same.

        The spread is half of it, or the pause without its wish, which doubles: a server that goes
        on asking for a second is asked ever more seldom.
        """
        longest = self._pauses.longest_s
        if seconds > longest:
            return longest * (1 + self._chance()) / 2
        return min(seconds + max(seconds / 2, doubled) * self._chance(), longest)

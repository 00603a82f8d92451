"""May a request go to the organisation's server now? What became of earlier ones decides."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from synconfroute.errors import ModelServerError, PromptTooLong
from synconfroute.server.completion.answer import Reason
from synconfroute.server.completion.breaker import Breaker, Pauses, State
from synconfroute.server.settings.tree import Settings

_MINUTE = 60.0
_NEWEST = 0.3
"""The share of the newest time in the estimate."""
_LATE = 1.5
"""What did not come within the deadline is taken to need so many times of it."""
_BELIEVED = 30
"""An estimate is believed for so many first pauses; then a request may show what it takes now."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a request does not go.

    Attributes:
        reason: `REFUSED_BREAKER` or `LATE`.
        sentence: for whoever asks why.
        cause: names it, so that the user is told once; "" where that is nothing to be told.
        notice: what the user is told then.
    """

    reason: Reason
    sentence: str
    cause: str = ""
    notice: str = ""


class Admission:
    """Breaker, budgets, and how long an answer takes."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float] = time.monotonic,
        breaker: Breaker | None = None,
    ) -> None:
        """Nothing is known yet.

        Args:
            settings: budgets, deadline and pauses.
            clock: seconds.
            breaker: of the server; None: a closed one.
        """
        pauses = pauses_of(settings)
        self.breaker = breaker or Breaker(pauses, clock)
        self._clock = clock
        self._deadline = settings.escalation.deadline_ms / 1000
        self._concurrent = settings.escalation.concurrent
        self._per_minute = settings.escalation.per_minute
        self._running = 0
        self._begun: deque[float] = deque()
        self._takes = {True: _Estimate(clock, pauses), False: _Estimate(clock, pauses)}

    def obstacle(self, *, single_line: bool) -> Obstacle | None:
        """Why a request for one line or for several may not go now; None if it may."""
        if not self.breaker.allows:
            return self._open()
        if self._running >= self._concurrent:
            return Obstacle(
                Reason.REFUSED_BREAKER,
                f"The organisation's server has {self._running} requests of yours to answer"
                " already (escalation.concurrent).",
            )
        self._forget_minutes_ago()
        if len(self._begun) >= self._per_minute:
            return Obstacle(
                Reason.REFUSED_BREAKER,
                f"{len(self._begun)} requests went to the organisation's server within a minute"
                " (escalation.per_minute).",
            )
        seconds = self._takes[single_line].seconds
        if seconds is not None and seconds > self._deadline:
            sentence = (
                "The organisation's server takes longer than escalation.deadline_ms"
                f" ({self._deadline:g} s) to answer, so it is asked only now and then."
            )
            return Obstacle(Reason.LATE, sentence, cause="late", notice=sentence)
        return None

    @property
    def trouble(self) -> str:
        """One sentence while the server is left alone; "" while it is asked."""
        failure = self.breaker.failure
        if self.breaker.state is State.CLOSED or failure is None:
            return ""
        return f"The organisation's server is left alone for a while. {failure}"

    @contextmanager
    def request(self, *, single_line: bool) -> Iterator[None]:
        """While a request is asked and answered; what becomes of it is learnt."""
        self.breaker.entered()
        begun = self._clock()
        self._begun.append(begun)
        self._running += 1
        try:
            yield
        except PromptTooLong:
            self.breaker.answered()  # it is well, and says what it cannot take
            raise
        except ModelServerError as error:
            self.breaker.failed(error)
            raise
        except TimeoutError:
            self.breaker.given_up()
            self._takes[single_line].add(self._deadline * _LATE)
            raise
        except BaseException:
            self.breaker.given_up()
            raise
        else:
            self.breaker.answered()
            self._takes[single_line].add(self._clock() - begun)
        finally:
            self._running -= 1

    def _open(self) -> Obstacle:
        failure = self.breaker.failure
        if failure is None:
            return Obstacle(
                Reason.REFUSED_BREAKER,
                "The organisation's server has failed and is being tried with one request.",
            )
        cause = type(failure).__name__
        return Obstacle(Reason.REFUSED_BREAKER, self.trouble, cause, str(failure))

    def _forget_minutes_ago(self) -> None:
        while self._begun and self._begun[0] <= self._clock() - _MINUTE:
            self._begun.popleft()


class _Estimate:
    """How long an answer takes, by the last ones."""

    def __init__(self, clock: Callable[[], float], pauses: Pauses) -> None:
        self._clock = clock
        self._believed = min(pauses.first_s * _BELIEVED, pauses.longest_s)
        self._value: float | None = None
        self._at = 0.0

    @property
    def seconds(self) -> float | None:
        """The estimate; None where there is none, or only an old one."""
        return None if self._clock() - self._at > self._believed else self._value

    def add(self, seconds: float) -> None:
        """An answer took so long."""
        before = self.seconds
        self._value = seconds if before is None else before + _NEWEST * (seconds - before)
        self._at = self._clock()


def pauses_of(settings: Settings) -> Pauses:
    """How long a server is left alone, by the settings."""
    return Pauses(settings.breaker.first_pause_ms / 1000, settings.breaker.longest_pause_ms / 1000)

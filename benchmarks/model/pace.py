"""When each token is written."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from benchmarks.model.script import Asked

Step = Callable[[], bool]
"""Writes the next token of a generation; False once that was its last."""


class Pace(Protocol):
    """Decides when the generations of a server go on."""

    def begin(self, step: Step, asked: Asked) -> Callable[[], None]:
        """A generation has come.

        Args:
            step: to be called for each of its tokens.
            asked: what is asked.

        Returns:
            What ends it early; nothing is written after it was called.
        """


@dataclass(frozen=True, slots=True)
class Steady:
    """A fixed time to the first token and between tokens, however many are asked for at once.

    Attributes:
        first: seconds to the first token.
        next: seconds between tokens.
    """

    first: float
    next: float

    def begin(self, step: Step, asked: Asked) -> Callable[[], None]:
        """Begin at once, whatever is asked. A late token does not make the next one late."""
        return _Timer(step, self.first, self.next).cancel


class _Timer:
    """Calls a step at its times."""

    def __init__(self, step: Step, first: float, following: float) -> None:
        self._step = step
        self._next = following
        self._loop = asyncio.get_running_loop()
        self._due = self._loop.time() + first
        self._waiting = self._loop.call_at(self._due, self._go_on)

    def cancel(self) -> None:
        """Call it no more."""
        self._waiting.cancel()

    def _go_on(self) -> None:
        if self._step():
            self._due += self._next
            self._waiting = self._loop.call_at(self._due, self._go_on)

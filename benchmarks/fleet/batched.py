"""The pace of a server like vLLM: what runs together gets a token each a step, the rest waits."""

import asyncio
import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.model.pace import Step
from benchmarks.model.script import Asked

_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast it is.

    Attributes:
        at_once: most generations that run together.
        step_ms: the least that a step takes.
        each_ms: a step takes so much more by each generation to the power `bend`.
        bend: below 1, the second one costs more than the hundredth.
        prefill_ms: what each token of a prompt adds to the step in which it is read.
        batched_tokens: the most tokens of one step.
        overhead_ms: before a generation is in the queue.
        jitter: standard deviation of a step's time, as a share of it.
        seed: of the jitter.
    """

    at_once: int = 64
    step_ms: float = 8.0
    each_ms: float = 0.3
    bend: float = 0.8
    prefill_ms: float = 0.01
    batched_tokens: int = 8192
    overhead_ms: float = 1.0
    jitter: float = 0.1
    seed: int = 0

    def seconds(self, running: int, read: int) -> float:
        """Of a step with so many generations that reads so many tokens of prompts."""
        each = self.each_ms * math.pow(running, self.bend)
        return (self.step_ms + each + read * self.prefill_ms) / 1000


@dataclass(slots=True, eq=False)
class _Seat:
    """A generation."""

    step: Step
    unread: int
    left: bool = False


class Batched:
    """Decides when each token of each generation is written.

    Attributes:
        busy_s: seconds of all steps so far.
        seat_s: seconds of all generations in them.
    """

    def __init__(self, speed: Speed) -> None:
        """Idle."""
        self._speed = speed
        self._chance = random.Random(speed.seed)
        self._waiting: deque[_Seat] = deque()
        self._running: list[_Seat] = []
        self._going = self._held = False
        self._due = 0.0
        self.busy_s = 0.0
        self.seat_s = 0.0

    def begin(self, step: Step, asked: Asked) -> Callable[[], None]:
        """Put a generation into the queue."""
        unread = max(1, (len(asked.prefix) + len(asked.suffix)) // _CHARACTERS_A_TOKEN)
        seat = _Seat(step, unread)
        asyncio.get_running_loop().call_later(self._speed.overhead_ms / 1000, self._queue, seat)

        def leave() -> None:
            seat.left = True

        return leave

    def hold(self, *, held: bool) -> None:
        """Write nothing, or go on."""
        self._held = held
        self._go_on()

    def _queue(self, seat: _Seat) -> None:
        self._waiting.append(seat)
        self._go_on()

    def _go_on(self) -> None:
        if self._going or self._held:
            return
        loop = asyncio.get_running_loop()
        self._due = max(self._due, loop.time())
        self._step()

    def _step(self) -> None:
        """Begin a step, if there is anything to do."""
        self._going = False
        if self._held:
            return
        self._running = [seat for seat in self._running if not seat.left]
        while self._waiting and len(self._running) < self._speed.at_once:
            seat = self._waiting.popleft()
            if not seat.left:
                self._running.append(seat)
        if not self._running:
            return
        room = self._speed.batched_tokens
        read = 0
        for seat in self._running:
            piece = min(seat.unread, room - read)
            seat.unread -= piece
            read += piece
        seconds = self._speed.seconds(len(self._running), read) * self._jitter()
        self.busy_s += seconds
        self.seat_s += seconds * len(self._running)
        self._going = True
        # From when the last one was due: a loop that is late does not make the model slower.
        loop = asyncio.get_running_loop()
        self._due += seconds
        loop.call_at(self._due, self._end, list(self._running))

    def _end(self, ran: list[_Seat]) -> None:
        """A step is over: each that has been read gets its token."""
        for seat in ran:
            if not seat.left and not seat.unread and not seat.step():
                seat.left = True
        self._step()

    def _jitter(self) -> float:
        """Around 1, and never below 0."""
        if not self._speed.jitter:
            return 1.0
        variance = math.log1p(self._speed.jitter**2)
        return self._chance.lognormvariate(-variance / 2, math.sqrt(variance))

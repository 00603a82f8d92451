"""One replica of a server like vLLM: requests wait, then run together, a token each a step.

A request that is let in is read first: its prompt is cut into pieces that fit into a step beside
the tokens of those that run already. The step that reads the last piece gives the first token.
Steps in which nothing happens but a token each are taken together, so that the cost of a simulation
grows with its requests and not with its tokens.
"""

import math
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

from synconfroute.evaluation.capacity.profile import Profile

if TYPE_CHECKING:
    from simpy import Environment, Event

_TOLERANCE = 1e-9
"""Of a step: whole steps do not become more or fewer by rounding."""


@dataclass(slots=True, eq=False)
class Job:
    """A request at a replica.

    Attributes:
        rank: those of a lower one are let in first.
        to_read: prompt tokens that are still to be read.
        tokens: of the answer.
        done: succeeds when the last token is written.
        room: tokens that it takes in the cache.
        withdrawn: nobody waits for it any more.
        finishes: the step after which it is done, once it is read.
    """

    rank: int
    to_read: int
    tokens: int
    done: "Event"
    room: int = 0
    withdrawn: bool = False
    finishes: int = 0


class Replica:
    """Serves jobs.

    Attributes:
        under_way: how many jobs wait or run.
        busy_s: seconds in which it computed.
        seat_s: seconds of all running jobs together.
    """

    def __init__(self, env: "Environment", profile: Profile, *, by_rank: bool = True) -> None:
        """Idle.

        Args:
            env: the simulation.
            profile: how fast it is.
            by_rank: let jobs in by rank, then by time; else by time alone.
        """
        self._env = env
        self._profile = profile
        self._by_rank = by_rank
        self._order = count()
        self._waiting: list[tuple[int, int, Job]] = []
        self._reading: deque[Job] = deque()
        self._writing: list[tuple[int, int, Job]] = []
        self._steps = 0
        self._room = 0
        self._wake: Event | None = None
        self._withdrawn = False
        self.under_way = 0
        self.busy_s = 0.0
        self.seat_s = 0.0
        env.process(self._serve())

    def submit(self, job: Job) -> None:
        """Take a job into the queue."""
        job.room = job.to_read + job.tokens
        heappush(self._waiting, (job.rank if self._by_rank else 0, next(self._order), job))
        self.under_way += 1
        self._stir()

    def withdraw(self, job: Job) -> None:
        """The client has closed the connection: the job ends with the step that is under way."""
        job.withdrawn = self._withdrawn = True
        self._stir()

    def forget(self) -> None:
        """Count the time from now on."""
        self.busy_s = self.seat_s = 0.0

    def _stir(self) -> None:
        if self._wake is not None and not self._wake.triggered:
            self._wake.succeed()

    def _serve(self) -> "Generator[Event, Any, None]":
        while True:
            self._drop_withdrawn()
            self._let_in()
            if self._reading:
                yield from self._read()
            elif self._writing:
                yield from self._write()
            else:
                self._wake = self._env.event()
                yield self._wake
                self._wake = None

    def _read(self) -> "Generator[Event, Any, None]":
        """One step that reads as much of prompts as fits."""
        left = max(1, self._profile.batched_tokens - len(self._writing))
        taken = 0
        read: list[Job] = []
        for job in self._reading:
            piece = min(job.to_read, left - taken)
            job.to_read -= piece
            taken += piece
            if job.to_read:
                break
            read.append(job)
        running = len(self._writing) + len(self._reading)
        seconds = self._profile.step(running) + taken * self._profile.prefill_ms_per_token / 1000
        yield self._env.timeout(seconds)
        self._passed(1, seconds, running)
        for job in read:
            self._reading.remove(job)
            job.finishes = self._steps + job.tokens - 1
            heappush(self._writing, (job.finishes, next(self._order), job))
        self._finish()

    def _write(self) -> "Generator[Event, Any, None]":
        """Steps until a job is done, or until something else is to be done after one of them."""
        each, running = self._profile.step(len(self._writing)), len(self._writing)
        most = self._writing[0][0] - self._steps
        begun = self._env.now
        self._wake = self._env.event()
        yield self._env.timeout(most * each) | self._wake
        self._wake = None
        passed = self._env.now - begun
        steps = min(most, max(1, math.ceil(passed / each - _TOLERANCE)))
        if steps * each > passed:
            yield self._env.timeout(steps * each - passed)
        self._passed(steps, steps * each, running)
        self._finish()

    def _passed(self, steps: int, seconds: float, running: int) -> None:
        self._steps += steps
        self.busy_s += seconds
        self.seat_s += seconds * running

    def _finish(self) -> None:
        while self._writing and self._writing[0][0] <= self._steps:
            _, _, job = heappop(self._writing)
            self._leave(job)
            if not job.withdrawn:
                job.done.succeed()

    def _let_in(self) -> None:
        room = self._profile.kv_tokens
        while self._waiting and len(self._reading) + len(self._writing) < self._profile.at_once:
            job = self._waiting[0][2]
            alone = not (self._reading or self._writing)
            if room is not None and self._room + job.room > room and not alone:
                return
            heappop(self._waiting)
            self._room += job.room
            self._reading.append(job)

    def _drop_withdrawn(self) -> None:
        if not self._withdrawn:
            return
        self._withdrawn = False
        waiting = [each for each in self._waiting if not each[2].withdrawn]
        self.under_way -= len(self._waiting) - len(waiting)
        self._waiting = sorted(waiting)
        for job in [job for job in self._reading if job.withdrawn]:
            self._reading.remove(job)
            self._leave(job)
        gone = [each[2] for each in self._writing if each[2].withdrawn]
        if gone:
            self._writing = sorted(each for each in self._writing if not each[2].withdrawn)
            for job in gone:
                self._leave(job)

    def _leave(self, job: Job) -> None:
        self._room -= job.room
        self.under_way -= 1

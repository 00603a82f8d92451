"""The simulation: developers' editors before some replicas, in one busy stretch of time.

Each developer's client is our own: the very `Admission` that stands before the organisation's
server says whether a request goes (budgets, breaker, how long answers took), on the simulation's
clock. A newer request of a developer closes the older one, and so does the deadline.
"""

import random
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from synconfroute.errors import EvaluationError, ServerBusy
from synconfroute.evaluation.capacity.profile import Profile
from synconfroute.evaluation.capacity.replica import Job, Replica
from synconfroute.evaluation.capacity.workload import Asked
from synconfroute.server.completion.admission import Admission, pauses_of
from synconfroute.server.completion.breaker import Breaker
from synconfroute.server.settings.tree import Settings

if TYPE_CHECKING:
    from simpy import Environment, Event


class End(StrEnum):
    """How a request ended. `REFUSED`: by the client itself, or by a full queue."""

    ANSWERED = "answered"
    LATE = "late"
    REFUSED = "refused"
    SUPERSEDED = "superseded"


@dataclass(frozen=True, slots=True)
class Site:
    """The organisation's side.

    Attributes:
        profile: what a replica can do.
        replicas: how many.
        by_rank: requests that a developer asked for go before others (vLLM's priority scheduling).
        by_session: a developer's requests all go to one replica; else each to the least busy.
        longest_queue: a replica with so many requests refuses further ones; None: none does.
        network_ms: there and back, in ms.
    """

    profile: Profile
    replicas: int
    by_rank: bool = True
    by_session: bool = True
    longest_queue: int | None = None
    network_ms: float = 5.0


@dataclass(frozen=True, slots=True)
class Run:
    """What happened after the warm-up.

    Attributes:
        seconds: how long that was.
        ends: how many requests ended how.
        waits_s: of requests that were answered or late, in seconds; of the late ones the deadline.
        busy: share of the time in which a replica computed.
        seats: requests that ran at the same time on a replica, mean over all time.
        under_way: requests that waited or ran anywhere, mean over all time.
        most_at_once: the most that waited or ran on one replica when a request came.
    """

    seconds: float
    ends: dict[End, int]
    waits_s: tuple[float, ...]
    busy: float
    seats: float
    under_way: float
    most_at_once: int


@dataclass(slots=True)
class _Notes:
    """What is noted while it runs."""

    since: float
    ends: dict[End, int] = field(default_factory=lambda: dict.fromkeys(End, 0))
    waits: list[float] = field(default_factory=list)
    most: int = 0
    under_way_s: float = 0.0


def simulate(
    site: Site,
    asked: Sequence[Asked],
    seconds: float,
    *,
    settings: Settings,
    warm_up: float = 0.0,
    superseding: bool = True,
    seed: int = 0,
) -> Run:
    """Run it once.

    Args:
        site: the servers.
        asked: what is asked, in the order of time.
        seconds: how long, the warm-up included.
        settings: of the clients: deadline, budgets and pauses count.
        warm_up: what happens in the first so many seconds is not counted.
        superseding: a developer's newer request closes the older one.
        seed: of the clients' pauses.

    Raises:
        EvaluationError: simpy is not installed.
    """
    env = _environment()
    chance = random.Random(seed)  # noqa: S311 - pauses, no secrets
    fleet = _Fleet(env, site, settings, chance, _Notes(warm_up))
    env.process(fleet.ask(asked, superseding=superseding))
    if warm_up:
        env.run(until=warm_up)
        fleet.forget()
    env.run(until=seconds)
    return fleet.run(seconds - warm_up)


def _environment() -> "Environment":
    try:
        from simpy import Environment
    except ImportError as error:
        raise EvaluationError(
            "The simulation needs simpy: pip install 'synconfroute[plan]'."
        ) from error
    return Environment()


class _Fleet:
    """Clients and replicas."""

    def __init__(
        self,
        env: "Environment",
        site: Site,
        settings: Settings,
        chance: random.Random,
        notes: _Notes,
    ) -> None:
        self._env = env
        self._site = site
        self._settings = settings
        self._chance = chance
        self._notes = notes
        self._replicas = [
            Replica(env, site.profile, by_rank=site.by_rank) for _ in range(site.replicas)
        ]
        self._admissions: dict[int, Admission] = {}
        self._newer: dict[int, Event] = {}

    def ask(self, asked: Sequence[Asked], *, superseding: bool) -> "Generator[Event, Any, None]":
        """Have everything asked in its time."""
        for each in asked:
            yield self._env.timeout(max(0.0, each.at - self._env.now))
            if superseding:
                self._supersede(each.developer)
            if each.escalated:
                self._env.process(self._escalate(each))

    def forget(self) -> None:
        """The warm-up is over."""
        for replica in self._replicas:
            replica.forget()

    def run(self, seconds: float) -> Run:
        """What happened."""
        notes, replicas = self._notes, self._replicas
        time = seconds * len(replicas)
        return Run(
            seconds,
            notes.ends,
            tuple(notes.waits),
            # A step that is under way at the end is not counted: it began before.
            busy=min(1.0, sum(replica.busy_s for replica in replicas) / time),
            seats=sum(replica.seat_s for replica in replicas) / time,
            under_way=notes.under_way_s / seconds,
            most_at_once=notes.most,
        )

    def _supersede(self, developer: int) -> None:
        newer = self._newer.pop(developer, None)
        if newer is not None and not newer.triggered:
            newer.succeed()

    def _escalate(self, asked: Asked) -> "Generator[Event, Any, None]":
        begun = self._env.now
        admission = self._admission(asked.developer)
        if admission.obstacle(single_line=True) is not None:
            self._note(End.REFUSED, begun)
            return
        end = End.ANSWERED
        newer = self._newer[asked.developer] = self._env.event()
        try:
            with admission.request(single_line=True):
                yield from self._asking(asked, newer)
        except TimeoutError:
            end = End.LATE
        except ServerBusy:
            end = End.REFUSED
        except _Superseded:
            end = End.SUPERSEDED
        self._note(end, begun)

    def _asking(self, asked: Asked, newer: "Event") -> "Generator[Event, Any, None]":
        """Ask a replica, until it has answered.

        Raises:
            TimeoutError: the deadline came first.
            ServerBusy: the replica's queue is full.
            _Superseded: a newer request came first.
        """
        replica = self._replica(asked.developer)
        self._notes.most = max(self._notes.most, replica.under_way)
        most = self._site.longest_queue
        if most is not None and replica.under_way >= most:
            raise ServerBusy("The simulated server is busy.")
        deadline = self._env.timeout(self._settings.escalation.deadline_ms / 1000)
        on_the_way = self._site.network_ms / 1000 + self._site.profile.overhead_ms / 1000
        yield self._env.timeout(on_the_way) | deadline | newer
        job = Job(
            0 if asked.explicit else 1,
            asked.prompt_tokens,
            asked.answer_tokens,
            self._env.event(),
        )
        if not (deadline.processed or newer.triggered):
            replica.submit(job)
            yield job.done | deadline | newer
        if job.done.triggered:
            return
        replica.withdraw(job)
        raise _Superseded if newer.triggered else TimeoutError

    def _note(self, end: End, begun: float) -> None:
        """Note an end, if the request came after the warm-up."""
        notes, now = self._notes, self._env.now
        notes.under_way_s += max(0.0, now - max(begun, notes.since))
        if begun < notes.since:
            return
        notes.ends[end] += 1
        if end in {End.ANSWERED, End.LATE}:
            notes.waits.append(now - begun)

    def _replica(self, developer: int) -> Replica:
        if self._site.by_session:
            return self._replicas[developer % len(self._replicas)]
        return min(self._replicas, key=lambda replica: replica.under_way)

    def _admission(self, developer: int) -> Admission:
        admission = self._admissions.get(developer)
        if admission is None:
            breaker = Breaker(pauses_of(self._settings), lambda: self._env.now, self._chance.random)
            admission = Admission(self._settings, lambda: self._env.now, breaker)
            self._admissions[developer] = admission
        return admission


class _Superseded(Exception):
    """A newer request came."""

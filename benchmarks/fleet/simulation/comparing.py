"""One load: what was measured beside what was simulated."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.fleet.simulation.driving import Done, as_asked
from synconfroute.evaluation.capacity.fleet import End, Run, Site, simulate
from synconfroute.evaluation.capacity.outcome import Estimate, estimate, wait_ms
from synconfroute.evaluation.capacity.workload import Asked, Workload, requests
from synconfroute.server.settings.tree import Settings

WARM_UP_S = 5.0
_DRAWS = 10


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a load, measured or simulated.

    Attributes:
        per_second: answered.
        p50_ms: of those answered or late; a late one counts as the deadline.
        p95_ms: the same.
        missed: share late or refused of those not superseded.
        superseded: share that a newer request closed.
        under_way: requests that waited or ran, in the mean.
        seats: those that ran, in the mean; None where the server does not say.
    """

    per_second: float
    p50_ms: float
    p95_ms: float
    missed: float
    superseded: float
    under_way: float
    seats: float | None


@dataclass(frozen=True, slots=True)
class Compared:
    """One load.

    Attributes:
        load: requests a second, as a share of what the profile says the server can do.
        asked: requests counted.
        measured: what came of it.
        simulated: the same requests, simulated.
        other_p95_ms: p95 of other requests of the same kind, simulated: what a plan would say.
        other_missed: their share late or refused.
    """

    load: float
    asked: int
    measured: Seen
    simulated: Seen
    other_p95_ms: Estimate
    other_missed: Estimate

    def error(self, name: str) -> float:
        """The simulated number over the measured one, less 1; infinite where that is 0."""
        ours, theirs = getattr(self.simulated, name), getattr(self.measured, name)
        if not theirs:
            return 0.0 if not ours else math.inf
        return float(ours / theirs - 1)


def compared(
    load: float,
    workload: Workload,
    asked: Sequence[Asked],
    done: Sequence[Done],
    seats: float | None,
    site: Site,
    settings: Settings,
    seconds: float,
) -> Compared:
    """What was measured beside what is simulated.

    Args:
        load: as of `Compared`.
        workload: what `asked` was drawn from.
        asked: in the order of time.
        done: how each of them ended.
        seats: requests that ran at the same time, as the server says.
        site: with the profile that was measured before.
        settings: of the clients.
        seconds: how long requests came, the warm-up included.
    """
    same = as_asked(asked, done)
    run = simulate(site, same, seconds, settings=settings, warm_up=WARM_UP_S)
    scale = _mean(same) / max(1.0, _mean(asked))
    others = [
        simulate(
            site, _like(workload, seconds, seed, scale), seconds,
            settings=settings, warm_up=WARM_UP_S, seed=seed,
        )
        for seed in range(_DRAWS)
    ]  # fmt: skip
    counted = [each for each in done if WARM_UP_S <= each.begun < seconds]
    return Compared(
        load=load,
        asked=len(counted),
        measured=_measured(done, seconds, settings, seats),
        simulated=_seen(run),
        other_p95_ms=estimate([wait_ms(each, 0.95) for each in others]),
        other_missed=estimate([_missed(each.ends) for each in others]),
    )


def _like(workload: Workload, seconds: float, seed: int, scale: float) -> list[Asked]:
    """Other requests of the same kind, their prompts as long as the server counts them."""
    drawn = requests(workload, seconds, random.Random(f"other {seed}"))
    return [
        Asked(
            each.at,
            each.developer,
            each.escalated,
            each.explicit,
            round(each.prompt_tokens * scale),
            each.answer_tokens,
        )
        for each in drawn
    ]


def _mean(asked: Sequence[Asked]) -> float:
    return sum(each.prompt_tokens for each in asked) / max(1, len(asked))


def _measured(
    done: Sequence[Done], seconds: float, settings: Settings, seats: float | None
) -> Seen:
    """As the simulation counts: requests that began behind the warm-up and ended in time."""
    length = seconds - WARM_UP_S
    ended = [
        each for each in done if each.begun >= WARM_UP_S and each.begun + each.seconds <= seconds
    ]
    ends = {end: sum(each.end is end for each in ended) for end in End}
    deadline = settings.escalation.deadline_ms / 1000
    taken = tuple(
        min(each.seconds, deadline) for each in ended if each.end in {End.ANSWERED, End.LATE}
    )
    under_way = sum(
        max(0.0, min(each.begun + each.seconds, seconds) - max(each.begun, WARM_UP_S))
        for each in done
    )
    run = Run(length, ends, taken, 0.0, 0.0, under_way / length, 0)
    return _seen(run, seats=seats)


def _seen(run: Run, *, seats: float | None = -1.0) -> Seen:
    """A run in short; `seats` below 0: the run's own."""
    whole = sum(run.ends.values())
    return Seen(
        per_second=run.ends[End.ANSWERED] / run.seconds,
        p50_ms=wait_ms(run, 0.5),
        p95_ms=wait_ms(run, 0.95),
        missed=_missed(run.ends),
        superseded=run.ends[End.SUPERSEDED] / whole if whole else 0.0,
        under_way=run.under_way,
        seats=run.seats if seats is not None and seats < 0 else seats,
    )


def _missed(ends: dict[End, int]) -> float:
    stayed = sum(ends.values()) - ends[End.SUPERSEDED]
    return (ends[End.LATE] + ends[End.REFUSED]) / stayed if stayed else 0.0

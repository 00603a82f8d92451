"""How many replicas keep a target."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.capacity.fleet import Run, Site, simulate
from synconfroute.evaluation.capacity.outcome import Outcome, outcome
from synconfroute.evaluation.capacity.workload import Workload, requests
from synconfroute.server.settings.tree import Settings

MOST_REPLICAS = 4_096
_WARM_UP_S = 60.0
_SHORTEST_S = 120.0
_LONGEST_S = 4 * 3600.0
_MOST_ASKED = 2_000_000
_DONE = 0.5
"""So much of the work is done at least where the target is kept; the rest is superseded."""


@dataclass(frozen=True, slots=True)
class Target:
    """What developers are to have in the busiest hour.

    Attributes:
        p95_ms: most ms within which 95 % of the answers come.
        missed: most requests that are late or refused, as a share.
    """

    p95_ms: float
    missed: float

    def kept(self, found: Outcome) -> bool:
        """Is it kept, by the means?"""
        missed = found.late.mean + found.refused.mean
        return found.p95_ms.mean <= self.p95_ms and missed <= self.missed


@dataclass(frozen=True, slots=True)
class Effort:
    """How long is simulated.

    Attributes:
        seeds: runs.
        escalations: at least so many in each of them, where they come in four hours.
        on_run: called after each run.
    """

    seeds: int = 5
    escalations: int = 3_000
    on_run: Callable[[], object] = lambda: None


def expect(
    workload: Workload, site: Site, settings: Settings, effort: Effort, *, first_seed: int = 1
) -> Outcome:
    """Simulate the busiest hour, once for each seed.

    Raises:
        EvaluationError: simpy is not installed, or it would take hours.
    """
    seconds = _seconds(workload, effort)
    runs = []
    for seed in range(first_seed, first_seed + effort.seeds):
        runs.append(_run(workload, site, settings, seconds, seed))
        effort.on_run()
    return outcome(runs)


def smallest(
    workload: Workload, site: Site, settings: Settings, target: Target, effort: Effort
) -> tuple[int, Outcome] | None:
    """The smallest number of replicas that keeps a target, and what is to be expected then.

    From what the work alone takes on, steps double until the target is kept; then the gap is
    halved. None where no number keeps it: a request alone takes too long.

    Raises:
        EvaluationError: simpy is not installed, or it would take hours.
    """
    tried: dict[int, Outcome] = {}

    def kept(replicas: int) -> bool:
        tried[replicas] = expect(workload, replace(site, replicas=replicas), settings, effort)
        return target.kept(tried[replicas])

    if _hopeless(workload, site, target):
        return None
    low = int(_work_s(workload, site) * workload.per_second * workload.escalated * _DONE)
    high, step = low + 1, 1
    while not kept(high):
        low, high, step = high, high + step, step * 2
        if high > min(MOST_REPLICAS, low + 2 * max(1, workload.developers)):
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if kept(middle):
            high = middle
        else:
            low = middle
    return high, tried[high]


def alone_ms(workload: Workload, site: Site) -> float:
    """How long a mean request takes on a server without any other, in ms."""
    profile = site.profile
    read = workload.prompt_tokens * (1 - workload.cached) * profile.prefill_ms_per_token
    write = workload.answer_tokens * profile.step(1) * 1000
    return site.network_ms + profile.overhead_ms + read + write


def _work_s(workload: Workload, site: Site) -> float:
    """The least time of a replica that a mean request takes, with all others beside it."""
    profile = site.profile
    most = profile.at_once
    read = workload.prompt_tokens * (1 - workload.cached) * profile.prefill_ms_per_token / 1000
    return read + workload.answer_tokens * profile.step(most) / most


def _hopeless(workload: Workload, site: Site, target: Target) -> bool:
    return alone_ms(workload, site) > target.p95_ms and workload.escalated > 0


def _seconds(workload: Workload, effort: Effort) -> float:
    """How long a run lasts behind the warm-up."""
    escalations = workload.per_second * workload.escalated
    wanted = effort.escalations / escalations if escalations > 0 else _SHORTEST_S
    seconds = min(max(wanted, _SHORTEST_S), _LONGEST_S)
    if workload.per_second * (seconds + _WARM_UP_S) > _MOST_ASKED:
        raise EvaluationError(
            f"{workload.per_second:,.0f} requests a second are more than can be simulated in a"
            " sensible time: plan for a part of the developers, and multiply."
        )
    return seconds


def _run(workload: Workload, site: Site, settings: Settings, seconds: float, seed: int) -> Run:
    whole = _WARM_UP_S + seconds
    chance = random.Random(f"asked {seed}")  # noqa: S311 - a simulation, no secrets
    asked = requests(workload, whole, chance)
    return simulate(site, asked, whole, settings=settings, warm_up=_WARM_UP_S, seed=seed)

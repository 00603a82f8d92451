"""A plan: what is asked, what answers it, and what that takes beside sending everything away."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from synconfroute.evaluation.capacity.cost import GpuHours, gpu_hours
from synconfroute.evaluation.capacity.fleet import Site
from synconfroute.evaluation.capacity.outcome import Outcome
from synconfroute.evaluation.capacity.sensitivity import Shifted, shifts
from synconfroute.evaluation.capacity.sizing import Effort, Target, expect, smallest
from synconfroute.evaluation.capacity.validity import doubts
from synconfroute.evaluation.capacity.workload import Workload
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Demand:
    """What is to be planned for.

    Attributes:
        workload: the busiest hour.
        sources: of each of its attributes, "assumed", "counted" or "given".
        days: that were counted; None: nothing was.
        site: how servers are set up; its number of replicas is the answer, not the question.
        target: what is to be kept.
        replicas: simulate so many, whatever they keep; None: find the smallest number.
        gpus: of a replica.
        hours: of work in a day.
    """

    workload: Workload
    sources: Mapping[str, str]
    days: int | None
    site: Site
    target: Target
    replicas: int | None = None
    gpus: int = 1
    hours: float = 8.0


@dataclass(frozen=True, slots=True)
class Sized:
    """One way of sending.

    Attributes:
        escalated: share that goes to the organisation's server.
        replicas: the smallest number that keeps the target, or the one that was given; None where
            none keeps it.
        found: what is to be expected then.
        gpu_hours: what these replicas take.
    """

    escalated: float
    replicas: int | None
    found: Outcome | None
    gpu_hours: GpuHours | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer.

    Attributes:
        demand: the question.
        routed: with the share that escalates.
        everything: with all requests sent there, which is what the paper compares with.
        around: replicas with what is to be expected, from fewer to more than the answer.
        shifted: what becomes of it if a number is wrong; empty where that was not wanted.
        doubts: where it stops being valid.
    """

    demand: Demand
    routed: Sized
    everything: Sized
    around: tuple[tuple[int, Outcome], ...]
    shifted: tuple[Shifted, ...]
    doubts: tuple[str, ...]


def plan(demand: Demand, settings: Settings, effort: Effort, *, sensitivity: bool = False) -> Plan:
    """Make a plan.

    Args:
        demand: the question.
        settings: of the clients.
        effort: how long is simulated.
        sensitivity: see what becomes of it if a number is wrong.

    Raises:
        EvaluationError: simpy is not installed, or it would take hours.
    """
    routed = _sized(demand, demand.workload, settings, effort)
    remote = replace(demand.workload, escalated=1.0)
    everything = _sized(demand, remote, settings, effort, search=True)
    if routed.replicas is None or routed.found is None:
        return Plan(demand, routed, everything, (), (), tuple(_hopeless(demand)))
    site = replace(demand.site, replicas=routed.replicas)
    around = [
        (replicas, expect(demand.workload, replace(site, replicas=replicas), settings, effort))
        for replicas in _near(routed.replicas)
    ]
    shifted: Sequence[Shifted] = ()
    if sensitivity:
        shifted = tuple(shifts(demand.workload, site, settings, demand.target, effort))
    told = [
        *doubts(demand.workload, site, routed.found, demand.sources, days=demand.days),
        *_close_calls(demand, routed.replicas, routed.found),
    ]
    return Plan(demand, routed, everything, tuple(around), tuple(shifted), tuple(told))


def _sized(
    demand: Demand,
    workload: Workload,
    settings: Settings,
    effort: Effort,
    *,
    search: bool = False,
) -> Sized:
    if demand.replicas is not None and not search:
        site = replace(demand.site, replicas=demand.replicas)
        found: tuple[int, Outcome] | None = (
            demand.replicas,
            expect(workload, site, settings, effort),
        )
    else:
        found = smallest(workload, demand.site, settings, demand.target, effort)
    if found is None:
        return Sized(workload.escalated, None, None, None)
    replicas, outcome = found
    return Sized(
        workload.escalated, replicas, outcome, gpu_hours(replicas, demand.gpus, demand.hours)
    )


def _near(replicas: int) -> list[int]:
    """Numbers around one, to see how steep it is there."""
    step = max(1, round(replicas / 8))
    return [each for each in (replicas + step * by for by in range(-3, 4)) if each >= 1]


def _close_calls(demand: Demand, replicas: int, found: Outcome) -> Iterator[str]:
    target = demand.target
    if target.kept(found) and found.p95_ms.high > target.p95_ms:
        yield (
            f"The interval of p95 reaches beyond {target.p95_ms:g} ms: {replicas} may be one too"
            " few."
        )
    if replicas == 1:
        yield "One replica is enough as long as it runs: while it starts anew, nobody is answered."


def _hopeless(demand: Demand) -> list[str]:
    return [
        f"No number of replicas keeps a p95 of {demand.target.p95_ms:g} ms: a request takes too"
        " long even with a server of its own. Allow more (--p95-ms), ask for less (--answer-tokens,"
        " --prompt-tokens), or use a faster server."
    ]

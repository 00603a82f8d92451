"""What runs come to: one number each, with how sure it is."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from synconfroute.evaluation.capacity.fleet import End, Run

_T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045,
)  # fmt: skip
"""Student's t, two-sided 95 %, for 1 to 29 degrees of freedom."""
_NORMAL = 1.96


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from several runs.

    Attributes:
        mean: over the runs.
        low: of the 95 % interval of the mean; the mean itself where there was one run.
        high: the same.
    """

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be expected.

    Attributes:
        runs: how many there were, each of another seed.
        requests: sent or refused in all runs together; those superseded count.
        per_second: requests answered a second.
        p50_ms: half of the requests that nobody superseded are answered in so many ms, refused
            ones left out; a late one counts as the deadline.
        p95_ms: the same of 95 %.
        p99_ms: the same of 99 %.
        late: share of the requests that nobody superseded that were not answered in time.
        refused: share of them that the client or the server refused.
        superseded: share of all that a newer request closed.
        busy: share of the time in which a replica computes.
        seats: requests that a replica runs at the same time, in the mean.
        under_way: requests that wait or run anywhere, in the mean.
        most_at_once: the most that a request ever found on its replica.
    """

    runs: int
    requests: int
    per_second: Estimate
    p50_ms: Estimate
    p95_ms: Estimate
    p99_ms: Estimate
    late: Estimate
    refused: Estimate
    superseded: Estimate
    busy: Estimate
    seats: Estimate
    under_way: Estimate
    most_at_once: int


def outcome(runs: Sequence[Run]) -> Outcome:
    """What some runs, at least one, come to."""

    def each(of: Callable[[Run], float]) -> Estimate:
        return estimate([of(run) for run in runs])

    return Outcome(
        runs=len(runs),
        requests=sum(sum(run.ends.values()) for run in runs),
        per_second=each(lambda run: run.ends[End.ANSWERED] / run.seconds),
        p50_ms=each(lambda run: wait_ms(run, 0.5)),
        p95_ms=each(lambda run: wait_ms(run, 0.95)),
        p99_ms=each(lambda run: wait_ms(run, 0.99)),
        late=each(lambda run: _share(run, End.LATE)),
        refused=each(lambda run: _share(run, End.REFUSED)),
        superseded=each(_superseded),
        busy=each(lambda run: run.busy),
        seats=each(lambda run: run.seats),
        under_way=each(lambda run: run.under_way),
        most_at_once=max(run.most_at_once for run in runs),
    )


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of values that have nothing to do with each other, at least one."""
    mean, many = fmean(values), len(values)
    if many == 1:
        return Estimate(mean, mean, mean)
    factor = _T95[many - 2] if many - 2 < len(_T95) else _NORMAL
    half = factor * stdev(values) / math.sqrt(many)
    return Estimate(mean, mean - half, mean + half)


def wait_ms(run: Run, share: float) -> float:
    """What this share of a run's waits does not exceed, in ms; 0 where there were none."""
    if not run.waits_s:
        return 0.0
    ordered = sorted(run.waits_s)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] * 1000


def _share(run: Run, end: End) -> float:
    stayed = sum(run.ends.values()) - run.ends[End.SUPERSEDED]
    return run.ends[end] / stayed if stayed else 0.0


def _superseded(run: Run) -> float:
    whole = sum(run.ends.values())
    return run.ends[End.SUPERSEDED] / whole if whole else 0.0

"""What a comparison came to: what was taken, still there, kept local, and waited, by rule."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from synconfroute.server.completion.counts import BOUNDS_MS, Event, Wait
from synconfroute.server.completion.intervals import Interval, student
from synconfroute.server.completion.summary import percentile
from synconfroute.server.observation.comparison.clusters import (
    Estimate,
    Pair,
    difference_always,
    difference_ci95,
    needed,
    ratio,
)
from synconfroute.server.observation.comparison.sessions import Session

ACCEPTANCE, STILL_THERE, KEPT_LOCAL, WAIT = "acceptance", "still_there", "kept_local", "wait_p50"
"""What is compared: shares from 0 to 1, and the median wait for a model in ms."""

DIFFERENCE = 0.05
"""The difference of acceptance that one wants to be able to see, where nobody says another."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One of the two rules.

    Attributes:
        name: such as "score".
        sessions: in which anything was counted.
        requests: in all of them.
        shown: completions that an editor showed.
        accepted: of these, those taken whole.
        waits: answers with a text that a model was waited for.
    """

    name: str
    sessions: int
    requests: int
    shown: int
    accepted: int
    waits: int


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing that is compared.

    Attributes:
        name: one of the names above.
        first: of the first rule; None of too few.
        second: of the second.
        difference: the second less the first.
        ci95: its 95 % interval, for one look at the planned number of sessions.
        always95: its 95 % interval however often one looks.
    """

    name: str
    first: float | None
    second: float | None
    difference: float | None
    ci95: Interval | None
    always95: Interval | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rules beside each other.

    Attributes:
        arms: both.
        planned: so many sessions were planned, over both, before any was counted.
        sessions: so many there are, in which anything was counted.
        reached: these are as many as were planned.
        difference: of acceptance, that `needed` is about.
        needed: so many sessions show it with a chance of 80 %; None while too little is known.
        measures: what is compared.
    """

    arms: tuple[Arm, Arm]
    planned: int
    sessions: int
    reached: bool
    difference: float
    needed: int | None
    measures: tuple[Measure, ...]

    @property
    def counts(self) -> Interval | None:
        """The interval of the difference in acceptance that may be believed now."""
        acceptance = self.measures[0]
        return acceptance.ci95 if self.reached else acceptance.always95


def compared(
    sessions: Iterable[Session], *, difference: float = DIFFERENCE, times_planned: int = 1
) -> tuple[Comparison, ...]:
    """Each pair of rules that sessions worked with, those of most sessions first.

    Args:
        sessions: in any order; two of one id count as one, the longer.
        difference: of acceptance, that one wants to be able to see, above 0.
        times_planned: so many people planned as many sessions each.
    """
    by_id: dict[str, Session] = {}
    for session in sessions:
        known = by_id.get(session.id)
        if known is None or sum(session.numbers.values()) > sum(known.numbers.values()):
            by_id[session.id] = session
    by_arms: dict[tuple[str, str], list[Session]] = {}
    for session in by_id.values():
        if session.numbers:
            first, second = sorted(session.arms)
            by_arms.setdefault((first, second), []).append(session)
    found = [_comparison(arms, held, difference, times_planned) for arms, held in by_arms.items()]
    return tuple(sorted(found, key=lambda each: (-each.sessions, each.arms[0].name)))


def _comparison(
    arms: tuple[str, str], sessions: Sequence[Session], difference: float, times_planned: int
) -> Comparison:
    first, second = ([each for each in sessions if each.arm == arm] for arm in arms)
    planned = max(each.planned for each in sessions) * times_planned
    ways: dict[str, Callable[[Sequence[Session]], Estimate | None]] = {
        ACCEPTANCE: lambda arm: ratio(_pairs(arm, _accepted)),
        STILL_THERE: lambda arm: ratio(_pairs(arm, _still_there)),
        KEPT_LOCAL: lambda arm: ratio(_pairs(arm, _kept_local)),
        WAIT: _median,
    }
    estimates = {name: (way(first), way(second)) for name, way in ways.items()}
    acceptance = estimates[ACCEPTANCE]
    enough = None
    if acceptance[0] is not None and acceptance[1] is not None:
        enough = needed(acceptance[0], acceptance[1], difference)
    return Comparison(
        arms=(_arm(arms[0], first), _arm(arms[1], second)),
        planned=planned,
        sessions=len(sessions),
        reached=len(sessions) >= planned,
        difference=difference,
        needed=enough,
        measures=tuple(_measure(name, *pair, planned) for name, pair in estimates.items()),
    )


def _arm(name: str, sessions: Sequence[Session]) -> Arm:
    def total(event: Event) -> int:
        return sum(each.numbers.get(event, 0) for each in sessions)

    return Arm(
        name=name,
        sessions=len(sessions),
        requests=total(Event.ASKED),
        shown=total(Event.SHOWN),
        accepted=total(Event.ACCEPTED),
        waits=sum(sum(_cells(each).values()) for each in sessions),
    )


def _measure(name: str, first: Estimate | None, second: Estimate | None, planned: int) -> Measure:
    digits = 1 if name == WAIT else 4
    values = tuple(None if each is None else round(each.value, digits) for each in (first, second))
    if first is None or second is None:
        return Measure(name, values[0], values[1], None, None, None)
    return Measure(
        name,
        values[0],
        values[1],
        round(second.value - first.value, digits),
        difference_ci95(first, second),
        difference_always(first, second, planned),
    )


def _pairs(sessions: Sequence[Session], of: Callable[[dict[str, int]], Pair]) -> list[Pair]:
    return [of(each.numbers) for each in sessions]


def _accepted(numbers: dict[str, int]) -> Pair:
    return numbers.get(Event.ACCEPTED, 0), numbers.get(Event.SHOWN, 0)


def _still_there(numbers: dict[str, int]) -> Pair:
    kept = numbers.get(Event.KEPT, 0)
    return kept, kept + numbers.get(Event.GONE, 0)


def _kept_local(numbers: dict[str, int]) -> Pair:
    asked = numbers.get(Event.ASKED, 0)
    return asked - numbers.get(Event.SENT, 0), asked


def _cells(session: Session) -> dict[int, int]:
    held = {bound: session.numbers.get(f"{Wait.MODEL} {bound}", 0) for bound in BOUNDS_MS}
    return {bound: count for bound, count in held.items() if count}


def _median(sessions: Sequence[Session]) -> Estimate | None:
    """The median wait, with a variance by Woodruff (1952).

    How sure the share of waits below the median is, read along the distribution itself.
    """
    by_session = [_cells(each) for each in sessions]
    pooled: dict[int, int] = {}
    for cells in by_session:
        for bound, count in cells.items():
            pooled[bound] = pooled.get(bound, 0) + count
    middle = percentile(pooled, 0.5)
    if middle is None:
        return None
    below = ratio([(_below(cells, middle), sum(cells.values())) for cells in by_session])
    if below is None:
        return None
    times = student(max(3, below.sessions - 1))
    reach = times * sqrt(below.variance)
    low, high = (
        percentile(pooled, min(0.999, max(0.001, 0.5 + each))) or middle for each in (-reach, reach)
    )
    return Estimate(middle, ((high - low) / (2 * times)) ** 2, below.sessions)


def _below(cells: dict[int, int], ms: float) -> float:
    """So many waits took less; within a step they are taken to be spread evenly."""
    count, before = 0.0, 0
    for bound in BOUNDS_MS:
        part = min(1.0, max(0.0, (ms - before) / (bound - before)))
        count += cells.get(bound, 0) * part
        before = bound
    return count

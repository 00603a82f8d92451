"""What a run found, and how it is told."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.figure import Figure
from benchmarks.fleet.extent import Extent
from benchmarks.fleet.fairness import Fairness
from benchmarks.fleet.trouble import Trouble
from benchmarks.fleet.usage import Memory, Usage

MOST_SHARE = 0.7
"""Of one core, that our server and its parser processes may take."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds, as ms.

    Attributes:
        count: how many.
        p50: half are no greater.
        p95: the same of 95 %.
        p99: the same of 99 %.
        most: the greatest.
    """

    count: int
    p50: float
    p95: float
    p99: float
    most: float


@dataclass(frozen=True, slots=True)
class Kept:
    """Was anything lost?

    Attributes:
        asked: requests of all editors.
        unanswered: of these, those that got no answer, or an error.
        nothing: answered, and nothing was shown.
        reached: requests that reached the vLLM, refused ones too.
        without_line: of these, those that the ledger has no line of.
        whole: the ledger is as it was written.
        unequal: documents that differ between editor and server in the end.
    """

    asked: int
    unanswered: int
    nothing: int
    reached: int
    without_line: int
    whole: bool
    unequal: int

    @property
    def lost(self) -> int:
        """Answers, lines and documents."""
        return self.unanswered + self.without_line + self.unequal + (not self.whole)


@dataclass(frozen=True, slots=True)
class Calm:
    """The phase without trouble.

    Attributes:
        per_second: requests.
        escalated: share of them that the vLLM answered.
        local: our time beyond the models', where the local model's answer was shown.
        org: the same where the vLLM's was.
        took: all that editors waited.
        usage: of processors.
        memory: in the end.
        fair: among the sessions.
        lags: by how much the driver's own loop was late.
        model_lags: the same of the scripted models'.
    """

    per_second: float
    escalated: float
    local: Waits
    org: Waits
    took: Waits
    usage: Usage
    memory: Memory
    fair: Fairness
    lags: Waits
    model_lags: Waits


@dataclass(frozen=True, slots=True)
class Rate:
    """One pace that was tried.

    Attributes:
        per_second: requests that were answered.
        usage: of processors.
        added: our time beyond the models'.
        unanswered: requests without an answer.
    """

    per_second: float
    usage: Usage
    added: Waits
    unanswered: int

    @property
    def kept(self) -> bool:
        """Within the share, and nothing lost."""
        return self.usage.ours <= MOST_SHARE and not self.unanswered


@dataclass(frozen=True, slots=True)
class Alone:
    """With the vLLM as the only model.

    Attributes:
        per_second: requests.
        added: our time beyond the model's.
        usage: of processors.
        fair: among the sessions.
        unanswered: requests without an answer.
        seats: generations that ran together on the vLLM, in the mean.
    """

    per_second: float
    added: Waits
    usage: Usage
    fair: Fairness
    unanswered: int
    seats: float


@dataclass(frozen=True, slots=True)
class Findings:
    """All of it.

    Attributes:
        extent: what was asked.
        calm: without trouble.
        troubles: with it.
        kept: what was not lost in both.
        rates: the search for the highest rate.
        reasons: how requests were decided in all of this, and how many so, by our own statistics.
        alone: with the vLLM as the only model.
    """

    extent: Extent
    calm: Calm
    troubles: tuple[Trouble, ...]
    kept: Kept
    rates: tuple[Rate, ...]
    reasons: dict[str, int]
    alone: Alone

    @property
    def highest(self) -> Rate | None:
        """The highest rate that was kept; None: not even the first."""
        return max((each for each in self.rates if each.kept), key=_by_rate, default=None)

    @property
    def capacity(self) -> float:
        """Requests a second at `MOST_SHARE`, by the processor time that one takes; extrapolated.

        From the highest rate that was kept, or the lowest that was tried.
        """
        rate = self.highest or min(self.rates, key=_by_rate)
        return MOST_SHARE / (rate.usage.ours / rate.per_second) if rate.usage.ours else 0.0


def _by_rate(rate: Rate) -> float:
    return rate.per_second


def figures(found: Findings) -> Iterator[Figure]:
    """The rows of the table of all benchmarks."""
    calm = found.calm
    case = f"{found.extent.sessions} sessions, {calm.per_second:.0f}/s"
    yield _waits("fleet: added, kept here", case, calm.local)
    yield _waits("fleet: added, escalated", case, calm.org)
    yield _one("fleet: our CPU", case, "% of a core", 100 * calm.usage.ours)
    yield _one("fleet: memory with parsers", case, "MB", calm.memory.server + calm.memory.parsers)
    yield _one("fleet: fairness of shown texts", case, "Jain", calm.fair.shown)
    yield _one("fleet: lost", case, "requests", float(found.kept.lost), hold=0.0)
    for each in found.troubles:
        name = f"fleet: went on to a {each.kind} vLLM"
        part = 100 * each.reached / max(1, each.unsure)
        yield _one(name, f"{each.seconds:.0f} s", "% of unsure", part)
        if each.back_s is not None:
            yield _one(f"fleet: back after {each.kind}", f"{each.seconds:.0f} s", "s", each.back_s)
    if found.highest is not None:
        yield _one("fleet: highest rate", "ours < 70 % of a core", "1/s", found.highest.per_second)
    alone = found.alone
    yield _waits("fleet: added, vLLM alone", f"{alone.per_second:.0f}/s", alone.added)


def _waits(what: str, case: str, waits: Waits) -> Figure:
    return Figure(what, case, "ms", waits.p50, waits.p99, waits.count)


def _one(what: str, case: str, unit: str, value: float, hold: float | None = None) -> Figure:
    holds = {} if hold is None else {"p50": hold}
    return Figure(what, case, unit, value, value, 1, holds=holds)


def sentences(found: Findings) -> Iterator[str]:
    """All of it in words."""
    extent, calm, usage = found.extent, found.calm, found.calm.usage
    yield (
        f"{extent.sessions} sessions, {extent.lines} lines each, {extent.main:.0f} s at"
        f" {calm.per_second:.1f} requests/s, of which {calm.escalated:.0%} the vLLM answered."
    )
    yield f"Added, answers kept here: {_told(calm.local)}."
    yield f"Added, escalated:         {_told(calm.org)}."
    yield f"Waited in all:            {_told(calm.took)}."
    yield (
        f"Of one core: server {usage.server:.0%}, parsers {usage.parsers:.0%}; driver"
        f" {usage.driver:.0%}, scripted models {usage.models:.0%}; machine {usage.machine:.0%} of"
        f" {usage.cores} cores. Ours is {usage.ours / usage.cores:.0%} of the machine."
    )
    yield (
        f"The driver's loop was late by {_told(calm.lags)}, the models' by"
        f" {_told(calm.model_lags)}: that is in what was added."
    )
    yield (
        f"Memory: server {calm.memory.server:.0f} MB, {calm.memory.processes} children"
        f" {calm.memory.parsers:.0f} MB."
    )
    yield f"Fairness: {_fair(calm.fair)}."
    for each in found.troubles:
        yield (
            f"vLLM {each.kind} for {each.seconds:.0f} s: {each.reached} of {each.unsure} unsure"
            f" requests went on to it; {each.shown:.1%} of all showed something, p50"
            f" {each.p50_ms:.0f} ms, p99 {each.p99_ms:.0f} ms; asked again {_after(each.first_s)},"
            f" {_after(each.back_s)} as before."
        )
    kept = found.kept
    yield (
        f"Lost: {kept.unanswered} answers of {kept.asked}, {kept.without_line} ledger lines of"
        f" {kept.reached} requests that reached the vLLM, {kept.unequal} documents unequal, ledger"
        f" {'whole' if kept.whole else 'NOT whole'}; {kept.nothing} showed nothing."
    )
    told = ", ".join(f"{count} {name}" for name, count in found.reasons.items())
    yield f"Decided, the search for the highest rate included: {told}."
    for rate in found.rates:
        yield (
            f"{rate.per_second:6.1f} requests/s: ours {rate.usage.ours:.0%} of a core, machine"
            f" {rate.usage.machine / rate.usage.cores:.0%} of all; added {_told(rate.added)}"
            f"{'' if rate.kept else ': too much'}."
        )
    highest = found.highest
    yield (
        "Highest rate below 70 % of a core: "
        + ("none of those tried" if highest is None else _measured(highest))
        + f"; {found.capacity:.0f}/s by the time that a request takes there."
    )
    alone = found.alone
    yield (
        f"vLLM as the only model: {alone.per_second:.1f} requests/s, {alone.seats:.1f} together;"
        f" added {_told(alone.added)}; ours {alone.usage.ours:.0%} of a core; {_fair(alone.fair)};"
        f" {alone.unanswered} unanswered."
    )


def _measured(rate: Rate) -> str:
    usage = rate.usage
    return (
        f"{rate.per_second:.0f}/s measured, with {usage.ours:.0%} of a core ours and"
        f" {usage.machine / usage.cores:.0%} of the machine in use"
    )


def _told(waits: Waits) -> str:
    return (
        f"p50 {waits.p50:.1f}, p95 {waits.p95:.1f}, p99 {waits.p99:.1f}, most {waits.most:.0f} ms"
        f" ({waits.count})"
    )


def _fair(fair: Fairness) -> str:
    return (
        f"Jain {fair.shown:.4f} of texts shown, {fair.waits:.4f} of waits; the worst session was"
        f" shown {fair.least_shown:.1%}; mean waits {fair.shortest_ms:.0f} to"
        f" {fair.longest_ms:.0f} ms"
    )


def _after(seconds: float | None) -> str:
    return "not within the phase" if seconds is None else f"{seconds:.1f} s after it"

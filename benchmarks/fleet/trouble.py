"""What went on to a vLLM in trouble, and how soon it was asked again once it was well."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.fleet.typist import Asked

_BACK = 0.9


@dataclass(frozen=True, slots=True)
class Trouble:
    """One phase of trouble, and the recovery behind it.

    Attributes:
        kind: the mode of the vLLM.
        seconds: how long it lasted.
        unsure: requests in it that were to escalate.
        reached: requests that reached the vLLM in it.
        shown: share of all requests in it that showed something.
        p50_ms: wait of these, trouble included.
        p99_ms: the same.
        first_s: from its end to the first request that was asked there and answered; None: never.
        back_s: to when 90 % of what is to escalate does so again, over one round; None: never.
    """

    kind: str
    seconds: float
    unsure: int
    reached: int
    shown: float
    p50_ms: float
    p99_ms: float
    first_s: float | None
    back_s: float | None


@dataclass(frozen=True, slots=True)
class Phase:
    """When a trouble was, by the monotonic clock.

    Attributes:
        kind: the mode of the vLLM.
        begun: when it began.
        ended: when the vLLM was well again.
        until: when the recovery was over.
        every: seconds between two requests of an editor.
    """

    kind: str
    begun: float
    ended: float
    until: float
    every: float


def trouble(
    phase: Phase, asked: Sequence[Asked], reached: Sequence[float], answered: Sequence[float]
) -> Trouble:
    """What happened in a phase.

    Args:
        phase: when.
        asked: all requests of all editors.
        reached: when requests reached the vLLM, answered or not, in order.
        answered: when those reached it that it answered, in order.
    """
    inside = [each for each in asked if phase.begun <= each.sent < phase.ended]
    waits = sorted(each.took for each in inside) or [0.0]
    return Trouble(
        kind=phase.kind,
        seconds=phase.ended - phase.begun,
        unsure=sum(each.mark.unsure for each in inside),
        reached=sum(phase.begun <= at < phase.ended for at in reached),
        shown=sum(each.text is not None for each in inside) / max(1, len(inside)),
        p50_ms=waits[len(waits) // 2] * 1000,
        p99_ms=waits[min(len(waits) - 1, int(0.99 * len(waits)))] * 1000,
        first_s=next((at - phase.ended for at in answered if at >= phase.ended), None),
        back_s=_back(phase, asked, answered),
    )


def _back(phase: Phase, asked: Sequence[Asked], answered: Sequence[float]) -> float | None:
    """Seconds to the first round, of those that begin each half second, with enough answers."""
    wanted = [each.sent for each in asked if each.mark.unsure]
    at = phase.ended
    while at + phase.every <= phase.until:
        due = sum(at <= moment < at + phase.every for moment in wanted)
        came = sum(at <= moment < at + phase.every for moment in answered)
        if due and came >= _BACK * due:
            return at - phase.ended
        at += 0.5
    return None

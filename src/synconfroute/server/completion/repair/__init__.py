"""Answers that break the buffer, mended: what of an answer is shown, and at what cost.

A wrong level of indentation is a signal that an answer is wrong, so repairs come after the verdict.
Two kinds are told apart by the recorded answers of a 0.5B and a 1.5B model to HumanEval-Infilling,
single-line; tuned on even numbers, right on the odd ones in brackets:

`surely` moves a header that fits nowhere else, in a text that is not invalid. It made 9 of 12
wrong answers right (6 of 9) and touched no right one. It comes before the decision to escalate:
what is kept stays the same, so the routed curve lies nowhere below the one without.

`freely` takes the likeliest repair of an invalid text. 31 of 121 came out right (17 of 69), and the
1.5B model had 111 of them right (62): so it is for where nothing can be escalated.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass

from synconfroute.server.completion.cleaning.following_lines import stands_below
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.repair.brackets import without_surplus_closers
from synconfroute.server.completion.repair.cut import cut_back
from synconfroute.server.completion.repair.indentation import at_header_level, reindented
from synconfroute.server.completion.router import suspicious
from synconfroute.validators.verdict import Outcome, Verdict

__all__ = ["Judge", "Repaired", "freely", "shown", "surely"]

Judge = Callable[[Hole, str], Awaitable[Verdict]]
"""Says what inserting a text in a hole does to the buffer."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """A repaired text and what inserting it does to the buffer: it is not invalid."""

    text: str
    verdict: Verdict


async def shown(hole: Hole, text: str, judge: Judge) -> str:
    """What of a cleaned answer a user sees where nothing can be escalated; "" for nothing.

    Args:
        hole: where the answer goes.
        text: the answer, cleaned.
        judge: the validator.
    """
    if not text:
        return ""
    verdict = await judge(hole, text)
    repaired = await surely(hole, text, verdict, judge)
    if repaired is None and verdict.outcome is Outcome.INVALID:
        repaired = await freely(hole, text, judge)
        text = ""
    text = repaired.text if repaired else text
    return "" if stands_below(hole, text) else text


async def surely(hole: Hole, text: str, verdict: Verdict, judge: Judge) -> Repaired | None:
    """The repair that may come before the decision to escalate, where there is one.

    An invalid text has none: of 8 headers that could be moved so 5 came out right, and the 1.5B
    model had 7 of them right.
    """
    if verdict.outcome is not Outcome.VALID:
        return None
    moved = at_header_level(hole, text)
    if moved is None:
        return None
    then = await judge(hole, moved)
    sure = then.outcome is Outcome.VALID and not suspicious(then)
    return Repaired(moved, then) if sure else None


async def freely(hole: Hole, text: str, judge: Judge) -> Repaired | None:
    """The likeliest repair of an invalid text that no longer breaks the buffer.

    One with nothing suspicious about it comes before the others. One that leaves something open
    is none: what was cut off is what would have closed it.
    """
    best: Repaired | None = None
    for candidate in _candidates(hole, text):
        verdict = await judge(hole, candidate)
        if verdict.outcome is not Outcome.VALID or _leaves_open(verdict):
            continue
        if not suspicious(verdict):
            return Repaired(candidate, verdict)
        best = best or Repaired(candidate, verdict)
    return best


def _candidates(hole: Hole, text: str) -> Iterator[str]:
    """Repairs to try, the likeliest first: what is only moved is still the whole answer."""
    yield from without_surplus_closers(hole, text)
    yield from reindented(hole, text)
    yield from cut_back(hole, text)


def _leaves_open(verdict: Verdict) -> bool:
    return any(each.kind == "open" for each in verdict.evidence)

"""The router: keep the local answer, or escalate (paper, Algorithm 1)."""

from dataclasses import dataclass

from synconfroute.server.completion.answer import Reason
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.confidence import confidence
from synconfroute.server.settings.tree import Settings
from synconfroute.validators.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Keep:
    """Nothing speaks against the local answer; of an unfinished one: nothing so far."""


@dataclass(frozen=True, slots=True)
class Escalate:
    """The organisation's larger model should answer.

    Attributes:
        reason: `LOW_CONFIDENCE` or `INVALID`.
    """

    reason: Reason


def decide(candidate: Candidate, settings: Settings) -> Keep | Escalate:
    """Keep the local answer, or escalate, and why.

    A pure function of a candidate that may still be growing: low confidence is known at the third
    token, long before the text is. With the paper's threshold and the literal first three tokens
    this is Algorithm 1 of the paper (§4.2), with three corners that it leaves open: without
    log-probs the verdict alone decides; an unknown verdict never escalates; an answer that is
    empty after cleaning shows nothing and escalates nothing.
    """
    if candidate.finished and not candidate.text:
        return Keep()
    sureness = confidence(
        candidate.tokens,
        preamble=candidate.preamble,
        finished=candidate.finished,
        which=settings.router.confidence,
    )
    if sureness.value is not None and sureness.value < settings.router.threshold:
        return Escalate(Reason.LOW_CONFIDENCE)
    if candidate.verdict is not None and candidate.verdict.outcome is Outcome.INVALID:
        return Escalate(Reason.INVALID)
    return Keep()

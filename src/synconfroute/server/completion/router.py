"""The router: keep the local answer, or escalate (paper, Algorithm 1)."""

from dataclasses import dataclass, replace

from synconfroute.server.completion.answer import Reason
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.confidence import FIRST, confidence
from synconfroute.server.completion.score import Numbers, best_reachable, score
from synconfroute.server.completion.score_numbers import fitted_for
from synconfroute.server.completion.thresholds import threshold_for
from synconfroute.server.settings.tree import Router, Settings
from synconfroute.validators.verdict import Outcome, Verdict

SUSPICIOUS = 0.5
"""What the confidence of a suspicious candidate counts, under the rule `evidence`. On the recorded
0.5B run 4 of 128 such answers were right; any factor from 0 to 0.5 gives the same area under
quality over local share within 0.1 %."""

_TOLD = frozenset({"name", "missing", "unreachable", "duplicate"})
"""Not `open`: in complete code it is a bad sign, but a fifth and more of what people went on to
write in replayed states of an edit leaves something open, and they close it in the next lines."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Nothing speaks against the local answer; of an unfinished one: nothing so far."""


@dataclass(frozen=True, slots=True)
class Escalate:
    """The organisation's larger model should answer.

    Attributes:
        reason: `LOW_CONFIDENCE`, `INVALID` or `EVIDENCE`.
    """

    reason: Reason


def decide(candidate: Candidate, settings: Settings) -> Keep | Escalate:
    """Keep the local answer, or escalate, and why.

    A pure function of a candidate that may still be growing: low confidence is known at the third
    token, long before the text is. With the rule `paper` and the literal first three tokens this
    is Algorithm 1 of the paper (§4.2), with three corners that it leaves open: without log-probs
    the verdict alone decides; an unknown verdict never escalates; an answer that is empty after
    cleaning shows nothing and escalates nothing. The rule `evidence` asks a candidate with
    evidence for more confidence; the rule `score` asks for a score in the place of confidence.
    """
    if candidate.finished and not candidate.text:
        return Keep()
    router = applied(settings.router, candidate.model, candidate.language)
    needed = threshold_for(router, candidate.model, candidate.language).value
    fitted = fitted_for(candidate.model, candidate.language) if router.rule == "score" else None
    if fitted is not None:
        return _by_score(candidate, fitted.numbers, needed)
    return _by_confidence(candidate, router, needed)


def leans(candidate: Candidate, settings: Settings) -> bool:
    """Is what has come so far less sure than an answer must be? Decides nothing: it is too little.

    Of use to whoever can prepare for `Escalate`.
    """
    router = applied(settings.router, candidate.model, candidate.language)
    sureness = confidence(
        candidate.tokens,
        preamble=candidate.preamble,
        finished=True,
        which=router.confidence,
    ).value
    needed = threshold_for(router, candidate.model, candidate.language).value
    return sureness is not None and sureness < needed


def applied(router: Router, model: str, language: str) -> Router:
    """The settings with the rule that holds: `evidence` where `score` was fitted for no such model.

    Args:
        router: the settings.
        model: the model's name on its server, or "".
        language: LSP language id, or "".
    """
    if router.rule == "score" and fitted_for(model, language) is None:
        return replace(router, rule="evidence")
    return router


def suspicious(verdict: Verdict | None) -> bool:
    """True if there is evidence against a text, other than that it leaves something open."""
    return verdict is not None and any(each.kind in _TOLD for each in verdict.evidence)


def _by_confidence(candidate: Candidate, router: Router, needed: float) -> Keep | Escalate:
    sureness = confidence(
        candidate.tokens,
        preamble=candidate.preamble,
        finished=candidate.finished,
        which=router.confidence,
    ).value
    if sureness is not None and sureness < needed:
        return Escalate(Reason.LOW_CONFIDENCE)
    if _invalid(candidate):
        return Escalate(Reason.INVALID)
    if (
        router.rule == "evidence"
        and suspicious(candidate.verdict)
        and sureness is not None
        and sureness * SUSPICIOUS < needed
    ):
        return Escalate(Reason.EVIDENCE)
    return Keep()


def _by_score(candidate: Candidate, numbers: Numbers, needed: float) -> Keep | Escalate:
    """What can still be reached decides while the answer grows; then what it has come to."""
    if not candidate.finished:
        proper = candidate.tokens[candidate.preamble or 0 :]
        known = candidate.preamble is not None and len(proper) >= FIRST
        hopeless = known and best_reachable(proper, numbers) < needed
        return Escalate(Reason.LOW_CONFIDENCE) if hopeless else Keep()
    if _invalid(candidate):  # it would not be shown, whatever its score
        return Escalate(Reason.INVALID)
    signals = candidate.signals
    if signals is None or score(signals, numbers) >= needed:
        return Keep()
    undoubted = score(replace(signals, doubts=frozenset()), numbers)
    return Escalate(Reason.EVIDENCE if undoubted >= needed else Reason.LOW_CONFIDENCE)


def _invalid(candidate: Candidate) -> bool:
    return candidate.verdict is not None and candidate.verdict.outcome is Outcome.INVALID

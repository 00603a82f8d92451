"""What is offered, and where it came from."""

from dataclasses import dataclass, field
from enum import StrEnum

from synconfroute.validators.verdict import Evidence, Outcome


class Tier(StrEnum):
    """Who made the text."""

    LOCAL = "local"
    ORG = "org"


class Reason(StrEnum):
    """Why the answer is what it is.

    `KEPT`: the local answer passed. `LOW_CONFIDENCE`, `INVALID`, `EVIDENCE`: why it went to the
    org tier, or would have if one were configured. `SHADOW`: it would have gone there, and a rule
    has that only noted. `REFUSED_POLICY`, `REFUSED_BREAKER`, `LATE`:
    why it could not. `EMPTY`: the model had nothing to say. `UNWANTED`: no model was asked, since
    nobody asked for a completion where none is of use. `CANCELLED`: nobody waited for it any more.
    `ERROR`: no answer could be made.
    """

    KEPT = "kept"
    LOW_CONFIDENCE = "low_confidence"
    INVALID = "invalid"
    EVIDENCE = "evidence"
    SHADOW = "shadow"
    REFUSED_POLICY = "refused_policy"
    REFUSED_BREAKER = "refused_breaker"
    LATE = "late"
    EMPTY = "empty"
    UNWANTED = "unwanted"
    CANCELLED = "cancelled"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Provenance:
    """How an answer came about. Holds no source code.

    Attributes:
        tier: who made the text shown; None where nothing is shown.
        provider: "ollama", "embedded", "openai" or "org": which server made it, or was asked.
        model: the model that made it, or the local model where nothing is shown.
        confidence: the local candidate's, in (0, 1]; None where it is absent.
        verdict: of the text shown, or of the local candidate where nothing is shown.
        verdict_reason: one sentence: why that verdict.
        evidence: the local candidate's.
        reason: why.
        problem: one sentence about what failed on the way, or "".
        timings_ms: milliseconds since the request, where each happened: "local_first_token",
            "confidence", "local" (generated), "cleaned", "validation", "decided", "policy_asked",
            "policy", "org_sent", "org_answered", "org_cleaned", "org" (judged), "total".
        tokens_generated: by the local model.
        tokens_discarded: generated and not shown.
        request_id: joins the answer with its ledger entry.
        repaired: the verdict on the text as the model wrote it, where the text shown is a repair
            of it; else None.
        reused: the rest of a text that an earlier request got, which has this `request_id` too;
            all but the counts of tokens is as it was then.
        ahead: it was asked for before the editor asked, where the user would go on.
        alternative: which of several texts for one place: 0 the first, further ones from 1.
        reading: the local model only read the prompt, before anybody asked.
        context_files: of so many other files there were pieces for the prompt.
        org_problem: one sentence while the organisation's server is left alone, also where it was
            not needed; "" while it would be asked.
        redacted: so many texts that looked like secrets were replaced before it left.
        unrecorded: the ledger could not be written, so nothing left.
    """

    tier: Tier | None
    provider: str
    model: str
    confidence: float | None
    verdict: Outcome | None
    verdict_reason: str
    evidence: tuple[Evidence, ...]
    reason: Reason
    problem: str = ""
    timings_ms: dict[str, float] = field(default_factory=dict)
    tokens_generated: int = 0
    tokens_discarded: int = 0
    request_id: str = ""
    repaired: Outcome | None = None
    reused: bool = False
    ahead: bool = False
    alternative: int = 0
    reading: bool = False
    context_files: int = 0
    org_problem: str = ""
    redacted: int = 0
    unrecorded: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The text to show (None: nothing) and its provenance.

    Attributes:
        text: what is shown first.
        provenance: how that came about.
        others: further texts for the same place, where the user asked; each has no others.
    """

    text: str | None
    provenance: Provenance
    others: tuple["Answer", ...] = ()


def unasked(why: str) -> Answer:
    """The answer where no model was asked, with one sentence that says why."""
    made = Provenance(
        tier=None,
        provider="",
        model="",
        confidence=None,
        verdict=None,
        verdict_reason="",
        evidence=(),
        reason=Reason.UNWANTED,
        problem=why,
    )
    return Answer(None, made)

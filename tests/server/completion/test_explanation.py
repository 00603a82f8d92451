"""Every decision has its sentence."""

from dataclasses import replace

import pytest

from synconfroute.server.completion.answer import Provenance, Reason, Tier
from synconfroute.server.completion.explanation import explain
from synconfroute.validators.verdict import Outcome
from tests.server.completion.test_type_through import MADE

LOCAL = replace(MADE, tier=Tier.LOCAL, model="small", confidence=0.8, verdict=Outcome.VALID)
ORG = replace(LOCAL, tier=Tier.ORG, model="large")
NOTHING = replace(LOCAL, tier=None)


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (
            replace(LOCAL, reason=Reason.KEPT),
            "The local small wrote it (confidence 0.80); the parser found nothing wrong with it.",
        ),
        (
            replace(LOCAL, reason=Reason.KEPT, confidence=None, verdict=Outcome.UNKNOWN),
            "The local small wrote it (confidence unknown); the parser could not say anything"
            " about it.",
        ),
        (
            replace(LOCAL, reason=Reason.LOW_CONFIDENCE, confidence=0.2),
            "The local small wrote it (confidence 0.20); the parser found nothing wrong with it."
            " No better one could be had elsewhere.",
        ),
        (
            replace(LOCAL, reason=Reason.LATE, problem="It was late."),
            "The local small wrote it (confidence 0.80); the parser found nothing wrong with it."
            " It was late.",
        ),
        (
            replace(ORG, reason=Reason.INVALID),
            "The organisation's large wrote it, since the local answer would break the code"
            " (confidence 0.80); the parser found nothing wrong with it.",
        ),
        (
            replace(NOTHING, reason=Reason.EMPTY),
            "Nothing is shown: the model had nothing to add here.",
        ),
        (
            replace(NOTHING, reason=Reason.UNWANTED, problem="The cursor stands inside a word."),
            "Nothing is shown: the cursor stands inside a word.",
        ),
        (
            replace(NOTHING, reason=Reason.INVALID, verdict=Outcome.INVALID),
            "Nothing is shown, since the local answer would break the code (confidence 0.80).",
        ),
    ],
)
def test_what_is_said(made: Provenance, sentence: str) -> None:
    """Who wrote it, how sure, what the parser found, and why no other."""
    assert explain(made) == sentence


@pytest.mark.parametrize("tier", [None, *Tier])
@pytest.mark.parametrize("reason", Reason)
@pytest.mark.parametrize("verdict", [None, *Outcome])
def test_every_decision_is_explained(
    tier: Tier | None, reason: Reason, verdict: Outcome | None
) -> None:
    """Whatever tier, reason and verdict: whole sentences."""
    said = explain(replace(MADE, tier=tier, reason=reason, verdict=verdict))
    assert said[0].isupper()
    assert said.endswith(".")

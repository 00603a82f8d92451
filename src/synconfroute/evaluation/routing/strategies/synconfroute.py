"""`synconfroute`: sure and not invalid (paper, Algorithm 1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.metrics import first_three
from synconfroute.validators.verdict import Outcome

REJECTED = 2.0
"""Taken off what is rejected whatever its confidence: below every threshold, yet still in order."""


@dataclass(frozen=True, slots=True)
class Algorithm1:
    """Confidence, and below every threshold where the verdict is invalid."""

    def score(self, sight: Sight) -> float:
        """The confidence in [0, 1], or 2 less."""
        sure = first_three(sight.tokens)
        return sure - REJECTED if sight.verdict.outcome is Outcome.INVALID else sure


def synconfroute(examples: Sequence[Example]) -> Algorithm1:
    """Nothing is fitted but the threshold."""
    return Algorithm1()

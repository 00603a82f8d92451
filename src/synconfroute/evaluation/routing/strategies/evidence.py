"""`evidence`: Algorithm 1, where evidence asks for more confidence (the server's rule)."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.strategies.synconfroute import Algorithm1
from synconfroute.server.completion.router import SUSPICIOUS, suspicious
from synconfroute.validators.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The score of Algorithm 1; where there is evidence against it, only a part counts."""

    def score(self, sight: Sight) -> float:
        """In [0, 1], or 2 less where the verdict is invalid."""
        score = Algorithm1().score(sight)
        invalid = sight.verdict.outcome is Outcome.INVALID
        return score * SUSPICIOUS if suspicious(sight.verdict) and not invalid else score


def evidence(examples: Sequence[Example]) -> Suspicion:
    """Nothing is fitted but the threshold."""
    return Suspicion()

"""`confidence`: the local answer is kept where the model was sure of its beginning (paper §2.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.metrics import Metric, first_three


@dataclass(frozen=True, slots=True)
class Sureness:
    """Scores by a metric of the tokens."""

    metric: Metric = first_three

    def score(self, sight: Sight) -> float:
        """The metric."""
        return self.metric(sight.tokens)


def confidence(examples: Sequence[Example]) -> Sureness:
    """The paper's metric; nothing is fitted but the threshold."""
    return Sureness()

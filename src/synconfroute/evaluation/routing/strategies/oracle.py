"""The bound: whoever is right answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight


@dataclass(frozen=True, slots=True)
class Known:
    """Scores of tasks by what their answers turned out to be."""

    scores: Mapping[str, float]

    def score(self, sight: Sight) -> float:
        """1 where only the local answer is right, 0 where only the larger one is, else a half."""
        return self.scores[sight.task_id]


def oracle(examples: Sequence[Example]) -> Known:
    """Look up the answers themselves; where both are right or wrong the local one is kept."""
    return Known(
        {
            example.sight.task_id: 0.5 + 0.5 * (example.local_right - example.larger_right)
            for example in examples
        }
    )

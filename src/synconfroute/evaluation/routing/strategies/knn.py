"""`knn`: is the local model right on the 11 most similar holes (paper §2.4)?"""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.strategies.nearest import Nearest, Vector

K = 11


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The local model's record near a hole."""

    nearest: Nearest

    def score(self, sight: Sight) -> float:
        """The share of right local answers among the nearest examples."""
        found = self.nearest.find(sight, K)
        return sum(example.local_right for example in found) / len(found)


def knn(examples: Sequence[Example], vector: Vector) -> Neighbours:
    """Hold the examples by the embeddings of their holes."""
    return Neighbours(Nearest(examples, vector))

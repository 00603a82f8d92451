"""`eagle-binary` and `eagle-ternary`: ratings of the two models, overall and near a hole.

Zhao et al., Eagle (arXiv 2409.15518): the models play a match on each example; their ELO ratings
over all examples and over the nearest ones are mixed. The two variants of the routing paper (§2.4)
are not described there. Our reading: `binary` knows two results, and a match in which both are
right or both are wrong is won by the local model, since nothing was to be gained by sending it;
`ternary` counts such a match as a tie.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.strategies.nearest import Nearest, Vector

GLOBAL_SHARE = 0.5
"""P of Eagle: how much the rating over all examples counts."""
NEIGHBOURS = 20
"""N of Eagle: examples that the rating near a hole is made of."""
STEP = 32.0
"""K of Eagle: the most points that one match moves."""
SCALE = 400.0
"""Points of difference at which the odds are 10 to 1 (Elo, 1978)."""


@dataclass(frozen=True, slots=True)
class Eagle:
    """Ratings, as points that the local model is ahead.

    Attributes:
        nearest: the examples.
        overall: points ahead over all examples, in their order.
        tie: what a match counts in which both or neither are right, 1 a win of the local model.
    """

    nearest: Nearest
    overall: float
    tie: float

    def score(self, sight: Sight) -> float:
        """How likely the local model is to win, by the mixed rating.

        The rating near the hole goes on from the overall one, farthest neighbour first.
        """
        near = self.nearest.find(sight, NEIGHBOURS)[::-1]
        local = _played(near, self.tie, self.overall)
        return _expected(GLOBAL_SHARE * self.overall + (1 - GLOBAL_SHARE) * local)


def eagle_binary(examples: Sequence[Example], vector: Vector) -> Eagle:
    """A tie is won by the local model."""
    return Eagle(Nearest(examples, vector), _played(examples, 1.0), 1.0)


def eagle_ternary(examples: Sequence[Example], vector: Vector) -> Eagle:
    """Win, tie and loss."""
    return Eagle(Nearest(examples, vector), _played(examples, 0.5), 0.5)


def _played(examples: Sequence[Example], tie: float, ahead: float = 0.0) -> float:
    """The points that the local model is ahead after these matches."""
    for example in examples:
        won = float(example.local_right)
        result = tie if example.local_right == example.larger_right else won
        # What one model wins the other loses, so that the difference moves twice.
        ahead += 2 * STEP * (result - _expected(ahead))
    return ahead


def _expected(ahead: float) -> float:
    return float(1 / (1 + 10 ** (-ahead / SCALE)))

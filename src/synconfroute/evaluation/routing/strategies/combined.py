"""`combined`: the four features of the hole concatenated with its embedding (paper §2.4)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.features import features
from synconfroute.evaluation.routing.strategies.knn import Neighbours, knn
from synconfroute.evaluation.routing.strategies.nearest import Vector

if TYPE_CHECKING:
    import numpy as np


def combined(examples: Sequence[Example], vector: Vector) -> Neighbours:
    """Hold the examples by both; how they are weighed is our reading.

    The features are standardised on the examples and brought to length 1, so that they and the
    embedding count the same; then the 11 nearest decide, as in `knn`.
    """
    import numpy as np

    seen = np.array([features(example.sight) for example in examples])
    middle, spread = seen.mean(axis=0), seen.std(axis=0)
    spread[spread == 0.0] = 1.0

    def both(sight: Sight) -> "np.ndarray":
        standard = (np.array(features(sight)) - middle) / spread
        length = float(np.linalg.norm(standard))
        standard = standard / length if length > 0.0 else standard
        return np.concatenate([standard, vector(sight)]) / 2**0.5

    return knn(examples, both)

"""The examples whose holes are most like a hole."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from synconfroute.evaluation.routing.example import Example, Sight

if TYPE_CHECKING:
    import numpy as np

Vector = Callable[[Sight], "np.ndarray"]
"""What a hole is compared by: a vector of length 1, of the text around it and nothing else."""


class Nearest:
    """Examples, to be found by likeness."""

    def __init__(self, examples: Sequence[Example], vector: Vector) -> None:
        """Hold the examples.

        Args:
            examples: at least one.
            vector: of a hole.
        """
        import numpy as np

        self._vector = vector
        self._examples = examples
        self._vectors = np.array([vector(example.sight) for example in examples])

    def find(self, sight: Sight, count: int) -> list[Example]:
        """The nearest examples by cosine, nearest first; of equals the earlier."""
        import numpy as np

        likeness = self._vectors @ self._vector(sight)
        return [self._examples[index] for index in np.argsort(-likeness, kind="stable")[:count]]

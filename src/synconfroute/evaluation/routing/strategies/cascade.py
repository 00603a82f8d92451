"""`cascade`: a gate for low confidence, and a second one for borderline cases (paper §2.4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.grid import Scored, best, points
from synconfroute.evaluation.routing.metrics import first_three, geometric_mean
from synconfroute.evaluation.routing.strategies.synconfroute import REJECTED

_STEPS = tuple(index / 10 for index in range(11))


@dataclass(frozen=True, slots=True)
class Cascade:
    """Confidence, and below every threshold where a borderline answer is unsure as a whole.

    How the two gates combine is our reading: with the first threshold t1 on the score, an answer
    is escalated if c < t1, and if t1 ≤ c < t2 and the mean of all its tokens is below `mean`.

    Attributes:
        sure: t2, the confidence from which the mean does not matter.
        mean: what the mean of a borderline answer must reach.
    """

    sure: float
    mean: float

    def score(self, sight: Sight) -> float:
        """The confidence in [0, 1], or 2 less."""
        c = first_three(sight.tokens)
        return c if c >= self.sure or geometric_mean(sight.tokens) >= self.mean else c - REJECTED


def cascade(examples: Sequence[Example]) -> Cascade:
    """Pick t2 and the mean by 0.1, for the best pass@1 that a t1 gives; of equals the lowest."""
    seen = [
        (first_three(example.sight.tokens), geometric_mean(example.sight.tokens), example)
        for example in examples
    ]
    found = (-1.0, 0.0, 0.0)
    for sure in _STEPS:
        for mean in _STEPS:
            tasks = [
                Scored(
                    c if c >= sure or all_tokens >= mean else c - REJECTED,
                    example.local_right,
                    example.larger_right,
                )
                for c, all_tokens, example in seen
            ]
            quality = best(points(tasks)).pass_at_1 if tasks else 0.0
            if quality > found[0]:
                found = (quality, sure, mean)
    return Cascade(*found[1:])

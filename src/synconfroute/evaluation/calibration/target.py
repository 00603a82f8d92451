"""What a threshold is to be best at, and which point of a curve is."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.curve import Point

FEWEST = 50
"""Tasks that a threshold is chosen on, at least (paper, Algorithm 1)."""

PRECISION = 0.8
"""How many of the answers that are kept should be right, unless the user says otherwise."""


@dataclass(frozen=True, slots=True)
class Quality:
    """The best pass@1: Algorithm 1's objective.

    Attributes:
        at_most: share of requests that may be escalated.
    """

    at_most: float = 1.0

    def __str__(self) -> str:
        bound = "" if self.at_most >= 1 else f" with at most {self.at_most:.0%} escalated"
        return f"best pass@1{bound}"

    def choose(self, points: Sequence[Point]) -> Point:
        """The best point; of equals the one with the lowest threshold, which escalates least.

        Raises:
            EvaluationError: no threshold escalates as little.
        """
        allowed = [each for each in points if 1 - each.local_share <= self.at_most + 1e-9]
        if not allowed:
            least = 1 - max(each.local_share for each in points)
            raise EvaluationError(
                f"No threshold escalates at most {self.at_most:.0%}: invalid answers alone are"
                f" {least:.1%}; allow more with --at-most."
            )
        return max(allowed, key=lambda each: (each.pass_at_1, -each.threshold))


@dataclass(frozen=True, slots=True)
class Precision:
    """Enough of the kept answers are right.

    Not Algorithm 1's objective: nothing is known of what a larger model would have answered.

    Attributes:
        least: share of the kept answers that must be right.
    """

    least: float = PRECISION

    def __str__(self) -> str:
        return f"at least {self.least:.0%} of the kept answers right"

    def choose(self, points: Sequence[Point]) -> Point:
        """The lowest threshold that reaches it, which keeps most.

        Raises:
            EvaluationError: none does.
        """
        for each in sorted(points, key=lambda point: point.threshold):
            if each.precision is not None and each.precision >= self.least:
                return each
        best = max(each.precision or 0.0 for each in points)
        raise EvaluationError(
            f"No threshold makes {self.least:.0%} of the kept answers right: the best reaches"
            f" {best:.1%}; ask for less with --precision, or take a better model."
        )


def require_enough(tasks: int, what: str, remedy: str) -> None:
    """Refuse to choose a threshold on too few tasks.

    Args:
        tasks: how many there are.
        what: of what, such as "python".
        remedy: how to get more, one clause.

    Raises:
        EvaluationError: there are fewer than `FEWEST`.
    """
    if tasks < FEWEST:
        raise EvaluationError(
            f"There are {tasks} tasks of {what}, and a threshold needs {FEWEST}: chosen on fewer it"
            f" says more about which tasks were drawn than about the model; {remedy}."
        )

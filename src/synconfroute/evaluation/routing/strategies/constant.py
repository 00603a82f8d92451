"""Always the same model: `always-local` and `always-larger`."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight


@dataclass(frozen=True, slots=True)
class Constant:
    """Gives every answer the same score."""

    value: float

    def score(self, sight: Sight) -> float:
        """That score."""
        return self.value


def local(examples: Sequence[Example]) -> Constant:
    """Keep every answer."""
    return Constant(1.0)


def larger(examples: Sequence[Example]) -> Constant:
    """Keep none."""
    return Constant(0.0)

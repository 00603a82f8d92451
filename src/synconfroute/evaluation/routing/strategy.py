"""What a routing strategy is: something fitted on examples that gives each local answer a score."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from synconfroute.evaluation.routing.example import Example, Sight


class Rule(Protocol):
    """A strategy, fitted."""

    def score(self, sight: Sight) -> float:
        """How much speaks for keeping the local answer; kept where it reaches the threshold."""
        ...


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy under its fixed name.

    Attributes:
        name: as in the output.
        fit: makes a rule of examples whose answers are known.
        before: decides before the local model has answered, so that a request that is sent costs
            no local generation.
        judges: asks for the verdict on the answer.
        learned: its scores of the examples that it was fitted on flatter it.
        threshold: a fixed one; None: picked on other examples (`grid`).
        bound: no strategy but a bound: it reads the answers that it is scored by.
    """

    name: str
    fit: Callable[[Sequence[Example]], Rule]
    before: bool = False
    judges: bool = False
    learned: bool = False
    threshold: float | None = None
    bound: bool = False

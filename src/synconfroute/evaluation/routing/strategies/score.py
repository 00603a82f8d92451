"""`score`: the server's own score, its numbers fitted on other functions."""

from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.fitting import fit_numbers
from synconfroute.evaluation.routing.strategies.synconfroute import Algorithm1
from synconfroute.server.completion.score import Numbers, Signals, signals_of
from synconfroute.server.completion.score import score as probability


@dataclass(frozen=True, slots=True)
class Score:
    """The probability that the answer is right."""

    numbers: Numbers

    def score(self, sight: Sight) -> float:
        """In [0, 1]; without log-probs the verdict alone decides."""
        known = signals(sight)
        return Algorithm1().score(sight) if known is None else probability(known, self.numbers)


def signals(sight: Sight) -> Signals | None:
    """What the server would know of the answer, and that nothing but the hole is missing."""
    return signals_of(
        sight.tokens, sight.prefix, sight.text, sight.suffix, sight.verdict, complete=True
    )


def score(examples: Sequence[Example]) -> Score:
    """Fit the numbers."""
    known = [(signals(example.sight), example.local_right) for example in examples]
    return Score(fit_numbers([(found, right) for found, right in known if found is not None]))

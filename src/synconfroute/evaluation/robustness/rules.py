"""The rules whose threshold is tried elsewhere, with numbers that were fitted before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.strategies.confidence import confidence
from synconfroute.evaluation.routing.strategies.evidence import evidence
from synconfroute.evaluation.routing.strategies.score import Score, score
from synconfroute.evaluation.routing.strategies.synconfroute import synconfroute
from synconfroute.evaluation.routing.strategy import Strategy
from synconfroute.server.completion.score_numbers import fitted_for

PAPER = "synconfroute"
"""The rule that the others are compared with."""

_FITTED_IN = "python"
"""The language whose numbers stand in where a language has none of its own."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Some rules.

    Attributes:
        strategies: the paper's, and ours.
        numbers: one sentence: which numbers the score has.
    """

    strategies: tuple[Strategy, ...]
    numbers: str


@dataclass(frozen=True, slots=True)
class Shipped:
    """The score with the numbers that ship, by language."""

    by_language: Mapping[str, Score]

    def score(self, sight: Sight) -> float:
        """As the server scores; by the numbers of Python where the language has none."""
        return self.by_language.get(sight.language, self.by_language[_FITTED_IN]).score(sight)


def rules(model: str) -> Rules:
    """The rules for a local model.

    Where numbers of its score ship, these are used as they are; else they are fitted on the tasks
    that a threshold is picked on, as `eval routes` does.

    Args:
        model: its name on its server.
    """
    fixed = (
        Strategy("confidence", confidence),
        Strategy(PAPER, synconfroute, judges=True),
        Strategy("evidence", evidence, judges=True),
    )
    shipped = {
        language: fitted
        for language in ("python", "java", "cpp", "csharp")
        if (fitted := fitted_for(model, language)) is not None
    }
    if _FITTED_IN not in shipped:
        learned = Strategy("score", score, judges=True, learned=True)
        return Rules(
            (*fixed, learned),
            f"No numbers of {model} ship: its score is fitted where the threshold is picked.",
        )
    rule = Shipped({language: Score(fitted.numbers) for language, fitted in shipped.items()})

    def as_shipped(examples: Sequence[Example]) -> Shipped:
        return rule

    return Rules(
        (*fixed, Strategy("score", as_shipped, judges=True)),
        f"The score has the numbers that ship for {model} in {', '.join(shipped)}"
        f" ({shipped[_FITTED_IN].run}); other languages have those of {_FITTED_IN}.",
    )

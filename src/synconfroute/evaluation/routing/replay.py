"""A strategy replayed: fitted on some tasks, its threshold picked there, tested on others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.folds import Split, by_function
from synconfroute.evaluation.routing.grid import Point, Scored, best, points
from synconfroute.evaluation.routing.strategy import Strategy

INNER_FOLDS = 4
"""Folds, within the tasks that a learned rule is fitted on, for the scores its threshold is
picked by."""

Choose = Callable[[Sequence[Point]], Point]
"""Takes one point of a grid."""


@dataclass(frozen=True, slots=True)
class Routed:
    """A tested task.

    Attributes:
        example: the task.
        score: what the strategy gave it, fitted on others.
        threshold: what was picked on others.
    """

    example: Example
    score: float
    threshold: float

    @property
    def kept(self) -> bool:
        """True if the local answer is kept."""
        return self.score >= self.threshold

    @property
    def right(self) -> bool:
        """True if the answer that the user gets passed."""
        return self.example.local_right if self.kept else self.example.larger_right

    @property
    def scored(self) -> Scored:
        """The task for a curve."""
        return Scored(self.score, self.example.local_right, self.example.larger_right)


def replay(
    strategy: Strategy,
    examples: Sequence[Example],
    splits: Sequence[Split],
    choose: Choose = best,
) -> list[Routed]:
    """The tested tasks of all splits.

    Args:
        strategy: what to replay.
        examples: all tasks.
        splits: which to fit on and which to test on.
        choose: takes the threshold of a grid.
    """
    return [
        routed
        for fitted, tested in splits
        for routed in _tested(
            strategy,
            [examples[index] for index in fitted],
            [examples[index] for index in tested],
            choose,
        )
    ]


def picked(strategy: Strategy, examples: Sequence[Example], choose: Choose = best) -> float:
    """The threshold: its own, or the best of the grid on these tasks, or the one chosen.

    A learned rule is judged by scores of tasks whose function it was not fitted on, where there
    are two functions.
    """
    if strategy.threshold is not None:
        return strategy.threshold
    splits = by_function(examples, INNER_FOLDS) if strategy.learned else []
    if len(splits) < 2:
        everything = list(range(len(examples)))
        splits = [(everything, everything)]
    scored = [task for split in splits for task in _scored(strategy, examples, split)]
    return choose(points(scored)).threshold


def _tested(
    strategy: Strategy, fitted: Sequence[Example], tested: Sequence[Example], choose: Choose
) -> list[Routed]:
    threshold = picked(strategy, fitted, choose)
    rule = strategy.fit(tested if strategy.bound else fitted)
    return [Routed(example, rule.score(example.sight), threshold) for example in tested]


def _scored(strategy: Strategy, examples: Sequence[Example], split: Split) -> list[Scored]:
    fitted, tested = split
    rule = strategy.fit([examples[index] for index in fitted])
    return [
        Scored(
            rule.score(examples[index].sight),
            examples[index].local_right,
            examples[index].larger_right,
        )
        for index in tested
    ]

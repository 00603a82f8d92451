"""A threshold, and a score's numbers, taken from one benchmark to another unchanged."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from synconfroute.evaluation.robustness.rules import PAPER
from synconfroute.evaluation.routing.curve import area, curve
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.folds import by_function
from synconfroute.evaluation.routing.grid import Scored, best_within
from synconfroute.evaluation.routing.replay import Choose, Routed, picked, replay
from synconfroute.evaluation.routing.statistics import Share, bootstrapped, share
from synconfroute.evaluation.routing.strategy import Rule, Strategy

_RESAMPLES = 500
"""Of an area; it takes a curve each."""


@dataclass(frozen=True, slots=True)
class Split:
    """Tasks that are told apart.

    Attributes:
        name: of their benchmark, or "all" for all that are executed.
        examples: the tasks, of at least two functions.
    """

    name: str
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class At:
    """A rule at a threshold.

    Attributes:
        threshold: the median of those picked.
        pass_at_1: of the routed rule.
        local_share: tasks whose local answer is kept.
    """

    threshold: float
    pass_at_1: Share
    local_share: float


@dataclass(frozen=True, slots=True)
class Moved:
    """A rule on another benchmark.

    Attributes:
        rule: its name.
        area: mean pass@1 over all local shares: the area under quality over local share.
        over_paper: what that is more than the paper's rule has.
        moved: with the threshold from the first benchmark.
        tuned: with a threshold picked here, on other functions (five folds).
        lost: what the moved threshold loses against the tuned one, pass@1.
    """

    rule: str
    area: Share
    over_paper: Share
    moved: At
    tuned: At
    lost: Share


@dataclass(frozen=True, slots=True)
class SplitMoved:
    """All rules on one split.

    Attributes:
        split: its name.
        tasks: how many.
        local: pass@1 of always the local answer.
        larger: pass@1 of always the larger model's.
        rules: each rule.
    """

    split: str
    tasks: int
    local: Share
    larger: Share
    rules: tuple[Moved, ...]


def move(
    strategies: Sequence[Strategy],
    source: Sequence[Example],
    splits: Sequence[Split],
    most_escalated: float = 1.0,
) -> list[SplitMoved]:
    """Fit the rules and pick their thresholds on one benchmark, and try them on another.

    Args:
        strategies: the rules, the paper's among them.
        source: the first benchmark's tasks.
        splits: the other's.
        most_escalated: the largest share that a threshold may escalate where it is picked.
    """
    choose = partial(best_within, most_escalated=most_escalated)
    fitted = [(each, each.fit(source), picked(each, source, choose)) for each in strategies]
    return [_moved(split, fitted, choose) for split in splits]


def _moved(
    split: Split, fitted: Sequence[tuple[Strategy, Rule, float]], choose: Choose
) -> SplitMoved:
    examples = split.examples
    groups = [each.sight.group for each in examples]
    scored = {strategy.name: _scored(rule, examples) for strategy, rule, _ in fitted}
    return SplitMoved(
        split.name,
        len(examples),
        share([each.local_right for each in examples], groups),
        share([each.larger_right for each in examples], groups),
        tuple(
            _rule(strategy.name, rule, threshold, split, scored, choose)
            for strategy, rule, threshold in fitted
        ),
    )


def _rule(
    name: str,
    rule: Rule,
    threshold: float,
    split: Split,
    scored: dict[str, list[Scored]],
    choose: Choose,
) -> Moved:
    examples = split.examples
    groups = [each.sight.group for each in examples]
    moved = [Routed(each, rule.score(each.sight), threshold) for each in examples]
    # The numbers stay: only the threshold is picked anew.
    tuned = _in_order(
        replay(Strategy(name, lambda _: rule), examples, by_function(examples), choose), examples
    )
    lost = [best.right - ours.right for best, ours in zip(tuned, moved, strict=True)]
    ours, papers = scored[name], scored[PAPER]
    return Moved(
        name,
        _area(ours, groups),
        _difference(ours, papers, groups),
        _at(moved, groups),
        _at(tuned, groups),
        share(lost, groups),
    )


def _scored(rule: Rule, examples: Sequence[Example]) -> list[Scored]:
    return [
        Scored(rule.score(each.sight), each.local_right, each.larger_right) for each in examples
    ]


def _in_order(routed: Sequence[Routed], examples: Sequence[Example]) -> list[Routed]:
    """The tasks in the order of the examples: folds mix them."""
    by_task = {id(task.example): task for task in routed}
    return [by_task[id(example)] for example in examples]


def _at(routed: Sequence[Routed], groups: Sequence[str]) -> At:
    return At(
        median(task.threshold for task in routed),
        share([task.right for task in routed], groups),
        sum(task.kept for task in routed) / len(routed),
    )


def _area(tasks: Sequence[Scored], groups: Sequence[str]) -> Share:
    def of(places: Sequence[int]) -> float:
        return area(curve([tasks[place] for place in places]))

    return Share(of(range(len(tasks))), *bootstrapped(of, groups, _RESAMPLES))


def _difference(ours: Sequence[Scored], papers: Sequence[Scored], groups: Sequence[str]) -> Share:
    def of(places: Sequence[int]) -> float:
        areas = [area(curve([tasks[place] for place in places])) for tasks in (ours, papers)]
        return areas[0] - areas[1]

    return Share(of(range(len(ours))), *bootstrapped(of, groups, _RESAMPLES))

"""A whole replay: every strategy on the same tasks, compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from synconfroute.evaluation.routing.curve import Curve, curve
from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.folds import as_in_paper, by_function
from synconfroute.evaluation.routing.grid import Scored, points
from synconfroute.evaluation.routing.metrics import METRICS
from synconfroute.evaluation.routing.replay import Routed, replay
from synconfroute.evaluation.routing.row import Row, row
from synconfroute.evaluation.routing.statistics import mcnemar
from synconfroute.evaluation.routing.strategy import Strategy
from synconfroute.validators.verdict import Outcome

Protocol = Literal["cv", "paper"]


@dataclass(frozen=True, slots=True)
class Compared:
    """McNemar's test of two strategies.

    Attributes:
        first: a strategy.
        second: another.
        only_first: tasks that only the first has right.
        only_second: tasks that only the second has right.
        p: how likely a split at least so uneven is if neither is better.
    """

    first: str
    second: str
    only_first: int
    only_second: int
    p: float


@dataclass(frozen=True, slots=True)
class Claims:
    """Two claims of the paper, on these tasks.

    Attributes:
        worse_at: thresholds of the grid at which Algorithm 1 has a lower pass@1 than confidence
            alone; the paper's claim holds where there is none.
        rejected: right local answers that were judged invalid, by task; the same.
    """

    worse_at: tuple[float, ...]
    rejected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """What a replay found.

    Attributes:
        tasks: how many were tested.
        rows: one a strategy.
        curves: quality over local share, by strategy.
        metrics: the same of the confidence metrics.
        routed: each tested task with its score, by strategy.
        compared: each strategy with each.
        claims: what the paper claims.
    """

    tasks: int
    rows: tuple[Row, ...]
    curves: Mapping[str, Curve]
    metrics: Mapping[str, Curve]
    routed: Mapping[str, Sequence[Routed]]
    compared: tuple[Compared, ...]
    claims: Claims


def study(examples: Sequence[Example], strategies: Sequence[Strategy], protocol: Protocol) -> Study:
    """Replay the strategies.

    Args:
        examples: at least two, of at least two functions.
        strategies: with `confidence` and `synconfroute` among them.
        protocol: "cv": five folds by function, every task tested; "paper": fitted on 200 tasks,
            tested on the others.
    """
    from threadpoolctl import threadpool_limits

    splits = as_in_paper(examples) if protocol == "paper" else by_function(examples)
    with threadpool_limits(1):  # the matrices are small: threads would only wait for each other
        routed = {each.name: replay(each, examples, splits) for each in strategies}
    tested = [task.example for task in next(iter(routed.values()))]
    return Study(
        len(tested),
        tuple(row(each, routed[each.name]) for each in strategies),
        {name: curve([task.scored for task in tasks]) for name, tasks in routed.items()},
        {name: curve(_by_metric(tested, name)) for name in METRICS},
        routed,
        tuple(_compare(routed, *names) for names in combinations(routed, 2)),
        _claims(routed, tested),
    )


def _by_metric(tasks: Sequence[Example], name: str) -> list[Scored]:
    metric = METRICS[name]
    return [
        Scored(metric(each.sight.tokens), each.local_right, each.larger_right) for each in tasks
    ]


def _compare(routed: Mapping[str, Sequence[Routed]], first: str, second: str) -> Compared:
    answers = ([task.right for task in routed[name]] for name in (first, second))
    return Compared(first, second, *mcnemar(*answers))


def _claims(routed: Mapping[str, Sequence[Routed]], tested: Sequence[Example]) -> Claims:
    ours, theirs = (
        points([task.scored for task in routed[name]]) for name in ("synconfroute", "confidence")
    )
    return Claims(
        tuple(
            mine.threshold
            for mine, its in zip(ours, theirs, strict=True)
            if mine.pass_at_1 < its.pass_at_1
        ),
        tuple(
            each.sight.task_id
            for each in tested
            if each.local_right and each.sight.verdict.outcome is Outcome.INVALID
        ),
    )

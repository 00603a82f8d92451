"""What each way of cutting gets right, by benchmark and in total."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.cutting.ways import WAYS, Ways
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.routing.statistics import RESAMPLES, Share, share

BEST = "best"
"""The best cut there is: up to any line end, chosen with the tests in hand."""
TOTAL = "total"
_SEED = 42

Execute = Callable[[Sequence[tuple[Task, str]]], Sequence[bool]]


@dataclass(frozen=True, slots=True)
class Part:
    """The answers to one benchmark, or all of them.

    Attributes:
        bench: the benchmark, or `TOTAL`.
        tasks: how many.
        pass_at_1: of each way, and of `BEST`.
        of_best: what the structural stop reaches of the best cut; None where that is nothing.
        tokens: that were generated.
        saved: how many of these the server would not have waited for.
    """

    bench: str
    tasks: int
    pass_at_1: Mapping[str, Share]
    of_best: Share | None
    tokens: int
    saved: int


def study(answers: Sequence[Ways], execute: Execute) -> list[Part]:
    """Execute every cut, and count. The total comes last.

    Args:
        answers: cut in each way.
        execute: says which texts pass.
    """
    pairs = list(dict.fromkeys((each.stored.task, text) for each in answers for text in _of(each)))
    passes = dict(zip(pairs, execute(pairs), strict=True))
    right = [
        {way: passes[each.stored.task, each.texts[way]] for way in WAYS}
        | {BEST: any(passes[each.stored.task, end] for end in each.ends)}
        for each in answers
    ]
    benches = dict.fromkeys(each.stored.task.bench for each in answers)
    chosen = {
        bench: [at for at, each in enumerate(answers) if each.stored.task.bench == bench]
        for bench in benches
    }
    return [
        _part(bench, [answers[at] for at in places], [right[at] for at in places])
        for bench, places in (chosen | {TOTAL: list(range(len(answers)))}).items()
    ]


def _of(answer: Ways) -> list[str]:
    return [*answer.texts.values(), *answer.ends]


def _part(bench: str, answers: Sequence[Ways], right: Sequence[Mapping[str, bool]]) -> Part:
    groups = [each.stored.task.group for each in answers]
    tokens = sum(len(each.stored.prediction.tokens) for each in answers)
    return Part(
        bench,
        len(answers),
        {way: share([each[way] for each in right], groups) for way in (*WAYS, BEST)},
        _ratio([each["structural"] for each in right], [each[BEST] for each in right], groups),
        tokens,
        tokens - sum(each.tokens for each in answers),
    )


def _ratio(ours: Sequence[bool], best: Sequence[bool], groups: Sequence[str]) -> Share | None:
    """How much of the best is reached, with its interval, whole functions drawn."""
    import numpy as np

    if not any(best):
        return None
    names = {group: at for at, group in enumerate(dict.fromkeys(groups))}
    table = np.zeros((len(names), 2))
    for one, other, group in zip(ours, best, groups, strict=True):
        table[names[group]] += one, other
    drawn = np.random.default_rng(_SEED).integers(len(table), size=(RESAMPLES, len(table)))
    sums = table[drawn].sum(axis=1)
    sums = sums[sums[:, 1] > 0]
    low, high = np.percentile(sums[:, 0] / sums[:, 1], [2.5, 97.5])
    return Share(sum(ours) / sum(best), float(low), float(high))

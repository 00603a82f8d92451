"""Answers with examples in their prompts against answers without, on the same tasks."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.routing.statistics import Share, mcnemar, share
from synconfroute.evaluation.shots.copying import KINDS, Cue, Kind, cues_of, kind_of, levelled

Execute = Callable[[Sequence[tuple[Task, str]]], Sequence[bool]]
"""Whether each text passes as the answer to its task."""


@dataclass(frozen=True, slots=True)
class Pair:
    """One task's answers.

    Attributes:
        zero: without examples.
        shot: with them.
        examples: what stood in the prompt, each with its answer as `truth`.
    """

    zero: Stored
    shot: Stored
    examples: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Regression:
    """A task that was right without examples and is wrong with them.

    Attributes:
        task_id: the task.
        kind: of what kind.
        cues: all that speak for copying, sorted.
    """

    task_id: str
    kind: Kind
    cues: tuple[Cue, ...]


@dataclass(frozen=True, slots=True)
class Arm:
    """What examples of one sort do to one model's answers to one benchmark.

    Attributes:
        name: how many examples, and how they were found.
        bench: the benchmark.
        tasks: how many.
        zero: pass@1 without examples.
        shot: pass@1 with them.
        change: the difference.
        gained: tasks that are right only with examples.
        p: McNemar's test, how likely a split of gained and lost so uneven is by chance.
        kinds: regressions of each kind.
        cues: regressions with each cue; one may have several.
        lost: the regressions.
    """

    name: str
    bench: str
    tasks: int
    zero: Share
    shot: Share
    change: Share
    gained: int
    p: float
    kinds: Mapping[Kind, int]
    cues: Mapping[Cue, int]
    lost: tuple[Regression, ...]


def compare(name: str, pairs: Sequence[Pair], execute: Execute) -> list[Arm]:
    """Execute the cleaned answers, and compare; one arm for each benchmark among the tasks.

    Args:
        name: of the arm.
        pairs: one a task.
        execute: says which texts pass.
    """
    benches = dict.fromkeys(each.zero.task.bench for each in pairs)
    return [
        _arm(name, bench, [each for each in pairs if each.zero.task.bench == bench], execute)
        for bench in benches
    ]


def _arm(name: str, bench: str, pairs: Sequence[Pair], execute: Execute) -> Arm:
    tasks = [each.zero.task for each in pairs]
    groups = [task.group for task in tasks]
    texts = [each.zero.cleaned for each in pairs] + [each.shot.cleaned for each in pairs]
    passed = list(execute(list(zip([*tasks, *tasks], texts, strict=True))))
    zero, shot = passed[: len(pairs)], passed[len(pairs) :]
    gained, _, p = mcnemar(shot, zero)
    pairs_lost = [
        each for each, before, after in zip(pairs, zero, shot, strict=True) if before and not after
    ]
    lost = _regressions(pairs_lost, execute)
    kinds = Counter(each.kind for each in lost)
    return Arm(
        name,
        bench,
        len(pairs),
        share(zero, groups),
        share(shot, groups),
        share([after - before for before, after in zip(zero, shot, strict=True)], groups),
        gained,
        p,
        {kind: kinds[kind] for kind in KINDS},
        dict(Counter(cue for each in lost for cue in each.cues)),
        lost,
    )


def _regressions(pairs: Sequence[Pair], execute: Execute) -> tuple[Regression, ...]:
    moved = [levelled(each.zero.task, each.shot.cleaned) for each in pairs]
    passed = execute([(each.zero.task, text) for each, text in zip(pairs, moved, strict=True)])
    return tuple(map(_regression, pairs, passed))


def _regression(pair: Pair, right_when_moved: bool) -> Regression:
    cues = set(cues_of(pair.zero.task, pair.shot.cleaned, pair.zero.cleaned, pair.examples))
    if right_when_moved:
        cues.add("level")
    return Regression(pair.zero.task.id, kind_of(cues), tuple(sorted(cues)))

"""What each level comes to, by its answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.latency.document import Spread
from synconfroute.evaluation.latency.spread import spread
from synconfroute.evaluation.routing.statistics import Share, mcnemar, share

Execute = Callable[[Sequence[tuple[Task, str]]], Sequence[bool]]
"""Whether each text passes as the answer to its task."""


@dataclass(frozen=True, slots=True)
class Level:
    """One level on one benchmark.

    Attributes:
        model: the level's name.
        bench: the benchmark.
        tasks: how many it answered.
        pass_at_1: of its cleaned answers.
        change: what that is more than the first level has, on the tasks of both; None without any,
            and of the first.
        p: McNemar's test of that.
        valid: answers that were judged valid; None where no file says.
        seconds: of an answer; None where no file says.
        weights_bytes: of its file; None where that is not known.
        engine_bytes: the most resident memory of the engine behind an answer; None the same.
    """

    model: str
    bench: str
    tasks: int
    pass_at_1: Share
    change: Share | None
    p: float | None
    valid: Share | None
    seconds: Spread | None
    weights_bytes: int | None
    engine_bytes: int | None


def levels(answers: Mapping[str, Sequence[Stored]], execute: Execute) -> list[Level]:
    """Execute the cleaned answers and compare; one level for each benchmark among them.

    Args:
        answers: each level's, by its name; the first is what the others are compared with.
        execute: says which texts pass.
    """
    benches = dict.fromkeys(each.task.bench for level in answers.values() for each in level)
    return [level for bench in benches for level in _of_bench(bench, answers, execute)]


def _of_bench(bench: str, answers: Mapping[str, Sequence[Stored]], execute: Execute) -> list[Level]:
    first: dict[str, bool] | None = None
    found = []
    for name, level in answers.items():
        stored = [each for each in level if each.task.bench == bench]
        if not stored:
            continue
        passed = execute([(each.task, each.cleaned) for each in stored])
        right = {each.task.id: held for each, held in zip(stored, passed, strict=True)}
        found.append(_level(name, bench, stored, right, first or {}))
        first = right if first is None else first
    return found


def _level(
    name: str,
    bench: str,
    stored: Sequence[Stored],
    right: Mapping[str, bool],
    first: Mapping[str, bool],
) -> Level:
    groups = [each.task.group for each in stored]
    common = [each.task for each in stored if each.task.id in first]
    ours, theirs = ([passed[task.id] for task in common] for passed in (right, first))
    changes = [after - before for before, after in zip(theirs, ours, strict=True)]
    seconds = [each.prediction.seconds for each in stored]
    timed = [value for value in seconds if value is not None]
    verdicts = [each.prediction.provenance.get("verdict") for each in stored]
    return Level(
        name,
        bench,
        len(stored),
        share([right[each.task.id] for each in stored], groups),
        share(changes, [task.group for task in common]) if common else None,
        mcnemar(ours, theirs)[2] if common else None,
        share([verdict == "valid" for verdict in verdicts], groups) if any(verdicts) else None,
        spread(timed, groups) if len(timed) == len(stored) else None,
        _most(stored, "weights_bytes"),
        _most(stored, "engine_bytes"),
    )


def _most(stored: Sequence[Stored], name: str) -> int | None:
    told = [each.prediction.provenance.get(name) for each in stored]
    return max((int(value) for value in told if value), default=None)

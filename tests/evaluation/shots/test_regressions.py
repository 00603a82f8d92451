"""Answers with examples against answers without."""

from collections.abc import Sequence

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.shots.regressions import Pair, compare
from tests.evaluation.generation.functions import answer, task, tasks

RIGHT, WRONG = "    return a + b", "    return a - b"


def pair(number: int, zero: str, shot: str, examples: Sequence[Task] = ()) -> Pair:
    """One task with both answers."""
    to = task(number)
    return Pair(Stored(to, answer(to, zero)), Stored(to, answer(to, shot)), tuple(examples))


def execute(pairs: Sequence[tuple[Task, str]]) -> list[bool]:
    """Right is what the truth is, at its very column."""
    return [text == task.truth for task, text in pairs]


def test_gained_lost_and_why() -> None:
    """Each regression has one kind; the change is counted over all tasks."""
    (example,) = tasks(1)
    pairs = [
        pair(1, RIGHT, RIGHT),
        pair(2, WRONG, RIGHT),
        pair(3, WRONG, WRONG),
        pair(4, RIGHT, "  return a + b"),
        pair(5, RIGHT, "    return add_0(a, b)", [example]),
        pair(6, RIGHT, WRONG, [example]),
    ]
    (arm,) = compare("1-shot static", pairs, execute)
    assert (arm.name, arm.bench, arm.tasks) == ("1-shot static", "humaneval-single-line", 6)
    assert (arm.zero.value, arm.shot.value) == (4 / 6, 2 / 6)
    assert round(arm.change.value, 9) == round(-2 / 6, 9)
    assert arm.change.low <= arm.change.value <= arm.change.high
    assert arm.gained == 1
    assert [(each.task_id, each.kind, each.cues) for each in arm.lost] == [
        (task(4).id, "indentation", ("level",)),
        (task(5).id, "content", ("name",)),
        (task(6).id, "other", ()),
    ]
    assert arm.kinds == {"indentation": 1, "content": 1, "other": 1}
    assert arm.cues == {"level": 1, "name": 1}
    assert arm.p == 0.625  # 1 gained, 3 lost: 2 * (1 + 4) / 16


def test_benchmarks_are_never_averaged() -> None:
    """Each has an arm of its own."""
    one, other = task(1), task(1, "safim-control-python")
    pairs = [
        Pair(Stored(to, answer(to, RIGHT)), Stored(to, answer(to, WRONG)), ())
        for to in (one, other)
    ]
    arms = compare("1-shot static", pairs, execute)
    assert [(arm.bench, arm.tasks, len(arm.lost)) for arm in arms] == [
        ("humaneval-single-line", 1, 1),
        ("safim-control-python", 1, 1),
    ]

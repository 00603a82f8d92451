"""What levels come to, by their answers."""

from collections.abc import Sequence
from dataclasses import replace

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.quantization.levels import levels
from tests.evaluation.generation.functions import answer, task

RIGHT, WRONG = "    return a + b", "    return a - b"


def stored(number: int, text: str, bench: str = "humaneval-single-line", **row: object) -> Stored:
    """An answer that took as many tenths of a second as its task's number."""
    to = task(number, bench)
    prediction = answer(to, text)
    made = {**prediction.provenance, **row}
    return Stored(to, replace(prediction, seconds=number / 10, provenance=made))


def execute(pairs: Sequence[tuple[Task, str]]) -> list[bool]:
    """Right is what the truth is."""
    return [text == task.truth for task, text in pairs]


def test_each_level_against_the_first() -> None:
    """Shares over all its own tasks, the change over those of both; the most memory counts."""
    first = [stored(number, RIGHT, verdict="valid") for number in (1, 2, 3, 4)]
    second = [
        stored(1, RIGHT, verdict="valid", weights_bytes=400, engine_bytes=700),
        stored(2, WRONG, verdict="invalid", weights_bytes=400, engine_bytes=900),
        stored(9, WRONG, verdict="valid"),
    ]
    one, two = levels({"Q8_0": first, "Q2_K": second}, execute)
    assert (one.model, one.tasks, one.pass_at_1.value) == ("Q8_0", 4, 1.0)
    assert (one.change, one.p, one.weights_bytes, one.engine_bytes) == (None, None, None, None)
    assert (two.model, two.tasks, two.pass_at_1.value) == ("Q2_K", 3, 1 / 3)
    assert two.change is not None
    assert two.change.value == -0.5
    assert two.valid is not None
    assert two.valid.value == 2 / 3
    assert two.seconds is not None
    assert two.seconds.median == 0.2
    assert (two.weights_bytes, two.engine_bytes) == (400, 900)


def test_benchmarks_are_never_averaged() -> None:
    """A level that lacks one is left out there."""
    both = [stored(1, RIGHT), stored(1, WRONG, "safim-control-python")]
    found = levels({"a": both, "b": both[:1]}, execute)
    assert [(each.model, each.bench, each.pass_at_1.value) for each in found] == [
        ("a", "humaneval-single-line", 1.0),
        ("b", "humaneval-single-line", 1.0),
        ("a", "safim-control-python", 0.0),
    ]


def test_what_no_file_says_is_not_known() -> None:
    """No verdict, no time, no task in common: nothing is made up."""
    one = replace(stored(1, RIGHT).prediction, seconds=None)
    _, other = levels({"a": [stored(2, RIGHT)], "b": [Stored(task(1), one)]}, execute)
    assert (other.change, other.p, other.valid, other.seconds) == (None, None, None, None)

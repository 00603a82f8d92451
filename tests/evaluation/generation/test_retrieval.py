"""Which solved tasks stand in a prompt."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets import drawn_for_calibration
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation import retrieval
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import Examples
from synconfroute.evaluation.generation.plan import Draw, plan
from synconfroute.evaluation.generation.retrieval import order_of
from tests.evaluation.generation.functions import task, tasks, write_benchmark


def about(number: int, words: str) -> Task:
    """A task in whose code these words stand."""
    return replace(task(number), prefix=f"{words}\n{task(number).prefix}")


def test_random_examples_are_drawn_for_each_task_and_stay() -> None:
    """Another task has others, the same task the same ones in each run."""
    pool = tasks(40)
    first, again = (Examples(order_of("random", pool), 3) for _ in range(2))
    chosen = {tuple(example.id for example in first.of(each)) for each in pool}
    assert len(chosen) > 30
    assert all(first.of(each) == again.of(each) for each in pool)
    assert all(each.group not in {one.group for one in first.of(each)} for each in pool)


def test_words_that_are_rare_find_the_example() -> None:
    """What all tasks have counts little; the nearest comes first, the task's own function never."""
    pool = [about(0, "parse_header reader"), about(1, "matrix row column"), about(2, "matrix")]
    examples = Examples(order_of("tfidf", pool), 2)
    assert [each.id for each in examples.of(about(7, "row of a matrix"))] == [
        pool[1].id,
        pool[2].id,
    ]
    assert examples.of(pool[1])[0].id == pool[2].id


def test_the_nearest_vectors_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the cosine of the text around; of equals the earlier."""

    def vectors_around(holes: list[tuple[str, str]]) -> list[np.ndarray]:
        places = {"near": (1.0, 0.0), "mid": (0.8, 0.6), "far": (0.0, 1.0)}
        return [np.array(places[prefix.split()[0]]) for prefix, _ in holes]

    monkeypatch.setattr(
        "synconfroute.evaluation.routing.embedding.holes.vectors_around", vectors_around
    )
    pool = [about(0, "far"), about(1, "mid"), about(2, "near"), about(3, "near")]
    found = Examples(order_of("embedding", pool), 3).of(about(9, "near"))
    assert [each.id for each in found] == [pool[2].id, pool[3].id, pool[1].id]


@pytest.mark.parametrize("how", ["static", "random", "tfidf"])
def test_examples_are_calibration_tasks(tmp_path: Path, how: retrieval.Retrieval) -> None:
    """Nothing that a rule is tested on stands in a prompt."""
    write_benchmark(tmp_path, 30)
    bench = "humaneval-single-line"
    planned = plan(Draw(tmp_path, bench), Conditions(shots=5, examples=how))
    allowed = {planned.tasks[index].id for index in drawn_for_calibration(30)}
    assert len(allowed) == 15
    for each in planned.tasks:
        ids = [example.id for example in planned.examples[bench].of(each)]
        assert len(set(ids)) == 5
        assert set(ids) <= allowed - {each.id}


def test_a_models_own_answers_stand_in_the_examples(tmp_path: Path) -> None:
    """Instead of the true code; tasks that it has no answer to are no examples."""
    write_benchmark(tmp_path, 8)
    bench = "humaneval-single-line"
    draw, conditions = Draw(tmp_path, bench), Conditions(shots=2)
    by_truth = plan(draw, conditions)
    pool = [by_truth.tasks[index] for index in drawn_for_calibration(8)]
    answers = {(bench, pool[0].id): "    return b + a", (bench, pool[1].id): ""}
    planned = plan(draw, conditions, answers)
    other = next(each for each in planned.tasks if each.id not in {one.id for one in pool})
    (example,) = planned.examples[bench].of(other)
    assert (example.id, example.truth) == (pool[0].id, "    return b + a")
    with pytest.raises(EvaluationError, match="may be an example has an answer"):
        plan(draw, conditions, {})

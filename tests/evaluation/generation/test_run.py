"""A run: each task is asked for once and executed once, also across runs and failures."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from synconfroute.errors import EvaluationError, ServerUnreachable
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.generation.run import run
from synconfroute.evaluation.predictions import Prediction, read_predictions
from tests.evaluation.generation.functions import answer, tasks


class Model:
    """Answers tasks, until it dies."""

    def __init__(self, dies_after: int = 1000) -> None:
        self.asked: list[str] = []
        self._dies_after = dies_after

    async def ask(self, task: Task) -> Prediction:
        """The answer, if it still lives."""
        if len(self.asked) == self._dies_after:
            raise ServerUnreachable("Nothing answers at http://127.0.0.1:1: start it.")
        self.asked.append(task.id)
        return answer(task, "    return a - b\n" if "/1/" in task.id else "    return a + b\n")


class Execution:
    """Says that a sum passes."""

    def __init__(self) -> None:
        self.executed: list[tuple[str, str]] = []

    def __call__(self, pairs: Sequence[tuple[Task, str]]) -> list[bool]:
        """Whether each passes."""
        self.executed += [(task.id, text) for task, text in pairs]
        return ["+" in text for _, text in pairs]


class Runs:
    """Runs over four tasks, one after the other, with one file."""

    def __init__(self, folder: Path) -> None:
        self.tasks = tasks(4)
        self.record = Record(folder / "run.jsonl", {}, {})
        self.execution = Execution()

    async def go(self, model: Model) -> list[Prediction]:
        """One run."""
        return await run(
            self.tasks,
            model.ask,
            self.record,
            self.execution,
            done=self.record.resume(),
            on_answer=lambda: None,
        )


async def test_all_tasks_are_answered_and_executed(tmp_path: Path) -> None:
    """The record ends with every task in order and what became of its answer, raw and cleaned."""
    runs, model = Runs(tmp_path), Model()
    answers = await runs.go(model)
    assert answers == list(read_predictions(runs.record.file))
    assert [each.task_id for each in answers] == [each.id for each in runs.tasks] == model.asked
    assert [each.passed for each in answers] == [True, False, True, True]
    assert [each.provenance["cleaned_passed"] for each in answers] == [True, False, True, True]


async def test_a_server_that_dies_costs_one_sentence(tmp_path: Path) -> None:
    """What was answered before is kept with its outcome, and the sentence says how to go on."""
    runs = Runs(tmp_path)
    with pytest.raises(EvaluationError) as caught:
        await runs.go(Model(dies_after=2))
    assert str(caught.value).startswith("Nothing answers at http://127.0.0.1:1: start it (2 of 4")
    assert [each.passed for each in read_predictions(runs.record.file)] == [True, False]


async def test_a_later_run_asks_only_for_what_is_missing(tmp_path: Path) -> None:
    """No task is asked for, or executed, twice."""
    runs, second = Runs(tmp_path), Model()
    with pytest.raises(EvaluationError):
        await runs.go(Model(dies_after=2))
    answers = await runs.go(second)
    assert second.asked == [each.id for each in runs.tasks[2:]]
    assert len(runs.execution.executed) == len(set(runs.execution.executed)) == 4
    assert all(each.passed is not None for each in answers)


async def test_answers_of_a_killed_run_are_executed_later(tmp_path: Path) -> None:
    """A kill leaves answers without outcomes; the next run finds those out and asks nothing."""
    runs, model = Runs(tmp_path), Model()
    runs.record.resume()
    for each in runs.tasks:
        runs.record.append(answer(each))
    answers = await runs.go(model)
    assert model.asked == []
    assert [each.passed for each in answers] == [True] * 4


async def test_execution_that_cannot_be(tmp_path: Path) -> None:
    """Where programs cannot be executed the run says so, and keeps the answers it has."""
    runs, model = Runs(tmp_path), Model()

    def refuse(_: Sequence[tuple[Task, str]]) -> list[bool]:
        raise EvaluationError("There is no g++.")

    with pytest.raises(EvaluationError, match=r"no g\+\+"):
        await run(
            runs.tasks,
            model.ask,
            runs.record,
            refuse,
            done=runs.record.resume(),
            on_answer=lambda: None,
        )
    kept = list(read_predictions(runs.record.file))
    assert len(kept) >= 1
    assert all(each.passed is None for each in kept)

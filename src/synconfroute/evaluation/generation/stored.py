"""Stored answers and the tasks that they are to."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets import PUBLISHED, load
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.conditions import is_single_line
from synconfroute.evaluation.generation.opening import hole_of, with_cursor
from synconfroute.evaluation.generation.reading import Reading, cleaned_text, raw_text
from synconfroute.evaluation.generation.verdicts import Verdicts
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.completion.cutting import best_cut, ends_unfinished
from synconfroute.server.completion.repair import shown


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored answer with its task, as it was asked.

    Attributes:
        task: with its cursor where the answer was asked for.
        prediction: the answer.
        read_as: how it is to be cleaned; None: by the profile that it was asked under.
    """

    task: Task
    prediction: Prediction
    read_as: Reading | None = None

    @property
    def reading(self) -> Reading:
        """How it is to be cleaned."""
        by_profile: Reading = (
            "paper" if self.prediction.provenance.get("profile") == "paper" else "live"
        )
        return self.read_as or by_profile

    @property
    def validator(self) -> str:
        """Who judges it: "live", or "paper" where it is read as the paper reads answers."""
        return "live" if self.reading == "live" else "paper"

    @property
    def raw(self) -> str:
        """What the benchmark reads of it."""
        return raw_text(self.task, self.prediction.text)

    @property
    def cleaned(self) -> str:
        """What cleaning leaves of it."""
        return cleaned_text(self.task, self.prediction.text, self.reading)

    async def shown(self, verdicts: Verdicts) -> str:
        """What a user sees of it where nothing can be escalated; "" for nothing.

        The paper shows every answer.
        """
        if self.reading != "live":
            return self.cleaned
        hole, text = hole_of(self.task), self.cleaned
        if "\n" in text and not is_single_line(self.task.bench):
            ending = str(self.prediction.provenance.get("finish", ""))
            unfinished = ends_unfinished(text, self.prediction.text, ending)
            text = (await best_cut(hole, text, verdicts.verdict, unfinished=unfinished)).text
        return await shown(hole, text, verdicts.verdict)


def with_tasks(data: Path, predictions: Sequence[Prediction]) -> list[Stored]:
    """Join answers with their tasks, by benchmark and id.

    Answers that do not name their benchmark are looked for in all that the folder holds, in the
    order of `PUBLISHED`.

    Raises:
        EvaluationError: an answer is to no task of the folder.
    """
    tasks: dict[tuple[str, str], Task] = {}
    for bench in sorted({_bench_of(each) for each in predictions} - {""}):
        tasks |= {(bench, task.id): task for task in load(data, bench)}
    tasks |= _searched(data, {each.task_id for each in predictions if _bench_of(each) == ""})
    return [_stored(tasks, each, data) for each in predictions]


def _bench_of(prediction: Prediction) -> str:
    return str(prediction.provenance.get("bench", ""))


def _searched(data: Path, names: set[str]) -> dict[tuple[str, str], Task]:
    """The tasks with these ids, by "" and id, from the first benchmark that has each."""
    found: dict[tuple[str, str], Task] = {}
    absent: list[EvaluationError] = []
    for bench in PUBLISHED:
        if not names:
            break
        try:
            tasks = load(data, bench)
        except EvaluationError as error:
            absent.append(error)
            continue
        found |= {("", task.id): task for task in tasks if task.id in names}
        names = names - {task.id for task in tasks}
    if len(absent) == len(PUBLISHED):
        raise absent[0]
    return found


def _stored(tasks: dict[tuple[str, str], Task], prediction: Prediction, data: Path) -> Stored:
    task = tasks.get((_bench_of(prediction), prediction.task_id))
    if task is None:
        raise EvaluationError(f"{data} has no task {prediction.task_id}, which an answer is to.")
    cursor = prediction.provenance.get("cursor")
    return Stored(with_cursor(task, cursor) if isinstance(cursor, str) else task, prediction)

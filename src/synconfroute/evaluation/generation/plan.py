"""What a run was asked for, from the tasks to the name of its file."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from synconfroute import __version__
from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets import drawn_for_calibration, load, named
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import NONE, Examples
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.opening import with_cursor
from synconfroute.evaluation.generation.paper_prompt import PROMPT
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.generation.retrieval import order_of


@dataclass(frozen=True, slots=True)
class Draw:
    """Which tasks of a benchmark.

    Attributes:
        data: the folder with the benchmarks.
        bench: its name, or the first words of several.
        limit: the first so many of each.
        sample: so many of each, drawn at random.
        seed: of the draw.
    """

    data: Path
    bench: str
    limit: int | None = None
    sample: int | None = None
    seed: int = 42


@dataclass(frozen=True, slots=True)
class Plan:
    """The tasks of a run with its conditions.

    Attributes:
        draw: which tasks were asked for.
        conditions: how they are asked.
        tasks: the tasks, their cursor where the conditions want it.
        examples: solved examples, by benchmark.
    """

    draw: Draw
    conditions: Conditions
    tasks: tuple[Task, ...]
    examples: Mapping[str, Examples]

    def record(self, model: ModelName, file: Path) -> Record:
        """The record of one model's answers."""
        begun_with = {
            "model": str(model),
            "bench": self.draw.bench,
            "limit": self.draw.limit,
            "sample": self.draw.sample,
            "seed": self.draw.seed if self.draw.sample is not None else None,
            **asdict(self.conditions),
            "tasks": digest_of(self.tasks),
            "version": __version__,
        }
        paper = self.conditions.profile == "paper"
        return Record(file, begun_with, {"prompt_text": PROMPT} if paper else {})


def plan(
    draw: Draw, conditions: Conditions, answers: Mapping[tuple[str, str], str] | None = None
) -> Plan:
    """Read the tasks.

    Args:
        draw: which.
        conditions: how they are asked.
        answers: what a model wrote, by benchmark and task id, to stand in the examples; None: the
            truth.

    Raises:
        EvaluationError: there is no such benchmark, or its file is missing or damaged; or none of
            the tasks that may be examples has an answer.
    """
    tasks = load(draw.data, draw.bench, limit=draw.limit, sample=draw.sample, seed=draw.seed)
    tasks = [with_cursor(task, conditions.cursor) for task in tasks]
    examples = {
        bench: _examples(draw.data, bench, conditions, answers) for bench in named(draw.bench)
    }
    return Plan(draw, conditions, tuple(tasks), examples)


def _examples(
    data: Path,
    bench: str,
    conditions: Conditions,
    answers: Mapping[tuple[str, str], str] | None,
) -> Examples:
    """Examples are tasks that the paper calibrates on."""
    if not conditions.shots:
        return NONE
    tasks = load(data, bench)
    pool = [tasks[index] for index in drawn_for_calibration(len(tasks))]
    if answers is not None:
        pool = [
            replace(task, truth=answers[bench, task.id])
            for task in pool
            if answers.get((bench, task.id))
        ]
        if not pool:
            raise EvaluationError(f"No task of {bench} that may be an example has an answer.")
    return Examples(order_of(conditions.examples, pool), conditions.shots)


def files_for(
    out: Path, models: Sequence[ModelName], draws: int
) -> Iterator[tuple[ModelName, int | None, Path]]:
    """Each model with each draw and its file.

    `out` itself where there is one; else with the model, or `draw-N`, before its last suffix.

    Args:
        out: the file that was named.
        models: who answers.
        draws: how often each task is answered; the draws are counted from 1, and are None where
            there is one.
    """
    for model in models:
        named = (
            out if len(models) == 1 else out.with_name(f"{out.stem}.{model.for_files}{out.suffix}")
        )
        if draws == 1:
            yield model, None, named
            continue
        for draw in range(1, draws + 1):
            yield model, draw, _beside(named, f"draw-{draw}")


def _beside(file: Path, what: str) -> Path:
    return file.with_name(f"{file.stem}.{what}{file.suffix}")


def digest_of(tasks: Sequence[Task]) -> str:
    """Which tasks these are: how many, and a digest of their ids and texts."""
    digest = hashlib.sha256()
    for task in tasks:
        for text in (task.bench, task.id, task.prefix, task.below):
            digest.update(text.encode("utf-8", "replace") + b"\0")
    return f"{len(tasks)} ({digest.hexdigest()[:12]})"

"""One level's answers to the tasks: asked one after the other, and executed when all are there.

Nothing else runs while the model answers, so that the times are its own. Beside what `eval run`
records, a row of an embedded model says: `weights_bytes` (of its file) and `engine_bytes` (resident
memory of the engine's process, right behind the answer).
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from synconfroute.errors import EvaluationError, SynConfRouteError
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.outcomes import Execute, key_of
from synconfroute.evaluation.generation.plan import Plan
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.generation.run import collect
from synconfroute.evaluation.generation.session import Session
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.settings.tree import Settings


async def answer_level(
    planned: Plan,
    model: ModelName,
    settings: Settings,
    record: Record,
    execute: Execute,
    on_answer: Callable[[], object],
) -> list[Prediction]:
    """Have a model answer what is left of its tasks, then execute what was not executed.

    Args:
        planned: tasks and conditions.
        model: who answers.
        settings: addresses, keys and limits.
        record: where the answers go; what it holds is not asked again.
        execute: says which answers pass.
        on_answer: called after each answer.

    Raises:
        EvaluationError: the model failed on the way, or an answer cannot be executed or recorded;
            what was answered is recorded.
    """
    answered = set(map(key_of, record.resume()))
    session = Session(planned, model, settings)
    try:
        for task in planned.tasks:
            if (task.bench, task.id) not in answered:
                answer = await session.ask(task)
                weighed = {**answer.provenance, **weight_of(model)}
                record.append(replace(answer, provenance=weighed))
                answered.add(key_of(answer))
            on_answer()
    except SynConfRouteError as error:
        raise EvaluationError(
            f"{str(error).removesuffix('.')} ({len(answered)} of {len(planned.tasks)} answers are"
            f" in {record.file}; the same command goes on)."
        ) from error
    finally:
        await session.aclose()
    return await collect(
        planned.tasks, _nobody, record, execute, done=record.resume(), on_answer=lambda: None
    )


def weight_of(model: ModelName) -> Mapping[str, int]:
    """What a model weighs on disk and in memory now; nothing where that is not ours to know."""
    if model.provider != "embedded":
        return {}
    from synconfroute.clients.engine import status

    engine = status()
    if engine.path is None:
        return {}
    return {
        "weights_bytes": _size(engine.path),
        "engine_bytes": round(engine.memory_megabytes * 1e6),
    }


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


async def _nobody(left: Sequence[Task]) -> AsyncIterator[Prediction]:
    """All are answered: nobody is asked."""
    for _ in ():
        yield _

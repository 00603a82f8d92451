"""A run: every task of a benchmark answered once by one model, whatever interrupts it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

from synconfroute.errors import EvaluationError, SynConfRouteError
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.outcomes import Execute, Outcomes, key_of
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.predictions import Prediction

Answers = Callable[[Sequence[Task]], AsyncIterator[Prediction]]
"""The answers to tasks, in any order, as they come. Those with an outcome were executed already.

Raises:
    SynConfRouteError: there will be no more of them.
"""


async def run(
    tasks: Sequence[Task],
    ask: Callable[[Task], Awaitable[Prediction]],
    record: Record,
    execute: Execute,
    *,
    done: Sequence[Prediction] = (),
    on_answer: Callable[[], object],
) -> list[Prediction]:
    """`collect` from a model that is asked one task after the other.

    Args:
        tasks: all of them, in order.
        ask: has the model answer a task; it raises a SynConfRouteError where it cannot.
        record: where each answer goes as it comes.
        execute: says which answers pass.
        done: what `record.resume()` returned.
        on_answer: called after each answer.

    Raises:
        EvaluationError: as `collect`.
    """

    async def answers(left: Sequence[Task]) -> AsyncIterator[Prediction]:
        for task in left:
            yield await ask(task)

    return await collect(tasks, answers, record, execute, done=done, on_answer=on_answer)


async def collect(
    tasks: Sequence[Task],
    answers_to: Answers,
    record: Record,
    execute: Execute,
    *,
    done: Sequence[Prediction] = (),
    on_answer: Callable[[], object],
) -> list[Prediction]:
    """Have the tasks answered that have no answer yet, and execute what was not executed.

    Args:
        tasks: all of them, in order.
        answers_to: has tasks answered.
        record: where each answer goes as it comes.
        execute: says which answers pass.
        done: what `record.resume()` returned.
        on_answer: called after each answer.

    Returns:
        All answers with their outcomes in the order of the tasks, as they stand in the record.

    Raises:
        EvaluationError: there are not all answers; those that came are recorded.
    """
    by_key = {(task.bench, task.id): task for task in tasks}
    answers = {key_of(answer): answer for answer in done}
    outcomes = Outcomes(execute)
    for key, answer in answers.items():
        if answer.passed is None:
            outcomes.add(by_key[key], answer)
    failed: SynConfRouteError | None = None
    try:
        async for answer in answers_to([by_key[key] for key in by_key if key not in answers]):
            key = key_of(answer)
            record.append(answer)
            answers[key] = answer
            if answer.passed is None:
                outcomes.add(by_key[key], answer)
            on_answer()
    except SynConfRouteError as error:
        failed = error
    await outcomes.finish()
    in_order = [outcomes.stated(answers[key]) for key in by_key if key in answers]
    record.replace(in_order)
    if failed is not None:
        raise EvaluationError(
            f"{str(failed).removesuffix('.')} ({len(in_order)} of {len(tasks)} answers are in"
            f" {record.file}; the same command goes on)."
        ) from failed
    return in_order

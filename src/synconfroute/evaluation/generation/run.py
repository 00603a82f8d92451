"""A run: every task of a benchmark answered once by one model, whatever interrupts it."""

from collections.abc import Awaitable, Callable, Sequence

from synconfroute.errors import EvaluationError, SynConfRouteError
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.outcomes import Execute, Outcomes, key_of
from synconfroute.evaluation.generation.record import Record
from synconfroute.evaluation.predictions import Prediction


async def run(
    tasks: Sequence[Task],
    ask: Callable[[Task], Awaitable[Prediction]],
    record: Record,
    execute: Execute,
    *,
    done: Sequence[Prediction] = (),
    on_answer: Callable[[], object],
) -> list[Prediction]:
    """Answer the tasks that have no answer yet, and execute what was not executed.

    Args:
        tasks: all of them, in order.
        ask: has the model answer a task; it raises a SynConfRouteError where it cannot.
        record: where each answer goes as it comes.
        execute: says which answers pass.
        done: what `record.resume()` returned.
        on_answer: called after each answer.

    Returns:
        All answers with their outcomes, as they stand in the record.

    Raises:
        EvaluationError: the model failed on the way; what was answered is recorded.
    """
    by_key = {(task.bench, task.id): task for task in tasks}
    answers = list(done)
    outcomes = Outcomes(execute)
    for answer in answers:
        if answer.passed is None:
            outcomes.add(by_key[key_of(answer)], answer)
    known = set(map(key_of, answers))
    failed: SynConfRouteError | None = None
    try:
        for key, task in by_key.items():
            if key in known:
                continue
            answer = await ask(task)
            record.append(answer)
            answers.append(answer)
            outcomes.add(task, answer)
            on_answer()
    except SynConfRouteError as error:
        failed = error
    await outcomes.finish()
    answers = [outcomes.stated(answer) for answer in answers]
    record.replace(answers)
    if failed is not None:
        raise EvaluationError(
            f"{str(failed).removesuffix('.')} ({len(answers)} of {len(tasks)} answers are in"
            f" {record.file}; the same command goes on)."
        ) from failed
    return answers

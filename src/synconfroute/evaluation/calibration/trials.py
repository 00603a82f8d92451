"""From stored answers to trials: what the router would have seen, and what was right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.curve import Trial
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.reading import raw_text
from synconfroute.evaluation.generation.verdicts import Verdicts
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.completion import Candidate
from synconfroute.server.completion.score import signals_of
from synconfroute.validators.verdict import Evidence, Outcome, Verdict


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer as it would be shown, and whether it is right.

    Attributes:
        text: cleaned, where the file says so; else the benchmark's own reading of it.
        verdict: on that text; None where the file has none.
        right: that text passed.
    """

    text: str
    verdict: Verdict | None
    right: bool


async def trials(
    tasks: Sequence[Task],
    local: Sequence[Prediction],
    larger: Sequence[Prediction] | None,
    model: str,
    verdicts: Verdicts,
) -> list[Trial]:
    """One trial for each task that both files answer.

    Args:
        tasks: the tasks.
        local: the local model's answers.
        larger: the larger model's; None where it was not asked.
        model: the local model's name.
        verdicts: judges texts whose verdict is not stored.

    Raises:
        EvaluationError: an answer was never executed.
    """
    ours, theirs = _by_task(local), _by_task(larger or ())
    made = []
    for task in tasks:
        answer = _of(task, ours)
        other = _of(task, theirs)
        if answer is None or (larger is not None and other is None):
            continue
        made.append(
            Trial(
                await _candidate(task, answer, model, verdicts),
                task.group,
                _answered(task, answer).right,
                None if other is None else _answered(task, other).right,
            )
        )
    return made


def _by_task(predictions: Sequence[Prediction]) -> Mapping[tuple[str, str], Prediction]:
    return {(str(each.provenance.get("bench", "")), each.task_id): each for each in predictions}


def _of(task: Task, answers: Mapping[tuple[str, str], Prediction]) -> Prediction | None:
    """Older files do not say which benchmark their answers are to."""
    return answers.get((task.bench, task.id)) or answers.get(("", task.id))


async def _candidate(
    task: Task, prediction: Prediction, model: str, verdicts: Verdicts
) -> Candidate:
    answered = _answered(task, prediction)
    verdict = answered.verdict
    if verdict is None and answered.text:
        verdict = await verdicts.verdict(hole_of(task), answered.text)
    preamble = int(prediction.provenance.get("preamble") or 0)
    proper = prediction.tokens[preamble:]
    return Candidate(
        prediction.tokens,
        preamble,
        finished=True,
        text=answered.text,
        verdict=verdict,
        signals=signals_of(proper, task.prefix, answered.text, task.below, verdict),
        model=model,
        language=task.language,
    )


def _answered(task: Task, prediction: Prediction) -> Answered:
    row = prediction.provenance
    if isinstance(row.get("cleaned_passed"), bool):
        return Answered(str(row.get("cleaned", "")), _stored(row), bool(row["cleaned_passed"]))
    if prediction.passed is None:
        raise EvaluationError(
            f"The answer to {task.id} was never executed: run `synconfroute eval run` again with"
            " the same options."
        )
    return Answered(raw_text(task, prediction.text), None, prediction.passed)


def _stored(row: Mapping[str, Any]) -> Verdict | None:
    """The verdict as a run records it: without sentences."""
    if row.get("verdict") is None:
        return None
    kinds = row.get("evidence") or ()
    return Verdict(Outcome(row["verdict"]), "", tuple(Evidence(str(kind), "", 0) for kind in kinds))

"""Stored answers of two models, joined, judged and executed: the examples of a replay."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.task import Same, Task
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.stored import Stored, with_tasks
from synconfroute.evaluation.generation.verdicts import Verdicts
from synconfroute.evaluation.predictions import read_predictions
from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.server.completion.repair import freely, surely
from synconfroute.validators.verdict import Outcome, Verdict, unknown

Text = Literal["raw", "unrepaired", "cleaned", "mended"]
Progress = Callable[[Sequence[Stored], str], Iterable[Stored]]
"""Goes through answers and shows how far it is, given what they are."""

_NOTHING = unknown("there is no text to judge")
_REPAIRED = ("cleaned", "mended")


@dataclass(frozen=True, slots=True)
class Pairs:
    """The answers of two models to the same tasks.

    Attributes:
        local: of the local model.
        larger: of the larger model, in the same order.
        alone: answers in one of the files whose task the other lacks.
    """

    local: tuple[Stored, ...]
    larger: tuple[Stored, ...]
    alone: int


def paired(data: Path, local: Path, larger: Path) -> Pairs:
    """Join two files of predictions, in the order of the first.

    Args:
        data: the folder that holds the benchmarks.
        local: the local model's.
        larger: the larger model's.

    Raises:
        EvaluationError: a file or the benchmarks cannot be used, no task is in both, or answers
            that are executed stand beside answers that are compared with the truth.
    """
    ours = {_key(each): each for each in with_tasks(data, list(read_predictions(local)))}
    theirs = {_key(each): each for each in with_tasks(data, list(read_predictions(larger)))}
    common = [key for key in ours if key in theirs]
    if not common:
        raise EvaluationError(f"{local} and {larger} have no task in common.")
    if len({isinstance(ours[key].task.check, Same) for key in common}) > 1:
        raise EvaluationError(
            "Some of these tasks are executed and some compared with the true text: give files of"
            " one kind."
        )
    return Pairs(
        tuple(ours[key] for key in common),
        tuple(theirs[key] for key in common),
        len(ours) + len(theirs) - 2 * len(common),
    )


async def examples(pairs: Pairs, text: Text, verdicts: Verdicts, show: Progress) -> list[Example]:
    """Judge the local answers, execute both, and put together what was found.

    Args:
        pairs: the answers.
        text: "raw": as the benchmark reads them; "cleaned": as the server cleans them, and
            repairs them where that is sure; "unrepaired": the same without the repairs; "mended":
            with every repair, which the server makes only where nothing can be escalated.
        verdicts: who judges.
        show: shows how far it is.

    Raises:
        EvaluationError: something cannot be judged or executed here.
    """
    local = [await judged(each, text, verdicts) for each in show(pairs.local, "verdict")]
    # Of the larger model's answers only the repair needs a verdict.
    if text in _REPAIRED:
        found = [await judged(each, text, verdicts) for each in show(pairs.larger, "verdict")]
        theirs = [each for each, _ in found]
    else:
        theirs = [_read(each, text) for each in pairs.larger]
    given = [*(each for each, _ in local), *theirs]
    right = passes([*pairs.local, *pairs.larger], given)
    several = len({each.task.bench for each in pairs.local}) > 1
    return [
        Example(
            sight(one, *local[index], several=several),
            right[index],
            right[len(local) + index],
            one.prediction.seconds,
            other.prediction.seconds,
            given[len(local) + index],
        )
        for index, (one, other) in enumerate(zip(pairs.local, pairs.larger, strict=True))
    ]


async def judged(stored: Stored, text: Text, verdicts: Verdicts) -> tuple[str, Verdict]:
    """The text of an answer, repaired as far as this reading wants it, and the verdict on it."""
    chosen = _read(stored, text)
    if not chosen:
        return chosen, _NOTHING
    hole = hole_of(stored.task)
    verdict = await verdicts.verdict(hole, chosen)
    if text not in _REPAIRED or stored.reading != "live":
        return chosen, verdict
    repaired = await surely(hole, chosen, verdict, verdicts.verdict)
    if text == "mended" and verdict.outcome is Outcome.INVALID:
        repaired = await freely(hole, chosen, verdicts.verdict)
    return (chosen, verdict) if repaired is None else (repaired.text, repaired.verdict)


def _read(stored: Stored, text: Text) -> str:
    return stored.raw if text == "raw" else stored.cleaned


def _key(stored: Stored) -> tuple[str, str]:
    return stored.task.bench, stored.task.id


def passes(answers: Sequence[Stored], given: Sequence[str]) -> list[bool]:
    """Whether each text passes as the answer to its task; it is executed where no file knows.

    Args:
        answers: the answers.
        given: what each comes to, read in one way or another.

    Raises:
        EvaluationError: the programs cannot be run here.
    """
    known = [_known(each, text) for each, text in zip(answers, given, strict=True)]
    pairs: list[tuple[Task, str]] = [
        (each.task, text)
        for each, text, passed in zip(answers, given, known, strict=True)
        if passed is None
    ]
    if not pairs:
        return [bool(passed) for passed in known]
    from synconfroute.evaluation.execution import judge

    found = iter(judge(pairs))
    return [next(found).passed if passed is None else passed for passed in known]


def _known(answer: Stored, text: str) -> bool | None:
    """Whether a text passes, where the file says it of this very text."""
    recorded = answer.prediction.provenance
    if answer.prediction.passed is not None and text == answer.raw:
        return answer.prediction.passed
    if recorded.get("cleaned_passed") is not None and text == recorded.get("cleaned"):
        return bool(recorded["cleaned_passed"])
    return None


def sight(stored: Stored, text: str, verdict: Verdict, *, several: bool) -> Sight:
    """What a rule may see; of several benchmarks the task's name says which."""
    task, prediction = stored.task, stored.prediction
    preamble = int(prediction.provenance.get("preamble", 0))
    return Sight(
        task_id=f"{task.bench}:{task.id}" if several else task.id,
        group=task.group,
        language=task.language,
        prefix=task.prefix,
        suffix=task.below,
        text=text,
        tokens=prediction.tokens[preamble:],
        verdict=verdict,
    )

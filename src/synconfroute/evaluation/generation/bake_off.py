"""The same answers shown with nothing done to them, and as the server shows them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.verdicts import Verdicts
from synconfroute.validators.verdict import Outcome


@dataclass(frozen=True, slots=True)
class Appearance:
    """What users see of some answers.

    Attributes:
        shown: answers of which there is something to see.
        parses: those of them with which the whole buffer parses, by the language's own parser.
        duplicates: those whose last line stands once more right below.
        echoes: those of one line that stand in the file already, at any place, spaces apart.
        right: those that pass.
    """

    shown: int
    parses: int
    duplicates: int
    echoes: int
    right: int


async def appearance(
    tasks: Sequence[Task], texts: Sequence[str], passed: Sequence[bool], parser: Verdicts
) -> Appearance:
    """Look at texts as they stand in their buffers.

    Args:
        tasks: whose answers they are.
        texts: what is inserted, in the same order.
        passed: whether each passes.
        parser: of whole buffers; a verdict that knows of damage would favour what it has judged.

    Raises:
        EvaluationError: the parser of a language is not installed.
    """
    shown = [
        (task, text, right)
        for task, text, right in zip(tasks, texts, passed, strict=True)
        if text.strip()
    ]
    verdicts = await asyncio.gather(
        *(parser.verdict(hole_of(task), text) for task, text, _ in shown)
    )
    return Appearance(
        shown=len(shown),
        parses=sum(verdict.outcome is Outcome.VALID for verdict in verdicts),
        duplicates=sum(_repeats_below(task, text) for task, text, _ in shown),
        echoes=sum(_stands_already(task, text) for task, text, _ in shown),
        right=sum(right for _, _, right in shown),
    )


def _repeats_below(task: Task, text: str) -> bool:
    """True if the text's last line and the first one below it are the same, and no mere closer."""
    below = next((line.strip() for line in task.below.splitlines() if line.strip()), "")
    last = text.rstrip().rpartition("\n")[2].strip()
    return any(map(str.isalnum, last)) and last == below


def _stands_already(task: Task, text: str) -> bool:
    """True if the text is one line that the file has elsewhere, and no mere closer."""
    line = text.strip()
    lines = {each.strip() for part in (task.prefix, task.suffix) for each in part.splitlines()}
    return any(map(str.isalnum, line)) and line in lines

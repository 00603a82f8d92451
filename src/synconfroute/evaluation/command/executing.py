"""Answers executed, with a bar for whoever waits."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synconfroute.evaluation.datasets.task import Task
    from synconfroute.evaluation.execution import Result


def executed(pairs: "Sequence[tuple[Task, str]]") -> list[bool]:
    """Whether each text passes its task; a bar shows how far it is.

    Raises:
        EvaluationError: the programs cannot be run here.
    """
    from tqdm import tqdm

    from synconfroute.evaluation.execution import judge

    bar = tqdm(total=len(pairs), unit="program", leave=False, disable=None, file=sys.stderr)

    def done(_: "Result") -> None:
        bar.update()

    with bar:
        return [result.passed for result in judge(pairs, on_done=done)]

"""HumanEval-Infilling (Bavarian et al., 2022): holes in the functions of HumanEval, with tests."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.rows import Row, read_rows
from synconfroute.evaluation.datasets.task import RunToEnd, Task

_FOLDER = "humaneval_infilling"
_PROBLEM = re.compile(r"HumanEval/\d+")


@dataclass(frozen=True, slots=True)
class _Split:
    file: str
    whole_lines: bool


_SPLITS = {
    "humaneval-single-line": _Split("HumanEval-SingleLineInfilling.jsonl", whole_lines=True),
    "humaneval-multi-line": _Split("HumanEval-MultiLineInfilling.jsonl", whole_lines=True),
    "humaneval-random-span": _Split("HumanEval-RandomSpanInfilling.jsonl", whole_lines=False),
    "humaneval-random-span-light": _Split(
        "HumanEval-RandomSpanInfillingLight.jsonl", whole_lines=False
    ),
}

INFILLING = tuple(_SPLITS)
"""The names of the four files."""


def read_infilling(data: Path, bench: str) -> Iterator[Task]:
    """The tasks of one of the four files, in its order.

    Args:
        data: the folder that holds the benchmarks.
        bench: one of `INFILLING`.

    Raises:
        EvaluationError: the file is missing, or a line is no task.
    """
    split = _SPLITS[bench]
    for row in read_rows(data, _FOLDER, split.file):
        yield _task(row, bench, whole_lines=split.whole_lines)


def _task(row: Row, bench: str, *, whole_lines: bool) -> Task:
    name = row.text("task_id")
    problem = _PROBLEM.search(name)
    if problem is None:
        raise EvaluationError(f"{row.place} is no task: its task_id names no HumanEval problem.")
    truth = row.text("canonical_solution")
    return Task(
        id=name,
        bench=bench,
        language="python",
        group=problem[0],
        prefix=row.text("prompt"),
        suffix=row.text("suffix"),
        truth=truth.removesuffix("\n") if whole_lines else truth,
        whole_lines=whole_lines,
        check=RunToEnd(f"\n{row.text('test')}\n\ncheck({row.text('entry_point')})\n"),
    )

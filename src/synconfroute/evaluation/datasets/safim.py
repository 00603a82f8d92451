"""SAFIM (Gong et al., 2024): holes in programs of contests, judged by their output.

Blocks and control expressions have tests. API calls have none: an answer must be the truth.
Its fourth language, C#, is left out: the paper has no parser for it.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.rows import Row, read_rows
from synconfroute.evaluation.datasets.task import Answers, Same, Task

_FOLDER = "safim"
_HOLE = "{{completion}}"
_CODE = "\n\nCode:\n\n"
_COMMENTS = {"python": "# ", "java": "// ", "cpp": "// "}


@dataclass(frozen=True, slots=True)
class _Split:
    kind: str
    language: str


_SPLITS = {
    f"safim-{kind}-{language}": _Split(kind, language)
    for kind in ("block", "control", "api")
    for language in _COMMENTS
}

SAFIM = tuple(_SPLITS)
"""The names of the nine splits: three kinds of hole in three languages."""


def read_safim(data: Path, bench: str) -> Iterator[Task]:
    """The tasks of one kind of hole in one language, in the file's order.

    The prefix begins with the problem's statement, as comments: the benchmark gives it to the
    model above the code, and as comments it leaves the buffer a program. CRLF becomes LF.

    Args:
        data: the folder that holds the benchmarks.
        bench: one of `SAFIM`.

    Raises:
        EvaluationError: the file is missing, or a line is no task.
    """
    split = _SPLITS[bench]
    for row in read_rows(data, _FOLDER, f"{split.kind}_completion.jsonl"):
        if row.text("lang") == split.language:
            yield _task(row, bench, split)


def _task(row: Row, bench: str, split: _Split) -> Task:
    program, truth = row.text("eval_prompt"), row.text("ground_truth")
    above, hole, below = program.partition(_HOLE)
    if not hole:
        raise EvaluationError(f"{row.place} is no task: its eval_prompt has no {_HOLE}.")
    statement = _statement(row.text("prompt"))
    cases = _cases(row)
    return Task(
        # The file of API calls repeats the ids of the file of blocks.
        id=f"{split.kind}/{row.text('task_id')}",
        bench=bench,
        language=split.language,
        group=_digest(statement or f"{above}{truth}{below}"),
        prefix=_as_comments(statement, _COMMENTS[split.language]) + above,
        suffix=below,
        truth=truth,
        whole_lines=False,
        check=Answers(cases, program) if cases else Same(),
    )


def _statement(prompt: str) -> str:
    """The problem's statement without its first line, an instruction; "" where there is none."""
    head, code, _ = prompt.partition(_CODE)
    return head.partition("\n")[2].strip() if code else ""


def _as_comments(statement: str, mark: str) -> str:
    # A comment of Java must not hold \u, and one of C++ goes on where its line ends with \.
    text = statement.replace("\\u", "\\ u")
    lines = (f"{mark}{line}".rstrip(" \t\\") + "\n" for line in text.splitlines())
    return "".join(lines) + ("\n" if statement else "")


def _digest(text: str) -> str:
    """What is the same for all holes of one problem: the ids do not tell."""
    return "problem-" + hashlib.sha256(text.encode()).hexdigest()[:12]


def _cases(row: Row) -> tuple[tuple[str, tuple[str, ...]], ...]:
    tests = row.fields.get("unit_tests")
    if not isinstance(tests, list):
        raise EvaluationError(f"{row.place} is no task of this benchmark: it lacks unit_tests.")
    return tuple(_case(test, row.place) for test in tests)


def _case(test: Any, place: str) -> tuple[str, tuple[str, ...]]:
    try:
        return str(test["input"]), tuple(map(str, test["output"]))
    except (TypeError, KeyError) as error:
        raise EvaluationError(f"{place} has a unit test without input and output.") from error

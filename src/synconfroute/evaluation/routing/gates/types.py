"""Mypy finds fault with the file."""

import ast
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.gates.gate import Gate, gate

_SECONDS = 600.0
_BATCH = 300
"""Files of one run of mypy, which holds all of them in memory."""

_ERROR = re.compile(r"t(\d+)\.py:(\d+): error:")
_OPTIONS = (
    "--no-incremental", "--no-error-summary", "--no-color-output", "--hide-error-context",
    "--ignore-missing-imports", "--check-untyped-defs", "--config-file=",
)  # fmt: skip


def types(examples: Sequence[Example]) -> Gate | None:
    """Flag Python answers with an error at their line or below; a file that does not parse is one.

    None where mypy is not installed. Other languages are never flagged.

    Raises:
        EvaluationError: mypy does not finish in time, or fails.
    """
    if find_spec("mypy") is None:
        return None
    flags = [False] * len(examples)
    parsed = []
    for index, example in enumerate(examples):
        if example.sight.language != "python":
            continue
        if _parses(example.sight):
            parsed.append(index)
        else:
            flags[index] = True
    for start in range(0, len(parsed), _BATCH):
        batch = parsed[start : start + _BATCH]
        for index in _found({each: examples[each].sight for each in batch}):
            flags[index] = True
    return gate("types", examples, flags)


def _parses(sight: Sight) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(_source(sight))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def _source(sight: Sight) -> str:
    return f"{sight.prefix}{sight.text}{sight.suffix}"


def _found(sights: dict[int, Sight]) -> set[int]:
    """Which of the sources mypy finds fault with."""
    flagged: set[int] = set()
    while sights.keys() - flagged:
        left = {index: sight for index, sight in sights.items() if index not in flagged}
        output, stopped = _run(left)
        errors = {(int(file), int(line)) for file, line in _ERROR.findall(output)}
        if not stopped:
            first = {index: sight.prefix.count("\n") + 1 for index, sight in left.items()}
            return flagged | {index for index, line in errors if line >= first[index]}
        if not errors:
            raise EvaluationError("mypy failed and named no file; see that `python -m mypy` runs.")
        flagged |= {index for index, _ in errors}  # mypy stops at what it cannot read at all
    return flagged


def _run(sights: dict[int, Sight]) -> tuple[str, bool]:
    """What mypy says, and whether it gave up before it checked anything."""
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for index, sight in sights.items():
            names.append(f"t{index}.py")
            source = _source(sight).encode("utf-8", "replace")
            (Path(folder) / names[-1]).write_bytes(source)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "mypy", *_OPTIONS, *names],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise EvaluationError(f"mypy did not finish within {_SECONDS:.0f} seconds.") from None
    return done.stdout, done.returncode not in {0, 1}

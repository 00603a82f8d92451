"""Runs benchmarks, each in a process of its own."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, Row, Skipped, row_of

ROOT = Path(__file__).parents[1]
_SECONDS = 1800.0


def rows_of(name: str, *, quick: bool, package: Path | None = None) -> list[Row]:
    """What a benchmark measures. One that fails has a row that says so, beside those it got to.

    Args:
        name: of the benchmark.
        quick: fewer runs.
        package: the folder with the package that is measured; None: this clone's.
    """
    command = [sys.executable, "-m", "benchmarks.one", name, *(["--quick"] if quick else [])]
    environment = {**os.environ, "PYTHONPATH": str(package or ROOT / "src")}
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors
        ) as process:
            try:
                said, _ = process.communicate(timeout=_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                said, _ = process.communicate()
        rows = [row_of(json.loads(line)) for line in said.splitlines()]
        if process.returncode:
            errors.seek(0)
            told = errors.read().decode(errors="replace")
            print(told, file=sys.stderr)
            rows.append(Skipped(name, "", _last(told), failed=True))
    return rows


def in_turns(name: str, *, quick: bool, other: Path) -> tuple[list[Row], list[Row]]:
    """Ours and another package's, each measured twice: ours, other, other, ours.

    A machine that gets slower or quicker meanwhile is so for both.

    Returns:
        Our rows, and the other's.
    """
    first = rows_of(name, quick=quick)
    others = [rows_of(name, quick=quick, package=other) for _ in range(2)]
    return joined(first, rows_of(name, quick=quick)), joined(*others)


def joined(first: list[Row], second: list[Row]) -> list[Row]:
    """The rows of two runs as those of one."""
    later = {(row.what, row.case): row for row in second}
    return [*_pairs(first, later), *later.values()]


def _pairs(first: list[Row], later: dict[tuple[str, str], Row]) -> Iterator[Row]:
    for row in first:
        same = later.pop((row.what, row.case), None)
        if isinstance(row, Figure) and isinstance(same, Figure):
            yield row.joined(same)
        else:
            yield row


def _last(told: str) -> str:
    """The last line of a traceback, or what else stands at the end."""
    lines = told.strip().splitlines()
    return lines[-1].strip() if lines else "it ended without a word"

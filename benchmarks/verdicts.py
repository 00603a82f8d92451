"""A verdict with evidence through the parser process, beside the paper's own check.

With SYNCONFROUTE_DATA the Java and C++ are those of the benchmark data, else made up; Python is
always the standard library's. `benchmarks.validation` measures verdicts at length.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, Row, Skipped, figure
from benchmarks.samples import SAMPLES
from benchmarks.validation import speed
from benchmarks.validation.others import Judge, judges
from synconfroute.validators.insertion import Insertion

LINES = 1_000
HOLDS = {"p50": 1.0, "p99": 5.0}
_PAPER = {"python": "ast", "java": "javalang", "cpp": "g++"}
_NAMES = {"python": "Python", "java": "Java", "cpp": "C++"}
_PAPER_RUNS = 8


def measure(quick: bool) -> Iterator[Row]:
    """Python, Java and C++, the session prepared."""
    for language, paper in _PAPER.items():
        source, said = _source(language)
        taken, unknown = speed.times(source, language, 40 if quick else 250)
        case = f"{_NAMES[language]}, {LINES:,} lines, {said}"
        judge = judges(language).get(paper)
        other = [] if judge is None else _paper(judge, source, 3 if quick else _PAPER_RUNS)
        yield figure(
            "verdict with evidence", case, "ms", taken, other,
            beside=f"the paper's step, {paper}" if other else "", hold=HOLDS,
        )  # fmt: skip
        if not other:
            yield Skipped("the paper's step", case, f"{paper} is not installed here")
        yield _share(case, unknown, len(taken))


def _share(case: str, unknown: int, verdicts: int) -> Figure:
    return figure("verdicts that are unknown", case, "%", [100 * unknown / verdicts])


def _source(language: str) -> tuple[list[str], str]:
    """The lines, and what they are."""
    data = os.environ.get("SYNCONFROUTE_DATA", "")
    if language == "python":
        return speed.source(Path(), language, LINES), "standard library"
    if data and Path(data).is_dir():
        return speed.source(Path(data), language, LINES), "programs of the data"
    return SAMPLES[language].text(LINES).rstrip("\n").split("\n"), "made up"


def _paper(judge: Judge, source: list[str], runs: int) -> list[float]:
    """Milliseconds of the paper's check of the same whole buffer."""
    taken = []
    for number in [number for number, line in enumerate(source) if line.strip()][:runs]:
        prefix = "".join(f"{line}\n" for line in source[:number])
        suffix = "\n" + "\n".join(source[number + 1 :])
        insertion = Insertion.of(prefix, source[number], suffix)
        started = time.perf_counter()
        judge(insertion)
        taken.append((time.perf_counter() - started) * 1000)
    return taken

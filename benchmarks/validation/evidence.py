"""What evidence is worth: recorded answers of models, right and wrong, and true code."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.validation.corpora import TRUTH, Case, infilling
from benchmarks.validation.others import parses
from benchmarks.validation.rates import verdicts

MODELS = ("0.5b", "1.5b")
_SUSPICIOUS = {"name", "missing", "unreachable", "duplicate"}


@dataclass(slots=True)
class Worth:
    """Counts over answers with which the file parses.

    Attributes:
        wrong: parseable answers that fail their tests.
        pointed_wrong: of these, with evidence.
        pointed_right: answers that pass their tests, with evidence.
    """

    wrong: int = 0
    pointed_wrong: int = 0
    pointed_right: int = 0

    @property
    def precision(self) -> float:
        """Of the answers with evidence, the share that is wrong, in percent."""
        return 100 * self.pointed_wrong / max(self.pointed_wrong + self.pointed_right, 1)

    @property
    def found(self) -> float:
        """Of the wrong ones, the share with evidence, in percent."""
        return 100 * self.pointed_wrong / max(self.wrong, 1)


def of_answers(data: Path, model: str) -> dict[str, Worth]:
    """Evidence in the recorded answers of a model: of even problems, of odd ones, of all."""
    found = {"even": Worth(), "odd": Worth(), "all": Worth()}
    for case, number, passed in _answers(data, model):
        if not parses("python", case.insertion().buffer):
            continue
        _, _, evidence = next(verdicts(case))
        pointed = any(each.kind in _SUSPICIOUS for each in evidence)
        for worth in (found["odd" if number % 2 else "even"], found["all"]):
            worth.wrong += not passed
            worth.pointed_wrong += pointed and not passed
            worth.pointed_right += pointed and passed
    return found


def of_truths(cases: list[Case]) -> tuple[int, int]:
    """How many truths have evidence, and how many there are."""
    pointed = sum(
        any(each.kind in _SUSPICIOUS for each in evidence)
        for case in cases
        for kind, _, evidence in verdicts(case)
        if kind == TRUTH
    )
    return pointed, len(cases)


def _answers(data: Path, model: str) -> Iterator[tuple[Case, int, bool]]:
    holes = {case.name: case for case in infilling(data)}
    (file,) = (data / "predictions").glob(f"*-{model}-*.jsonl.gz")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            hole = holes[row["task_id"]]
            answer = row["text"].lstrip("\r\n").split("\n")[0] + "\n"
            problem = int(row["task_id"].split("/")[2])
            case = Case(hole.name, "python", hole.prefix, hole.suffix, {TRUTH: answer})
            yield case, problem, row["passed"]

"""On published benchmarks the code that the authors wrote is not rejected.

The rule is called directly; a sample goes through the parser process and must get the same
verdicts. All of it takes about ten seconds of one core.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from synconfroute.validators import Outcome, Validator, unknown
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.rule import judge
from synconfroute.validators.validator import LATE

_HOLE = "{{completion}}"
_SAFIM_FILES = ("api", "block", "control")


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt") as lines:
        yield from map(json.loads, lines)


def _infilling(folder: Path) -> Iterator[tuple[str, Insertion]]:
    file = folder / "humaneval_infilling" / "HumanEval-SingleLineInfilling.jsonl.gz"
    for row in _rows(file):
        hole = Insertion.of(row["prompt"], row["canonical_solution"], row["suffix"])
        yield row["task_id"], hole


def _safim(folder: Path, language: str) -> Iterator[Insertion]:
    for name in _SAFIM_FILES:
        for row in _rows(folder / "safim" / f"{name}_completion.jsonl.gz"):
            if row["lang"] == language:
                prefix, suffix = row["eval_prompt"].split(_HOLE)
                yield Insertion.of(prefix, row["ground_truth"], suffix)


def _outcomes(language: str, insertions: Iterator[Insertion]) -> Counter[Outcome]:
    return Counter(judge(language, each).outcome for each in insertions)


def test_humaneval_infilling(data_folder: Path) -> None:
    """Of 1,033 canonical lines none is invalid, at most 1 % unknown."""
    outcomes = _outcomes("python", (hole for _, hole in _infilling(data_folder)))
    assert outcomes.total() == 1_033
    assert outcomes[Outcome.INVALID] == 0
    assert outcomes[Outcome.UNKNOWN] <= 0.01 * outcomes.total()


@pytest.mark.parametrize(("language", "rows"), [("python", 1_736), ("java", 4_999)])
def test_safim(data_folder: Path, language: str, rows: int) -> None:
    """Of SAFIM's Python and Java truths none is invalid, at most 1 % unknown."""
    outcomes = _outcomes(language, _safim(data_folder, language))
    assert outcomes.total() == rows
    assert outcomes[Outcome.INVALID] == 0
    assert outcomes[Outcome.UNKNOWN] <= 0.01 * outcomes.total()


def test_safim_cpp(data_folder: Path) -> None:
    """Of SAFIM's 9,901 C++ truths at most 5 are invalid and 4 % unknown, all for their macros."""
    outcomes = _outcomes("cpp", _safim(data_folder, "cpp"))
    assert outcomes.total() == 9_901
    assert outcomes[Outcome.INVALID] <= 5
    assert outcomes[Outcome.UNKNOWN] <= 0.04 * outcomes.total()


@pytest.mark.parametrize("language", ["python", "java", "cpp"])
def test_the_process_gives_the_same_verdicts(
    data_folder: Path, validator: Validator, language: str
) -> None:
    """Every 50th row through the pipes, once right and once with its end cut off."""
    for number, each in enumerate(_safim(data_folder, language)):
        if number % 50:
            continue
        for text in (each.text, each.text[:-1]):
            verdict = validator.validate_blocking(
                language, each.prefix, text, each.suffix, deadline=30
            )
            said = {verdict, judge(language, each.replaced(text))}
            assert len(said - {unknown(LATE)}) <= 1


def test_recorded_answers_that_pass_their_tests_are_not_rejected(data_folder: Path) -> None:
    """Of the recorded answers of two models no right one is invalid, and wrong ones are or open."""
    holes = dict(_infilling(data_folder))
    counted: Counter[tuple[bool, Outcome]] = Counter()
    pointed: Counter[bool] = Counter()
    for file in sorted((data_folder / "predictions").glob("*.fim.jsonl.gz")):
        for row in _rows(file):
            answer = row["text"].lstrip("\r\n").split("\n")[0] + "\n"
            verdict = judge("python", holes[row["task_id"]].replaced(answer))
            unfinished = any(each.kind == "open" for each in verdict.evidence)
            counted[row["passed"], verdict.outcome] += 1
            pointed[row["passed"]] += verdict.outcome is Outcome.INVALID or unfinished
    assert counted.total() == 2 * 1_033
    assert counted[True, Outcome.INVALID] == 0
    assert counted[False, Outcome.INVALID] >= 140
    assert pointed[False] >= 250
    assert pointed[True] <= 8

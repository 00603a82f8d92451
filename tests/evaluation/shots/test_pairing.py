"""Which answers may be compared."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.shots.pairing import Pairing, arm_of
from tests.evaluation.generation.functions import answer, task, write_benchmark


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three tasks."""
    write_benchmark(tmp_path, 3)
    return tmp_path


def stored(number: int = 0, **row: object) -> Stored:
    """An answer; with `shots` its example is task 2."""
    found: Mapping[str, Any] = {"model": "tiny", "suffix": "open", "shots": 0, "examples": []}
    if row.get("shots"):
        found = {**found, "examples": [task(2).id], "examples_as": "tfidf", "examples_by": ""}
    prediction = answer(task(number))
    made = {**prediction.provenance, **found, **row}
    return Stored(task(number), replace(prediction, provenance=made))


def test_the_tasks_of_both_and_their_examples(data: Path) -> None:
    """An answer to a task that the other file lacks is left out."""
    shots = [stored(0, shots=1), stored(1, shots=1)]
    (pair,) = Pairing(data, [stored(0)]).pairs(shots)
    assert pair.shot is shots[0]
    assert [each.id for each in pair.examples] == [task(2).id]
    assert pair.examples[0].truth == task(2).truth


def test_what_a_model_wrote_stands_in_the_example(data: Path) -> None:
    """Its file is found by the digest that the rows name."""
    written = {"0123456789ab": {(task(2).bench, task(2).id): "    return sum(a)"}}
    shot = stored(0, shots=1, examples_by="by.jsonl (0123456789ab)")
    (pair,) = Pairing(data, [stored(0)], written).pairs([shot])
    assert pair.examples[0].truth == "    return sum(a)"
    assert arm_of([shot]) == "1-shot tfidf by by.jsonl"


@pytest.mark.parametrize(
    ("zero", "shot", "sentence"),
    [
        (stored(0, shots=1), stored(0, shots=1), "--zero has answers with examples"),
        (stored(0), stored(0), "--shots has answers without examples"),
        (stored(0), stored(1, shots=1), "no task in common"),
        (stored(0), stored(0, shots=1, suffix="raw"), r"differ in suffix too \(open and raw\)"),
        (stored(0), stored(0, shots=1, model="large"), "differ in model too"),
        (stored(0), stored(0, shots=1, examples_by="by (00)"), "give that file as --examples-by"),
    ],
)
def test_what_cannot_be_compared(data: Path, zero: Stored, shot: Stored, sentence: str) -> None:
    """One sentence says why."""
    with pytest.raises(EvaluationError, match=sentence):
        Pairing(data, [zero]).pairs([shot])


def test_a_file_that_lacks_an_examples_answer_is_another_file(data: Path) -> None:
    """The sentence names the task."""
    shot = stored(0, shots=1, examples_by="by.jsonl (00)")
    with pytest.raises(EvaluationError, match=r"has no answer to .*HumanEval/2"):
        Pairing(data, [stored(0)], {"00": {}}).pairs([shot])

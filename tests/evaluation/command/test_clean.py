"""`synconfroute eval clean`: what cleaning, the verdict and repairs do to stored answers."""

import gzip
import json
from pathlib import Path

import pytest

from tests.evaluation.generation.functions import tasks
from tests.server.command.conftest import Run

TEXTS = [
    "\n    return a + b\n",  # right either way
    "```python\n    return a + b\n```",  # right once the fence is gone
    "    return a - b\n",  # wrong either way
    "    ) a b\n",  # invalid, and beyond repair: not shown
    "    return a + b)<|im_end|>\n",  # right once the token and the bracket are gone
]


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """Answers as they were stored before runs recorded their provenance."""
    file = tmp_path / "answers.jsonl.gz"
    lines = [
        json.dumps({"task_id": task.id, "text": text, "tokens": [], "secs": 1.0, "passed": None})
        for task, text in zip(tasks(len(TEXTS)), TEXTS, strict=True)
    ]
    file.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    return file


def test_what_cleaning_gains_and_loses(
    run: Run, data: Path, predictions: Path, tmp_path: Path
) -> None:
    """The documented JSON, and the texts that were executed."""
    out = tmp_path / "texts.jsonl"
    done = run(
        "eval", "clean", "--data", data, "--predictions", predictions, "--json", "--out", out
    )
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == {
        "tasks": 5, "raw": 0.2, "cleaned": 0.6, "gained": 2, "lost": 0,
    }  # fmt: skip
    texts = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["task_id"] for row in texts] == [task.id for task in tasks(5)]
    assert [row["raw"] for row in texts] == [
        "    return a + b\n",
        "```python\n",
        "    return a - b\n",
        "    ) a b\n",
        "    return a + b)<|im_end|>\n",
    ]
    assert [row["cleaned"] for row in texts] == [
        "    return a + b",
        "    return a + b",
        "    return a - b",
        "",
        "    return a + b",
    ]


def test_for_people(run: Run, data: Path, predictions: Path) -> None:
    """One line with the same figures."""
    done = run("eval", "clean", "--data", data, "--predictions", predictions)
    assert done.out == "5 answers: 20.0% right raw, 60.0% as shown; 2 gained, 0 lost.\n"


def test_the_same_texts_with_nothing_done(
    run: Run, data: Path, predictions: Path, tmp_path: Path
) -> None:
    """What users would see: how many texts, which parse, which repeat the line below."""
    repeated = json.loads(gzip.decompress(predictions.read_bytes()).splitlines()[0])
    file = tmp_path / "repeats.jsonl"
    file.write_text(json.dumps(repeated | {"text": "def after_0():\n"}) + "\n", encoding="utf-8")

    command = ("eval", "clean", "--data", data, "--json", "--bake-off", "--predictions")
    found = json.loads(run(*command, predictions).out)
    assert found["nothing_done"] == {
        "shown": 5, "parses": 2, "duplicates": 0, "echoes": 0, "right": 1
    }  # fmt: skip
    assert found["as_shown"] == {
        "shown": 4, "parses": 4, "duplicates": 0, "echoes": 0, "right": 3
    }  # fmt: skip
    found = json.loads(run(*command, file).out)
    assert found["nothing_done"]["duplicates"] == found["nothing_done"]["echoes"] == 1
    assert set(found["as_shown"].values()) == {0}


@pytest.mark.parametrize(("reading", "right"), [("live", 1), ("paper", 1), ("unrepaired", 0)])
def test_answers_are_read_as_they_are_told_to(
    run: Run, data: Path, tmp_path: Path, reading: str, right: int
) -> None:
    """A level that is wrong is mended by the paper's repair, and not without it."""
    row = {"task_id": tasks(1)[0].id, "text": "return a + b", "tokens": [], "profile": "paper"}
    file = tmp_path / "level.jsonl"
    file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    command = ("eval", "clean", "--data", data, "--json", "--predictions", file, "--reading")
    assert json.loads(run(*command, reading).out)["cleaned"] == right


def test_the_bake_off_for_people(run: Run, data: Path, predictions: Path) -> None:
    """A line each."""
    done = run("eval", "clean", "--data", data, "--predictions", predictions, "--bake-off")
    ending = "0 repeat the line below, 0 stand in the file already."
    assert done.out.splitlines()[1:] == [
        f"nothing done: 5 shown, 40.0% of them parse, 1 right, {ending}",
        f"as shown: 4 shown, 100.0% of them parse, 3 right, {ending}",
    ]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot be read"),
        ("", "holds no answer"),
        ("{}\n", "is no prediction"),
        ('{"task_id": "SingleLineInfilling/HumanEval/999/L0", "text": ""}\n', "has no task"),
    ],
)
def test_answers_that_cannot_be_used(
    run: Run, data: Path, tmp_path: Path, content: str | None, says: str
) -> None:
    """A file that is missing, empty, damaged or of other tasks is a sentence."""
    file = tmp_path / "answers.jsonl"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    done = run("eval", "clean", "--data", data, "--predictions", file)
    assert done.code == 1
    assert says in done.sentence

"""`synconfroute eval cuts`: stored answers of several lines, cut and really executed."""

import json
from pathlib import Path
from shutil import copy

import pytest

from tests.evaluation.generation.functions import tasks
from tests.server.command.conftest import Run

PIECES = [
    ["c = a + b\n", "    return c\n", "\n\n", "print(", "undefined)"],
    ["return a - b\n", "\n", "assert False\n"],
]


@pytest.fixture
def data(data: Path) -> Path:
    """The tasks as a benchmark of several lines, too."""
    folder = data / "humaneval_infilling"
    single = folder / "HumanEval-SingleLineInfilling.jsonl"
    copy(single, folder / "HumanEval-MultiLineInfilling.jsonl")
    return data


def write(file: Path, bench: str = "humaneval-multi-line", *, tokens: bool = True) -> Path:
    """Two answers: one whose best cut is right, and a wrong one."""
    rows = [
        {
            "task_id": task.id,
            "bench": bench,
            "text": "    " + "".join(pieces),
            "tokens": [[piece, -0.1] for piece in pieces] if tokens else [],
            "finish": "length",
        }
        for task, pieces in zip(tasks(2), PIECES, strict=True)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_every_way_is_executed(run: Run, data: Path, tmp_path: Path) -> None:
    """The documented JSON."""
    done = run("eval", "cuts", "--data", data, "--json", "--predictions", write(tmp_path / "a"))
    assert (done.code, done.err) == (0, "")
    part, total = json.loads(done.out)["parts"]
    assert part | {"bench": "total"} == total
    assert {way: share["value"] for way, share in part["pass_at_1"].items()} == {
        "raw": 0.0, "shortest": 0.0, "longest": 0.0, "plain": 0.5, "structural": 0.5, "best": 0.5,
    }  # fmt: skip
    assert part["of_best"]["value"] == 1.0
    assert (part["tasks"], part["tokens"], part["saved"]) == (2, 8, 1)


def test_what_people_read(run: Run, data: Path, tmp_path: Path) -> None:
    """The ratio comes last, with its interval."""
    done = run("eval", "cuts", "--data", data, "--predictions", write(tmp_path / "a"))
    assert done.out.splitlines()[-1].startswith("  structural: 100.0% (100.0% to 100.0%) of the")


@pytest.mark.parametrize(
    ("bench", "tokens", "sentence"),
    [
        ("humaneval-multi-line", False, "These files hold no tokens"),
        ("humaneval-single-line", True, "are within one line"),
    ],
)
def test_answers_that_cannot_be_cut(
    run: Run, data: Path, tmp_path: Path, bench: str, sentence: str, *, tokens: bool
) -> None:
    """One sentence says why."""
    file = write(tmp_path / "a", bench, tokens=tokens)
    done = run("eval", "cuts", "--data", data, "--predictions", file)
    assert done.code == 1
    assert sentence in done.sentence

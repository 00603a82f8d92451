"""`synconfroute eval regressions`, on answers as `eval run` writes them."""

import json
from pathlib import Path

from synconfroute.evaluation.predictions import digest_of_file
from tests.evaluation.generation.functions import tasks
from tests.server.command.conftest import Run

RIGHT = "    return a + b\n"
EXAMPLE = "    return a.sum(b)\n"
"""What a model wrote in the examples."""


def write(file: Path, texts: list[str], **conditions: object) -> Path:
    """Answers to the first tasks; the last task is what examples are made of."""
    example = tasks(40)[-1].id
    rows = [
        {
            "task_id": task.id, "text": text, "tokens": [], "bench": task.bench, "model": "tiny",
            "profile": "live", "suffix": "open", "shots": 0, "examples": [],
        }
        | conditions
        | ({"examples": [example], "examples_as": "static"} if conditions.get("shots") else {})
        for task, text in zip(tasks(40), texts, strict=False)
    ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_arms_against_no_examples(run: Run, data: Path, tmp_path: Path) -> None:
    """One task lost its column, one has a name of the example, one has what a model wrote there."""
    zero = write(tmp_path / "zero.jsonl", [RIGHT] * 4)
    by = write(tmp_path / "by.jsonl", [EXAMPLE] * 40)
    named = f"by.jsonl ({digest_of_file(by)})"
    texts = ["return a + b\n", "    return add_39(a)\n", EXAMPLE, RIGHT]
    one = write(tmp_path / "one.jsonl", texts, shots=1)
    two = write(tmp_path / "two.jsonl", texts, shots=1, examples_by=named)
    done = run(
        "eval", "regressions", "--data", data, "--zero", zero, "--shots", one, two,
        "--examples-by", by, "--json",
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    true, written = json.loads(done.out)["arms"]
    assert (true["name"], written["name"]) == ("1-shot static", "1-shot static by by.jsonl")
    for arm in (true, written):
        assert (arm["tasks"], arm["gained"]) == (4, 0)
        assert (arm["zero"]["value"], arm["shot"]["value"]) == (1.0, 0.25)
        assert [each["task_id"] for each in arm["lost"]] == [task.id for task in tasks(3)]
    assert true["kinds"] == {"indentation": 1, "content": 1, "other": 1}
    assert written["kinds"] == {"indentation": 1, "content": 2, "other": 0}
    assert "return" not in done.out  # no code


def test_what_people_read(run: Run, data: Path, tmp_path: Path) -> None:
    """Both shares, the change, and the kinds of what was lost."""
    zero = write(tmp_path / "zero.jsonl", [RIGHT] * 2)
    shot = write(tmp_path / "shot.jsonl", [RIGHT, "return a + b\n"], shots=1)
    done = run("eval", "regressions", "--data", data, "--zero", zero, "--shots", shot)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "1-shot static on humaneval-single-line, 2 tasks"
    assert "change            -50.0%" in lines[3]
    assert "1 indentation-copying (100%), 0 content-copying (0%), 0 other (0%)" in lines[4]

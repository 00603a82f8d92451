"""`synconfroute validate`: one verdict, and batches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.command.conftest import SOURCES, Run

_ROW = {"id": 1, "language": "python", "prefix": "x = ", "suffix": "\n", "text": "1"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A Python file with a hole at 2:12."""
    path = tmp_path / "app.py"
    path.write_text("def add(a, b):\n    return \n")
    return path


@pytest.mark.parametrize(
    ("text", "verdict"), [("a + b", "valid"), ("a + )", "invalid"), ("\ud800", "unknown")]
)
def test_the_exit_code_is_0_whatever_the_verdict(
    run: Run, file: Path, text: str, verdict: str
) -> None:
    """The verdict is on stdout, for people and as JSON."""
    if sys.platform == "win32" and not text.isascii():
        pytest.skip("half a character cannot be typed there")
    encoded = os.fsdecode(b"\xff") if text == "\ud800" else text
    done = run("validate", file, "--at", "2:12", "--text", encoded, "--json")
    answer = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert list(answer) == ["verdict", "reason", "evidence", "ms"]
    assert answer["verdict"] == verdict
    assert run("validate", file, "--at", "2:12", "--text", encoded).out.startswith(f"{verdict}")


def test_reason_and_evidence_are_printed(run: Run, file: Path) -> None:
    """One sentence why, and a line for each thing that is suspicious."""
    done = run("validate", file, "--at", "2:12", "--text", "a + bb")
    first, *more = done.out.splitlines()
    assert first.startswith("valid: ")
    assert [line.partition(":")[0] for line in more] == ["  line 2"]
    done = run("validate", file, "--at", "2:12", "--text", "a + bb", "--json")
    found = json.loads(done.out)["evidence"]
    assert [(each["kind"], each["line"]) for each in found] == [("name", 2)]
    assert list(found[0]) == ["kind", "message", "line"]


@pytest.mark.parametrize(
    ("name", "content", "at", "text", "verdict"),
    [
        ("A.java", "class A { int f() { return ; } }\n", "1:28", "1", "valid"),
        ("A.java", "class A { int f() { return ; } }\n", "1:28", ")", "invalid"),
        ("a.cpp", "int f() { return ; }\n", "1:18", "1", "valid"),
        ("a.cpp", "int f() { return ; }\n", "1:18", ")", "invalid"),
        ("a.rs", "fn f() {}\n", "1:9", "1", "valid"),
        ("a.lua", "x = \n", "1:5", "1", "unknown"),
        ("empty.py", "", "1:1", "x = 1", "valid"),
    ],
)
def test_the_language_is_the_files(
    run: Run, tmp_path: Path, name: str, content: str, at: str, text: str, verdict: str
) -> None:
    """By its name; a language without a parser is unknown."""
    (tmp_path / name).write_text(content)
    done = run("validate", tmp_path / name, "--at", at, "--text", text, "--json")
    assert json.loads(done.out)["verdict"] == verdict


def test_the_language_can_be_given(run: Run, tmp_path: Path) -> None:
    """--language overrides the name."""
    (tmp_path / "notes.txt").write_text("x = \n")
    done = run(
        "validate", tmp_path / "notes.txt", "--at", "1:5", "--text", "1", "--language", "python"
    )
    assert done.out.startswith("valid")


def test_a_batch_is_answered_in_order(run: Run, tmp_path: Path) -> None:
    """One line a row, each with its id of any kind."""
    rows = [
        {**_ROW, "id": "a"},
        {**_ROW, "id": {"n": 2}, "text": ")", "before": "x = 0\n"},
        {**_ROW, "id": None, "language": "klingon"},
    ]
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n\n".join(map(json.dumps, rows)))
    done = run("validate", "--jsonl", batch)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (0, "")
    assert [answer["id"] for answer in answers] == ["a", {"n": 2}, None]
    assert [answer["verdict"] for answer in answers] == ["valid", "invalid", "unknown"]
    assert list(answers[0]) == ["id", "verdict", "reason", "evidence", "ms"]


@pytest.mark.parametrize(
    "bad",
    [
        b"{", b"[]", b"3", b"\xff\xfe", b'{"id": 1}', b"[" * 100_000,
        json.dumps({**_ROW, "text": 3}).encode(), json.dumps({**_ROW, "before": 3}).encode(),
        json.dumps({name: value for name, value in _ROW.items() if name != "id"}).encode(),
    ],
)  # fmt: skip
def test_a_bad_row_is_named_and_the_rest_is_done(run: Run, bad: bytes) -> None:
    """One sentence with its line number, exit code 1, all other rows answered."""
    row = json.dumps(_ROW).encode()
    done = run("validate", "--jsonl", "-", stdin=b"\n".join([row, bad, row]))
    assert "Line 2 of -" in done.sentence
    assert done.code == 1
    assert len(done.out.splitlines()) == 2


@pytest.mark.usefixtures("home")
def test_rows_are_answered_as_they_come() -> None:
    """Each answer is there before the next row is given."""
    with subprocess.Popen(
        [sys.executable, "-m", "synconfroute", "validate", "--jsonl", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCES)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({**_ROW, "id": number}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(60) == 0

"""`synconfroute eval report` as a process: the files that it writes, and what stands in them."""

import json
from pathlib import Path

import pytest

from tests.evaluation.command.conftest import COUNT
from tests.evaluation.command.test_routes import OFFLINE, write
from tests.server.command.conftest import Run


@pytest.fixture
def files(data: Path, tmp_path: Path) -> tuple[str | Path, ...]:
    """The local model is right on even tasks; its run used the paper's prompt."""
    even = [number % 2 == 0 for number in range(COUNT)]
    local = write(tmp_path / "local.jsonl", even, [-0.05] * COUNT, passed=True)
    larger = write(tmp_path / "larger.jsonl", [True] * COUNT, [-0.1] * COUNT, passed=True)
    notes = {"begun_with": {}, "prompt_text": "Fill in the missing code of a {language} file."}
    (tmp_path / "local.jsonl.run.json").write_text(json.dumps(notes))
    return ("--data", data, "--local", local, "--larger", larger)


def test_a_study_is_written_twice(run: Run, files: tuple[str | Path, ...], tmp_path: Path) -> None:
    """Markdown with its pictures, and one page; the same figures in both, and no code."""
    done = run("eval", "report", *files, "--out", tmp_path / "study", env=OFFLINE)
    assert done.code == 0, done.err
    assert done.out.split() == [
        str(tmp_path / "study" / f"report.{kind}") for kind in ("html", "md")
    ]
    names = {file.name for file in (tmp_path / "study").iterdir()}
    assert names == {"report.html", "report.md", "curves.svg", "failures.svg", "complement.svg"}
    for name in ("report.html", "report.md"):
        text = (tmp_path / "study" / name).read_text("utf-8")
        assert "humaneval-single-line" in text
        assert "Fill in the missing code of a {language} file." in text
        assert "local only: 0" in text
        assert "held, at each of 101 thresholds" in text
        assert "return a" not in text
        assert str(tmp_path) not in text


def test_a_folder_that_cannot_be_written_is_said(
    run: Run, files: tuple[str | Path, ...], tmp_path: Path
) -> None:
    """One sentence more than what is left out."""
    (tmp_path / "study").write_text("")
    done = run("eval", "report", *files, "--out", tmp_path / "study", env=OFFLINE)
    assert done.code == 1
    assert "cannot be written" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err

"""The table of verdicts: where it is written, and what its rows are measured on."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.validation.corpora import SEED, TRUTH, humaneval_x, of_file
from benchmarks.validation.others import parses
from benchmarks.validation.report import BEGIN, END, place_of_figures, with_figures
from tests.validators.edits import states

_ROOT = Path(__file__).parents[2]
_PYTHON = "".join(
    f"def f{number}(a, b):\n    return [a, {number}][b](a)\n\n\n" for number in range(20)
)


def _humaneval_x(folder: Path, name: str, **row: str) -> Path:
    (folder / "humaneval_x").mkdir(exist_ok=True)
    with gzip.open(folder / "humaneval_x" / f"humaneval_{name}.jsonl.gz", "wt") as file:
        file.write(json.dumps({"task_id": "X/0", **row}) + "\n")
    return folder


def test_figures_are_put_between_their_marks() -> None:
    """What stands around them stays, and what a later run gives takes the place of the first."""
    document = f"Above.\n{BEGIN}{END}Below.\n"
    once = with_figures(document, "| first |")
    twice = with_figures(once, "| second |")
    assert twice == f"Above.\n{BEGIN}\n| second |\n\n{END}Below.\n"


@pytest.mark.parametrize("document", ["", BEGIN, END, END + BEGIN])
def test_a_document_without_both_marks_has_no_place(document: str) -> None:
    """Nothing is guessed: neither mark, one of them, or the wrong order."""
    assert place_of_figures(document) is None
    with pytest.raises(ValueError, match="no place"):
        with_figures(document, "")


def test_the_document_has_a_place_for_the_figures() -> None:
    """`--write` finds the marks in the documentation of verdicts."""
    document = _ROOT / "docs" / "validators.md"
    assert place_of_figures(document.read_text(encoding="utf-8")) is not None


def test_a_declaration_that_stands_apart_goes_before_the_solution(tmp_path: Path) -> None:
    """Rust's tasks give imports and signature beside the prompt; without them nothing parses."""
    folder = _humaneval_x(
        tmp_path,
        "rust",
        prompt="/* Add. */\n",
        declaration="use std::cmp;\nfn add(a: i32) -> i32 {\n",
        canonical_solution="    a + 1\n}\n",
    )
    first = humaneval_x(folder, "rust")[0]
    assert first.prefix == "/* Add. */\nuse std::cmp;\nfn add(a: i32) -> i32 {\n"
    assert first.texts[TRUTH] == "    a + 1"


def test_a_declaration_in_the_prompt_is_not_repeated(tmp_path: Path) -> None:
    """Not even where it is spaced otherwise."""
    folder = _humaneval_x(
        tmp_path,
        "go",
        prompt="// Add.\nfunc Add(a int,b int) int {\n",
        declaration="\nfunc Add(a int, b int) int {\n",
        canonical_solution="    return a + b\n}\n",
    )
    assert humaneval_x(folder, "go")[0].prefix == "// Add.\nfunc Add(a int,b int) int {\n"


def test_damage_is_damage_once_it_is_committed() -> None:
    """Every damaged truth of a file breaks the file when the rest of the hunk is typed."""
    found = list(of_file("python", "a.py", _PYTHON, 20))
    made = list(states(_PYTHON, SEED, 20))
    assert len(found) == len(made) > 5
    kinds = set()
    for case, state in zip(found, made, strict=True):
        assert case.texts[TRUTH] == state.truth
        for kind, text in case.texts.items():
            assert parses("python", state.committed(text)) is (kind == TRUTH)
            kinds.add(kind)
    assert {TRUTH, "fence", "overclose", "cut_half"} <= kinds


def test_of_a_file_that_does_not_parse_only_truths_are_kept() -> None:
    """Where the parser rejects the author's own text, its word on damage counts for nothing."""
    found = list(of_file("python", "a.py", _PYTHON + "x = (\n", 20))
    assert [set(case.texts) for case in found] == [{TRUTH}] * len(found) != []


def _run(data: Path, group: str, **environment: str) -> tuple[int, list[list[str]]]:
    """Exit code and cells of the table of one group."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.validation", "--data", data, "--only", group,
         "--packages", data / "packages", "--jobs", "1"],
        cwd=_ROOT, capture_output=True, text=True, encoding="utf-8", check=False, timeout=100,
        env={**os.environ, "PYTHONPATH": str(_ROOT / "src"), "PYTHONUTF8": "1", **environment},
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    return done.returncode, [line.strip("| ").split(" | ") for line in lines[2:]]


def test_rows_say_where_packages_cannot_be_had(tmp_path: Path) -> None:
    """Without the registries' clients there is a table, in order, and no goal is missed."""
    code, rows = _run(tmp_path, "fresh", PATH="")
    assert code == 0
    assert [row[0] for row in rows] == [
        f"fresh files, {language}" for language in ("python", "java", "cpp")
    ]
    assert all("is not installed" in row[1] for row in rows)


def test_a_part_that_fails_is_a_row(tmp_path: Path) -> None:
    """Where the data is missing the table says so, part by part, and the run counts as failed."""
    code, rows = _run(tmp_path, "further")
    assert code == 1
    assert [row[:2] for row in rows] == [
        [f"further, {language}", "failed: FileNotFoundError"]
        for language in ("javascript", "go", "rust")
    ]

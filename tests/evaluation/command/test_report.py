"""`synconfroute eval report` as a process: the files that it writes, and what stands in them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from synconfroute.evaluation.datasets import load
from tests.evaluation.command.conftest import COUNT
from tests.evaluation.command.test_routes import OFFLINE, write
from tests.evaluation.report import made_up
from tests.server.command.conftest import SOURCES, Run

Rows = list[list[str]]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on the whole made-up study: made once, looked at by many tests."""
    folder = tmp_path_factory.mktemp("study")
    data = folder / "data"
    made_up.write_data(data)
    arguments = [
        str(part)
        for name, files in made_up.study(folder, data).items()
        for part in (f"--{name}", *files)
    ]
    done = subprocess.run(
        [sys.executable, "-m", "synconfroute", "eval", "report", "--data", data, *arguments,
         "--out", folder / "out"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "HOME": str(folder), **OFFLINE},
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def text(study: Path) -> str:
    """Its Markdown."""
    return (study / "report.md").read_text("utf-8")


def rows_below(text: str, words: str) -> Rows:
    """The cells of the first table below the first line that holds these words."""
    table = re.search(r"(?:^\|.*\n)+", text[text.index(words) :], re.MULTILINE)
    assert table is not None
    lines = table[0].splitlines()
    return [
        [cell.strip().strip("*").replace("\\", "") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for index, line in enumerate(lines)
        if index != 1
    ]


def row_of(rows: Rows, *begin: str) -> list[str]:
    """The only row that begins so."""
    (found,) = (row for row in rows if row[: len(begin)] == list(begin))
    return found


def test_a_study_is_written_twice(study: Path, text: str) -> None:
    """Markdown with its pictures and one page, with the same parts; no code, no folder."""
    page = (study / "report.html").read_text("utf-8")
    names = {file.name for file in study.iterdir()}
    pictures = set(re.findall(r"\]\(([\w-]+\.svg)\)", text))
    assert names == {"report.html", "report.md", *pictures}
    for wanted in (
        "Table 1", "Figure 1", "Table 3", "Table 4", "Figure 3", "Figure 4", "Table 5",
        "Prompt and repair", "Examples in the prompt", "Voting", "Quantization",
    ):  # fmt: skip
        assert f"<h2>{wanted}" in page or f"<b>{wanted}" in page
        assert f"# {wanted}" in text or f"\n{wanted} " in text or f"# Table 4 and {wanted}" in text
    for said in (page, text):
        assert "return a" not in said
        assert "x == 1" not in said
        assert str(study.parent) not in said


def test_table_1_marks_each_task(text: str) -> None:
    """Two of six are right locally, five by the larger model, each with its mark."""
    rows = rows_below(text, "## Table 1")
    assert rows[0][2].startswith("Qwen2.5-Coder-0.5B")
    assert row_of(rows, "Variable assignment")[1:] == ["easy", "✓", "✓"]
    assert row_of(rows, "Recursive flatten")[1:] == ["hard", "×", "✓"]
    assert row_of(rows, "right") == ["right", "", "2/6", "5/6"]


def test_table_3_has_each_split_with_its_interval(text: str) -> None:
    """Twelve of 24 in Python; calls are a column of their own; what is absent is named."""
    rows = rows_below(text, "## Table 3")
    local = rows[1]
    assert local[0].startswith("Qwen2.5-Coder-0.5B")
    assert rows[0][1] == "Python Control"
    assert re.fullmatch(r"50\.0 \(\d+–\d+, n 24\)", local[1])
    assert re.fullmatch(r"50\.0 \(\d+–\d+, n 4\)", local[3])
    assert local[2] == "–"
    assert re.search(r"Not answered by any of these models: .*SAFIM C\+\+ Block", text)


def test_table_4_sets_four_strategies_side_by_side(text: str) -> None:
    """Confidence tells right from wrong here, so that it gives whatever either model has right."""
    rows = rows_below(text, "Table 4 Deployment")
    local, larger = row_of(rows, "Always local"), row_of(rows, "Always larger")
    assert local[2].startswith("50.0 (")
    assert local[3:] == ["0%", "100%", "–", "100 ms"]
    assert larger[2].startswith("75.0 (")
    assert larger[3:] == ["100%", "0%", "–", "300 ms"]
    for threshold in ("best", "0.7, the paper's"):
        ours = row_of(rows, "SynConfRoute", threshold)
        assert ours[2].startswith("100.0 (")
        assert ours[3:5] == ["50%", "50%"]
    assert row_of(rows, "SynConfRoute", "best")[5] == "100.0"
    assert row_of(rows, "Oracle (upper bound)")[2] == "100.0"


def test_table_5_counts_a_routed_request_twice(text: str) -> None:
    """Local and larger, 400 ms; decided at the third token 340."""
    rows = rows_below(text, "## Table 5")
    assert row_of(rows, "Private (local)")[2:5] == ["100 ms", "–", "100 ms"]
    (routed,) = (row for row in rows if ", synconfroute" in row[1])
    assert routed[2:4] == ["400 ms", "340 ms"]
    (balanced,) = (row for row in rows if row[0].startswith("Balanced"))
    assert balanced[5].startswith("100.0 (50% local")
    assert "a processor, 2 cores" in text


def test_figure_1_has_a_circle_a_diamond_and_the_target(study: Path) -> None:
    """The small model is a circle, the one of 32 B a diamond; 200 ms is dashed."""
    root = ElementTree.fromstring((study / "landscape.svg").read_text("utf-8"))  # noqa: S314
    kinds = [(each.tag.rpartition("}")[2], each.get("class", "")) for each in root.iter()]
    assert ("circle", "spot family-qwen") in kinds
    assert ("path", "spot family-qwen") in kinds
    assert [kind for kind in kinds if kind[1] == "target"] == [("line", "target")]


def test_figure_3_has_every_strategy_by_name(study: Path) -> None:
    """At its threshold, and the paper's fixed ones beside."""
    root = ElementTree.fromstring((study / "pair-1-1-strategies.svg").read_text("utf-8"))  # noqa: S314
    lines = (each.text or "" for each in root.iter() if "name" in each.get("class", "").split())
    names = {name.strip() for line in lines for name in line.split(",")}
    assert {"always-local", "oracle", "synconfroute", "score", "confidence 0.7"} <= names


def test_figure_4_has_nine_panels_and_says_where_tasks_are_too_few(study: Path, text: str) -> None:
    """Python has its rules; of six Java tasks nothing is fitted; other splits are said to lack."""
    root = ElementTree.fromstring((study / "safim-0.svg").read_text("utf-8"))  # noqa: S314
    panels = [each for each in root if each.get("transform")]
    said = [[every.text for every in each.iter() if every.tag.endswith("text")] for each in panels]
    assert len(said) == 9
    (python,) = (each for each in said if each[0] == "Python Control")
    assert {"always-local", "confidence", "synconfroute", "score", "always-larger"} <= set(python)
    (java,) = (each for each in said if each[0] == "Java Control")
    assert "6 tasks" in java
    assert "synconfroute" not in java
    assert sum("not answered by both models" in each for each in said) == 6
    gains = rows_below(text, "Differences of pass@1")
    assert row_of(gains, "SAFIM Java Control")[1] == "too few tasks"
    assert row_of(gains, "SAFIM Python Control")[1] == "+0.0"


def test_what_was_fitted_on_single_lines_is_carried_over(text: str) -> None:
    """The threshold of forty lines keeps right answers apart in SAFIM too."""
    assert "as it was fitted on 40 single lines" in text
    rows = rows_below(text, "#### The same in numbers")
    moved = row_of(rows, "SAFIM Python Control", "synconfroute")
    assert moved[5:] == ["100.0", "50%"]


def test_repairs_are_shown_beside_what_was_sent(text: str) -> None:
    """One row for each model under the paper's profile."""
    rows = rows_below(text, "## Prompt and repair")
    assert {row[0] for row in rows[1:]} == {
        "Qwen2.5-Coder-0.5B", "Qwen2.5-Coder-0.5B Q8_0", "Qwen2.5-Coder-32B",
    }  # fmt: skip
    assert row_of(rows, "Qwen2.5-Coder-32B")[5].startswith("75.0")


def test_examples_gain_and_lose(text: str) -> None:
    """Of 30 tasks 15 are right without and 10 with: 5 gained, 10 lost."""
    rows = rows_below(text, "## Examples in the prompt")
    (arm,) = rows[1:]
    assert arm[1:3] == ["1-shot tfidf", "30"]
    assert arm[3].startswith("50.0")
    assert arm[4].startswith("33.3")
    assert arm[6:8] == ["5", "10"]


def test_three_draws_vote(text: str) -> None:
    """The first draw alone has eight right, the majority five, the greedy answers five of ten."""
    rows = rows_below(text, "## Voting")
    assert [row[1] for row in rows[1:]] == ["greedy", "one draw", "3 draws"]
    assert [row[2].partition(" ")[0] for row in rows[1:]] == ["50.0", "80.0", "50.0"]
    assert rows[3][4] == "2 (20.0%)"


def test_levels_are_compared_on_the_same_tasks(text: str) -> None:
    """Twenty tasks are common; levels that are not here are named."""
    rows = rows_below(text, "## Quantization")
    assert [row[1:3] for row in rows[1:]] == [["Q4_K_M", "20"], ["Q8_0", "20"]]
    assert [row[3].partition(" ")[0] for row in rows[1:]] == ["50.0", "75.0"]
    assert rows[1][5:] == ["1,000 ms", "491 MB", "700 MB"]
    assert rows[2][5:] == ["1,000 ms", "676 MB", "900 MB"]
    assert "not at hand: Q2_K, F16" in text.replace("\\", "")


def test_a_sample_stands_beside_no_figure_of_the_paper(text: str) -> None:
    """Forty lines are all of this benchmark, yet not the paper's 1,033."""
    assert rows_below(text, "## Answers at hand")[0][-1] == "invalid"
    assert "64.7" not in text


def test_what_is_not_there_is_said_with_its_command(run: Run, data: Path, tmp_path: Path) -> None:
    """Two files of single lines: every other part says what makes it, and nothing fails."""
    even = [number % 2 == 0 for number in range(COUNT)]
    local = write(tmp_path / "local.jsonl", even, [-0.05] * COUNT, passed=True)
    larger = write(tmp_path / "larger.jsonl", [True] * COUNT, [-0.1] * COUNT, passed=True)
    notes = {"begun_with": {}, "prompt_text": "Fill in the missing code of a {language} file."}
    (tmp_path / "local.jsonl.run.json").write_text(json.dumps(notes))
    out = tmp_path / "study"
    done = run("eval", "report", "--data", data, "--local", local, "--larger", larger,
               "--out", out, env=OFFLINE)  # fmt: skip
    assert done.code == 0, done.err
    assert done.out.split() == [str(out / f"report.{kind}") for kind in ("html", "md")]
    text = (out / "report.md").read_text("utf-8")
    for command in (
        "--bench table-1", "eval latency", "--bench safim-control", "--shots 1", "--draws 10",
        "Q8_0.gguf",
    ):  # fmt: skip
        assert command in text
    assert "Fill in the missing code of a {language} file." in text
    assert "local only: 0" in text
    assert "held, at each of 101 thresholds" in text


def test_a_folder_that_cannot_be_written_is_said(run: Run, data: Path, tmp_path: Path) -> None:
    """One sentence; two tasks alone give a report as well, only without strategies."""
    one = made_up.answers(
        tmp_path / "one.jsonl", load(data, "humaneval-single-line")[:2], "m", made_up.half
    )
    (tmp_path / "study").write_text("")
    done = run("eval", "report", "--data", data, "--local", one, "--larger", one,
               "--out", tmp_path / "study", env=OFFLINE)  # fmt: skip
    assert done.code == 1
    assert "cannot be written" in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_files_without_answers_are_left_out_unless_nothing_remains(
    run: Run, data: Path, tmp_path: Path
) -> None:
    """A run that has only begun is said to hold none; where no model has any, that is an error."""
    empty = tmp_path / "begun.jsonl"
    empty.write_text("")
    one = made_up.answers(
        tmp_path / "one.jsonl", load(data, "humaneval-single-line")[:2], "m", made_up.half
    )
    done = run("eval", "report", "--data", data, "--local", one, "--larger", empty,
               "--out", tmp_path / "study", env=OFFLINE)  # fmt: skip
    assert done.code == 1
    assert "begun.jsonl is left out: it holds no answer yet." in done.err
    assert done.err.splitlines()[-1].endswith("There is no answer of a larger model.")

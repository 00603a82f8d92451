"""Benchmarks read from a folder: names, ids, groups, line breaks, and what is wrong with a file."""

import ast
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets import PUBLISHED, Answers, RunToEnd, Same, load, named

SINGLE = "humaneval_infilling/HumanEval-SingleLineInfilling.jsonl"
SPAN = "humaneval_infilling/HumanEval-RandomSpanInfilling.jsonl"
COUNTS = {
    "humaneval-single-line": 1033, "humaneval-multi-line": 5815, "humaneval-random-span": 1640,
    "humaneval-random-span-light": 164, "safim-block-python": 805, "safim-block-java": 2479,
    "safim-block-cpp": 4968, "safim-control-python": 750, "safim-control-java": 2464,
    "safim-control-cpp": 4881, "safim-api-python": 181, "safim-api-java": 56, "safim-api-cpp": 52,
}  # fmt: skip
"""As the benchmarks' own pages and the paper (§2) count them."""


def write(folder: Path, name: str, *rows: Any, packed: bool = False) -> Path:
    """A file of a benchmark in a data folder."""
    file = folder / (f"{name}.gz" if packed else name)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    file.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return file


def infilling(number: int = 0, **changed: Any) -> dict[str, Any]:
    """A row as HumanEval-Infilling has them, of a function of our own."""
    row = {
        "task_id": f"SingleLineInfilling/HumanEval/{number}/L0",
        "entry_point": "double",
        "prompt": "def double(x):\n",
        "suffix": "    return y\n",
        "canonical_solution": "    y = 2 * x\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n",
    }
    return row | changed


def safim(number: int = 0, language: str = "java", **changed: Any) -> dict[str, Any]:
    """A row as SAFIM has them, of a program of our own, with CRLF."""
    program = "class A {\r\n  int f() {\r\n    {{completion}}\r\n  }\r\n}\r\n"
    todo = program.replace("{{completion}}", "/* TODO: Your code here */")
    head = f"Complete the code in {language} to solve this programming problem:\n\n"
    row = {
        "task_id": f"block_completion_{number:06}",
        "lang": language,
        "prompt": f"{head}Description: \\under the line \\\n\nNotes: none\n\nCode:\n\n{todo}",
        "eval_prompt": program,
        "ground_truth": "int a = 1;\r\n    return a;",
        "unit_tests": [{"input": "1\n", "output": ["1", "one"]}],
    }
    return row | changed


def test_a_hole_of_whole_lines(tmp_path: Path) -> None:
    """The truth has no line break at its end; the buffer has one below the hole."""
    write(tmp_path, SINGLE, infilling(7), packed=True)
    (task,) = load(tmp_path, "humaneval-single-line")
    assert (task.id, task.group) == ("SingleLineInfilling/HumanEval/7/L0", "HumanEval/7")
    assert (task.language, task.bench) == ("python", "humaneval-single-line")
    assert task.whole_lines
    assert task.truth == "    y = 2 * x"
    assert task.below == "\n    return y\n"
    assert isinstance(task.check, RunToEnd)
    ast.parse(f"{task.prefix}{task.truth}{task.below}{task.check.tail}")


def test_a_hole_within_lines(tmp_path: Path) -> None:
    """A random span is taken to the letter, a line break at its end too."""
    write(tmp_path, SPAN, infilling(canonical_solution="    y = 2 * x\n"))
    (task,) = load(tmp_path, "humaneval-random-span")
    assert not task.whole_lines
    assert task.truth == "    y = 2 * x\n"
    assert task.below == task.suffix


def test_a_program_of_a_contest(tmp_path: Path) -> None:
    """The statement stands above as comments, line breaks are LF, tests name what is accepted."""
    write(tmp_path, "safim/block_completion.jsonl", safim())
    (task,) = load(tmp_path, "safim-block-java")
    assert task.id == "block/block_completion_000000"
    assert task.prefix == (
        "// Description: \\ under the line\n//\n// Notes: none\n\nclass A {\n  int f() {\n    "
    )
    assert task.suffix == "\n  }\n}\n"
    assert task.truth == "int a = 1;\n    return a;"
    assert isinstance(task.check, Answers)
    assert task.check.cases == (("1\n", ("1", "one")),)
    assert "\r" not in task.check.program


def test_a_call_of_an_api_has_no_tests(tmp_path: Path) -> None:
    """Its answer must be the truth; its id is unlike the block's with the same number."""
    row = safim(unit_tests=[], prompt="Complete the code in java:\n\nclass A {}\n")
    write(tmp_path, "safim/api_completion.jsonl", row)
    write(tmp_path, "safim/block_completion.jsonl", safim())
    write(tmp_path, "safim/control_completion.jsonl", safim())
    api = load(tmp_path, "safim-api-java")
    assert isinstance(api[0].check, Same)
    assert api[0].prefix.startswith("class A {")
    assert len({task.id for task in load(tmp_path, "safim")}) == 3


def test_holes_of_one_problem_are_one_group(tmp_path: Path) -> None:
    """Across languages and kinds of hole; another problem is another group."""
    other = safim(2, prompt="Complete:\n\nDescription: another\n\nCode:\n\n")
    write(tmp_path, "safim/block_completion.jsonl", safim(0), safim(1, "cpp"), other)
    write(tmp_path, "safim/control_completion.jsonl", safim(5, "python"))
    first, another = load(tmp_path, "safim-block-java")
    assert load(tmp_path, "safim-block-cpp")[0].group == first.group
    assert load(tmp_path, "safim-control-python")[0].group == first.group
    assert another.group != first.group


def test_c_sharp_is_left_out(tmp_path: Path) -> None:
    """No benchmark holds it."""
    write(tmp_path, "safim/block_completion.jsonl", safim(language="csharp"))
    assert load(tmp_path, "safim-block") == []


def test_limit_and_sample(tmp_path: Path) -> None:
    """A limit takes the first; a sample is the same for the same seed, in the file's order."""
    write(tmp_path, SINGLE, *map(infilling, range(50)))
    all_tasks = load(tmp_path, "humaneval-single-line")
    assert load(tmp_path, "humaneval-single-line", limit=3) == all_tasks[:3]
    sample = load(tmp_path, "humaneval-single-line", sample=10)
    assert sample == load(tmp_path, "humaneval-single-line", sample=10, seed=42)
    assert sample != load(tmp_path, "humaneval-single-line", sample=10, seed=43)
    assert sample == sorted(sample, key=all_tasks.index)
    assert len(sample) == 10
    assert load(tmp_path, "humaneval-single-line", sample=51) == all_tasks


def test_names() -> None:
    """The first words of a name stand for all that begin so; half a word does not."""
    assert named("safim-block") == ("safim-block-python", "safim-block-java", "safim-block-cpp")
    assert named("humaneval-random-span") == ("humaneval-random-span",)
    assert len(named("humaneval")) == 4
    assert len(named("safim")) == 9
    for name in ("", "saf", "humaneval-single-line-x", "safim-"):
        with pytest.raises(EvaluationError, match=r"^There is no benchmark .*, table-1\.$"):
            named(name)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{\n", "line 2 is no JSON."),
        (b"[" * 100_000 + b"\n", "line 2 is no JSON."),
        (b"[]\n", "line 2 is no JSON object."),
        (b"\xff\n", "cannot be read: it is damaged."),
        (json.dumps(infilling(suffix=None)).encode(), "lacks suffix."),
        (json.dumps(infilling(task_id="x")).encode(), "names no HumanEval problem."),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: bytes, said: str) -> None:
    """One sentence, with file and line."""
    file = write(tmp_path, SINGLE, infilling())
    with file.open("ab") as more:
        more.write(line)
    with pytest.raises(EvaluationError) as raised:
        load(tmp_path, "humaneval-single-line")
    assert str(raised.value).startswith(str(file))
    assert str(raised.value).endswith(said)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"eval_prompt": "class A {}"}, "its eval_prompt has no {{completion}}."),
        ({"unit_tests": None}, "it lacks unit_tests."),
        ({"unit_tests": [{"input": "1"}]}, "a unit test without input and output."),
        ({"unit_tests": [7]}, "a unit test without input and output."),
    ],
)
def test_a_program_without_hole_or_tests(tmp_path: Path, changed: Any, said: str) -> None:
    """One sentence, with file and line."""
    write(tmp_path, "safim/block_completion.jsonl", safim() | changed)
    with pytest.raises(EvaluationError, match="line 1 ") as raised:
        load(tmp_path, "safim-block-java")
    assert str(raised.value).endswith(said)


def test_a_folder_or_file_that_is_not_there(tmp_path: Path) -> None:
    """The sentence names what was looked for."""
    with pytest.raises(EvaluationError, match=r"holds neither safim/block_completion\.jsonl nor"):
        load(tmp_path, "safim-block-java")
    with pytest.raises(EvaluationError, match=r"^There is no folder .*nowhere: "):
        load(tmp_path / "nowhere", "safim-block-java")
    file = write(tmp_path, SINGLE, infilling(), packed=True)
    file.write_bytes(file.read_bytes()[:-12])
    with pytest.raises(EvaluationError, match=r"cannot be read: it is damaged\."):
        load(tmp_path, "humaneval-single-line")


def test_the_folder_may_be_the_benchmarks_own(tmp_path: Path) -> None:
    """A clone of the benchmark has its files without our folder around them."""
    write(tmp_path, Path(SINGLE).name, infilling())
    assert len(load(tmp_path, "humaneval-single-line")) == 1


@pytest.mark.parametrize("bench", PUBLISHED)
def test_published_benchmarks(data_folder: Path, bench: str) -> None:
    """All tasks are there; the hole stands where the program has it."""
    tasks = load(data_folder, bench)
    assert len(tasks) == COUNTS[bench]
    assert max(Counter(task.id for task in tasks).values()) == 1
    for task in tasks:
        assert "\r" not in f"{task.prefix}{task.truth}{task.suffix}"
        if isinstance(task.check, Answers):
            above, _, below = task.check.program.partition("{{completion}}")
            assert task.prefix.endswith(above)
            assert task.suffix == below
    for task in tasks[::50]:
        if isinstance(task.check, RunToEnd):
            ast.parse(f"{task.prefix}{task.truth}{task.below}{task.check.tail}")

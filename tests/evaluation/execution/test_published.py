"""The published benchmarks: the truth passes, and so does what passed when it was recorded."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from synconfroute.evaluation.datasets import PUBLISHED, Same, load
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.predictions import read_predictions

RECORDED = ("0.5b", "1.5b")


@pytest.mark.parametrize("bench", PUBLISHED)
def test_the_truth_passes(data_folder: Path, bench: str) -> None:
    """As any answer does: run, and not only recognised."""
    tools = {"java": "javac", "cpp": "g++"}
    language = bench.rpartition("-")[2]
    if language in tools and shutil.which(tools[language]) is None:
        pytest.skip(f"{tools[language]} is not installed")
    compiled = language in tools and "api" not in bench
    tasks = load(data_folder, bench, sample=2 if compiled else 6)
    unrecognised = [
        (task if isinstance(task.check, Same) else replace(task, truth=""), task.truth)
        for task in tasks
    ]
    results = judge(unrecognised, cache=False)
    assert [result.outcome for result in results] == ["passed"] * len(tasks)


def test_the_six_tasks_of_table_1(tmp_path: Path) -> None:
    """They need no data; what belongs there passes, and nothing in its place does not."""
    tasks = load(tmp_path, "table-1")
    assert [task.id for task in tasks] == [
        "assign", "filter", "update", "search", "flatten", "memoize",
    ]  # fmt: skip
    pairs = [(task, text) for task in tasks for text in (task.truth, "")]
    assert [result.passed for result in judge(pairs)] == [True, False] * 6


@pytest.mark.parametrize("size", RECORDED)
def test_recorded_answers(data_folder: Path, size: str) -> None:
    """What is said to have passed passes, and nothing else: first line, leading breaks dropped."""
    tasks = {task.id: task for task in load(data_folder, "humaneval-single-line")}
    file = f"humaneval_single_line.qwen2.5-coder-{size}-instruct-q4_k_m.fim.jsonl.gz"
    answers = list(read_predictions(data_folder / "predictions" / file))
    answers = random.Random(42).sample(answers, 40)
    lines = [answer.text.lstrip("\n").partition("\n")[0] for answer in answers]
    pairs = [(tasks[answer.task_id], line) for answer, line in zip(answers, lines, strict=True)]
    assert [result.passed for result in judge(pairs, cache=False)] == [
        answer.passed for answer in answers
    ]


def test_the_very_truth_is_recognised(data_folder: Path) -> None:
    """The words 0.0 and 0 differ, but no answer is better than the truth."""
    tasks = load(data_folder, "safim-block-cpp")
    strict = [task for task in tasks if task.id == "block/block_completion_003247"]
    assert judge([(task, task.truth) for task in strict], cache=False)[0].passed

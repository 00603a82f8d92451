"""A small study of our own: tasks, answers of two models in many ways, and their latencies."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from synconfroute.evaluation.datasets import load
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.latency.document import (
    Measured,
    ModelLatency,
    Spread,
    Timed,
    write_latency,
)
from synconfroute.evaluation.machine import Load, Machine
from tests.evaluation.datasets.test_load import write as write_rows
from tests.evaluation.generation.functions import write_benchmark

LINES = 40
CONTROLS, FEW, CALLS = 24, 6, 4
SMALL, LARGE = "qwen2.5-coder:0.5b", "qwen2.5-coder:32b"
SURE, UNSURE = -0.01, -2.0

Right = Callable[[int], bool]
"""Whether the answer to the task at a place passes."""


def write_data(data: Path) -> None:
    """Forty single lines, and of SAFIM 24 controls in Python, 6 in Java, 4 calls in Python."""
    write_benchmark(data, LINES)
    controls = [safim("control", number, "python") for number in range(CONTROLS)]
    controls += [safim("control", number, "java") for number in range(FEW)]
    write_rows(data, "safim/control_completion.jsonl", *controls)
    calls = [safim("api", number, "python") | {"unit_tests": []} for number in range(CALLS)]
    write_rows(data, "safim/api_completion.jsonl", *calls)


def safim(kind: str, number: int, language: str) -> dict[str, Any]:
    """A row as SAFIM has them; each is of a problem of its own."""
    program = {
        "python": "x = 1\nif {{completion}}:\n    print(1)\n",
        "java": "class A { void f(int x) { if ({{completion}}) { x = 2; } } }\n",
    }[language]
    head = "Complete the code to solve this programming problem:\n\n"
    return {
        "task_id": f"{kind}_completion_{language}_{number:06}",
        "lang": language,
        "prompt": f"{head}Description: {language} {number}\n\nCode:\n\n{program}",
        "eval_prompt": program,
        "ground_truth": "x == 1",
        "unit_tests": [{"input": "", "output": ["1"]}],
    }


def answers(
    file: Path,
    tasks: Sequence[Task],
    model: str,
    right: Right,
    *,
    wrong: str = "x == 3",
    **made: Any,
) -> Path:
    """A file as `eval run` writes it: sure where it is right; outcomes are known."""
    rows = []
    for place, task in enumerate(tasks):
        passed = right(place)
        text = task.truth if passed else wrong
        rows.append(
            {
                "task_id": task.id,
                "text": text,
                "tokens": [["a", SURE if passed else UNSURE]] * 4,
                "secs": 1.0,
                "passed": passed,
                "bench": task.bench,
                "provider": "ollama",
                "model": model,
                "profile": "live",
                "prompt": "fim",
                "cleaned": text,
                "cleaned_passed": passed,
            }
            | made
        )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def half(place: int) -> bool:
    """Every second one is right."""
    return place % 2 == 0


def most(place: int) -> bool:
    """Three of four are right, and of two models' halves not the same ones."""
    return place % 4 != 0


def five(place: int) -> bool:
    """The first five are right."""
    return place < 5


def eight(place: int) -> bool:
    """The first eight are."""
    return place < 8


def study(folder: Path, data: Path) -> dict[str, list[Path]]:
    """The files of a whole study, by the option that takes them."""
    lines = load(data, "humaneval-single-line")
    chat: dict[str, Any] = {"profile": "paper", "prompt": "chat", "wrong": "    return a - b"}
    shot = chat | {"shots": 1, "examples_as": "tfidf", "examples": [lines[1].id]}
    warm = chat | {"temperature": 0.6}
    local = [
        answers(folder / "chat.small.jsonl", lines, SMALL, half, **chat),
        answers(folder / "shot.small.jsonl", lines[:30], SMALL, lambda i: i % 3 == 0, **shot),
        answers(folder / "q4.small.jsonl", lines[:20], SMALL, half, **chat,
                weights_bytes=491_400_064, engine_bytes=700_000_000),
        answers(folder / "q8.small.jsonl", lines[:20], f"{SMALL}-instruct-q8_0", most, **chat,
                weights_bytes=675_710_848, engine_bytes=900_000_000),
        *(
            answers(folder / f"draw-{seed}.jsonl", lines[:10], SMALL, first, **warm, seed=seed)
            for seed, first in ((1, eight), (2, five), (3, five))
        ),
        answers(folder / "six.small.jsonl", load(data, "table-1"), SMALL, lambda i: i < 2),
    ]  # fmt: skip
    larger = [
        answers(folder / "chat.large.jsonl", lines, LARGE, most, **chat),
        answers(folder / "six.large.jsonl", load(data, "table-1"), LARGE, lambda i: i != 5),
    ]
    for split in ("safim-control-python", "safim-control-java", "safim-api-python"):
        tasks = load(data, split)
        local.append(answers(folder / f"{split}.small.jsonl", tasks, SMALL, half))
        larger.append(answers(folder / f"{split}.large.jsonl", tasks, LARGE, most))
    latency = folder / "latency.json"
    write_latency(latency, measured(lines))
    return {"local": local, "larger": larger, "latency": [latency]}


def measured(tasks: Sequence[Task]) -> Measured:
    """The small model takes 100 ms, 40 to its third token; the large one 300."""
    return Measured(
        made="2026-11-30T06:00:00+00:00",
        version="0.1.0",
        machine=Machine("a processor", 2, 2, 8 * 2**30, "Linux 6"),
        load_before=Load(0.1, 0.03),
        load_after=Load(1.9, 0.05),
        bench="humaneval-single-line",
        sample=None,
        seed=42,
        profile="paper",
        prompt="chat",
        shots=0,
        models=(timed(SMALL, tasks, 0.1, 0.04), timed(LARGE, tasks, 0.3, 0.25)),
    )


def timed(model: str, tasks: Sequence[Task], seconds: float, third: float) -> ModelLatency:
    """Each answer takes the same."""

    def spread(value: float) -> Spread:
        return Spread(value, value, (value, value))

    return ModelLatency(
        "ollama", model, "Ollama", "cpu", len(tasks), 0, spread(seconds), spread(third / 2),
        spread(third), spread(20.0), spread(100.0), "estimate",
        tuple(
            Timed(task.bench, task.id, task.group, seconds, third / 2, third, 8, 100)
            for task in tasks
        ),
    )  # fmt: skip

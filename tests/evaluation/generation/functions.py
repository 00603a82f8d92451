"""Small tasks of our own, in the form of HumanEval-Infilling."""

import json
from pathlib import Path

from synconfroute.evaluation.datasets.task import RunToEnd, Task
from synconfroute.evaluation.predictions import Prediction


def task(number: int, bench: str = "humaneval-single-line") -> Task:
    """A function that adds, with a hole where its sum is returned."""
    return Task(
        id=f"SingleLineInfilling/HumanEval/{number}/L0",
        bench=bench,
        language="python",
        group=f"HumanEval/{number}",
        prefix=f"def add_{number}(a, b):\n",
        suffix=f"\n\ndef after_{number}():\n    pass\n",
        truth="    return a + b",
        whole_lines=True,
        check=RunToEnd(f"\nassert add_{number}(1, 2) == 3\n"),
    )


def tasks(count: int) -> list[Task]:
    """So many of them."""
    return [task(number) for number in range(count)]


def answer(to: Task, text: str = "    return a + b\n") -> Prediction:
    """An answer as a run records it, not executed yet."""
    return Prediction(
        to.id,
        text,
        seconds=0.5,
        provenance={"bench": to.bench, "cleaned": text.rstrip("\n"), "cleaned_passed": None},
    )


def write_benchmark(data: Path, count: int) -> None:
    """A folder with so many tasks as the single-line file of HumanEval-Infilling."""
    folder = data / "humaneval_infilling"
    folder.mkdir(parents=True)
    rows = [
        {
            "task_id": each.id,
            "entry_point": f"add_{number}",
            "prompt": each.prefix,
            "suffix": each.suffix,
            "canonical_solution": each.truth + "\n",
            "test": "def check(candidate):\n    assert candidate(1, 2) == 3\n",
        }
        for number, each in enumerate(tasks(count))
    ]
    (folder / "HumanEval-SingleLineInfilling.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
    )

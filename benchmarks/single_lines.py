"""Right answers to single-line tasks of HumanEval-Infilling, each through `synconfroute complete`.

    python -m benchmarks.single_lines --data FOLDER --sample 100 [--set local.model=NAME …]

Each task is a file on the disk with the cursor behind the indentation, as an editor leaves it; each
answer is what the command shows with nothing to escalate to. It is inserted and the tests are run.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from synconfroute.evaluation.datasets import load
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.generation.opening import indented
from synconfroute.evaluation.routing.statistics import interval_by_group

BENCH = "humaneval-single-line"
_SECONDS = 120.0


def main() -> None:
    """Print one line a task, and how many are right."""
    options = _options()
    tasks = [
        indented(task)
        for task in load(options.data, BENCH, sample=options.sample, seed=options.seed)
    ]
    answers = [_complete(task, options.set) for task in tasks]
    texts = [answer["text"] or "" for answer in answers]
    passed = [result.passed for result in judge(list(zip(tasks, texts, strict=True)))]
    for task, answer, right in zip(tasks, answers, passed, strict=True):
        print(
            f"{'right' if right else 'wrong'}  {answer['confidence'] or 0:.3f}"
            f"  {answer['verdict'] or '-':8} {answer['timings_ms']['total']:7.0f} ms"
            f"  {task.id}: {answer['text']!r}"
        )
    _sum_up(tasks, answers, passed)


def _sum_up(
    tasks: Sequence[Task], answers: Sequence[dict[str, Any]], passed: Sequence[bool]
) -> None:
    low, high = interval_by_group(passed, [task.group for task in tasks])
    shown = sum(answer["text"] is not None for answer in answers)
    milliseconds = statistics.median(answer["timings_ms"]["total"] for answer in answers)
    print(
        f"\n{answers[0]['provider']} ({answers[0]['model']}): {sum(passed)} of {len(passed)} right,"
        f" {sum(passed) / len(passed):.1%} (95 % interval {low:.1%} to {high:.1%});"
        f" {shown} shown; median {milliseconds:.0f} ms"
    )


def _complete(task: Task, settings: Sequence[str]) -> dict[str, Any]:
    """What the command says of a task; `text` is None where nothing is shown."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "task.py"
        file.write_text(task.prefix + task.below, encoding="utf-8")
        line = task.prefix.count("\n") + 1
        column = len(task.prefix) - task.prefix.rfind("\n")
        command = [sys.executable, "-m", "synconfroute", "complete", str(file), "--json"]
        command += ["--at", f"{line}:{column}", "--set", "escalation.enabled=false"]
        for each in ("limits.lines=single", *settings):
            command += ["--set", each]
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.single_lines", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the benchmark data")
    parser.add_argument("--sample", type=int, default=100, help="so many tasks: 100")
    parser.add_argument("--seed", type=int, default=42, help="of the draw: 42")
    parser.add_argument("--set", action="append", default=[], help="a setting, as of `complete`")
    return parser.parse_args()


if __name__ == "__main__":
    main()

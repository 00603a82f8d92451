"""Right answers to ten holes: the six tasks of the paper's Table 1, and the four of tests/holes.

    python -m benchmarks.holes

Each answer is what `complete` would show with nothing to escalate to, made by the local tier of the
user's settings. It is inserted and the program run: right means that its checks pass.
"""

import argparse
import asyncio
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from synconfroute.evaluation import datasets
from synconfroute.evaluation.datasets.motivating import read_motivating
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.server.completion.answer import Answer
from synconfroute.server.completion.completer import Completer
from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Escalation, Settings

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "holes"
_MARK = re.compile("⟦(.*?)⟧", re.DOTALL)
_LANGUAGES = {".java": "java", ".cpp": "cpp"}
_TOOLS = {"java": "javac", "cpp": "g++"}
_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Task:
    """A hole whose answer can be checked.

    Attributes:
        name: what it is called in reports.
        hole: what a model is asked.
        truth: what its author would write.
        right: inserts a text, runs the program, and tells whether its checks pass.
    """

    name: str
    hole: Hole
    truth: str
    right: Callable[[str], bool]

    @property
    def checkable(self) -> bool:
        """True if this machine has what runs the program."""
        tool = _TOOLS.get(self.hole.language)
        return tool is None or shutil.which(tool) is not None


def ten_holes() -> list[Task]:
    """The six of the paper's Table 1, then those in C++ and Java in the order of their names."""
    files = [file for file in FOLDER.iterdir() if file.suffix in _LANGUAGES]
    files.sort(key=lambda file: (file.suffix, file.name))
    return [
        *map(_of_table_1, read_motivating()),
        *(_task(file) for file in files if _MARK.search(_read(file))),
    ]


async def answers(tasks: list[Task], settings: Settings) -> list[Answer]:
    """What the local tier answers, one after the other."""
    alone = replace(settings, escalation=Escalation(enabled=False))
    completer = Completer(alone, on_notice=lambda sentence: print(sentence, file=sys.stderr))
    try:
        return [await completer.complete(task.hole) for task in tasks]
    finally:
        await completer.aclose()


def _of_table_1(task: datasets.Task) -> Task:
    hole = replace(hole_of(task), path=f"{task.id}.py", explicit=True)
    return Task(task.id, hole, task.truth, lambda answer: judge([(task, answer)])[0].passed)


def _task(file: Path) -> Task:
    text = _read(file)
    mark = _MARK.search(text)
    assert mark is not None, f"{file.name} has no hole"
    before, after = text[: mark.start()], text[mark.end() :]
    language = _LANGUAGES[file.suffix]
    hole = Hole(language, before, after, path=str(file), uri=file.as_uri(), explicit=True)
    run = {"java": _run_java, "cpp": _run_cpp}[language]
    return Task(file.stem, hole, mark[1], lambda answer: run(file, before + answer + after))


def _run_java(file: Path, program: str) -> bool:
    check = f"Check{file.stem}"
    files = {file.name: program, f"{check}.java": _read(file.with_name(f"{check}.java"))}
    return _passes(["javac", file.name, f"{check}.java"], files, then=["java", "-cp", ".", check])


def _run_cpp(file: Path, program: str) -> bool:
    checks = _read(file.with_suffix(".check.cpp"))
    files = {file.name: program, "check.cpp": checks}
    return _passes(["g++", "check.cpp", "-o", "check"], files, then=["./check"])


def _passes(
    command: list[str],
    files: dict[str, str],
    *,
    then: list[str],
) -> bool:
    """True if the commands end with 0 in a fresh folder with these files, in time."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        for step in (command, then):
            try:
                done = subprocess.run(
                    step, cwd=folder, timeout=_SECONDS, capture_output=True, check=False,
                    stdin=subprocess.DEVNULL,
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                return False
            if done.returncode:
                return False
        return True


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def _report(title: str, tasks: list[Task], settings: Settings) -> None:
    print(f"{title}\n")
    right = valid = 0
    for task, answer in zip(tasks, asyncio.run(answers(tasks, settings)), strict=True):
        made = answer.provenance
        passed = answer.text is not None and task.right(answer.text)
        right += passed
        valid += made.verdict == "valid"
        sureness = "  –  " if made.confidence is None else f"{made.confidence:.3f}"
        print(
            f"{'right' if passed else 'wrong'}  {sureness}  {made.verdict or '-':8}"
            f" {made.timings_ms['total']:7.0f} ms  {task.name}: {answer.text!r}"
        )
    print(f"\n{right} of {len(tasks)} right, {valid} valid\n")


def main() -> None:
    """Print one line a hole, and how many are right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--provider", default="embedded", help="local.provider")
    parser.add_argument("--model", default="", help="local.model")
    chosen = parser.parse_args()
    settings = Settings()
    local = replace(settings.local, provider=chosen.provider, model=chosen.model)
    settings = replace(settings, local=local)
    _report("Ten holes", ten_holes(), settings)


if __name__ == "__main__":
    main()

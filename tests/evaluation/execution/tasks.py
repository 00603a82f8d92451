"""Tasks of our own: whole programs as answers."""

from synconfroute.evaluation.datasets import Answers, RunToEnd, Same, Task


def task(check: RunToEnd | Answers | Same, language: str = "python", truth: str = "") -> Task:
    """A task whose hole is a whole file."""
    return Task(
        id="ours", bench="ours", language=language, group="ours", prefix="", suffix="",
        truth=truth, whole_lines=True, check=check,
    )  # fmt: skip


TO_END = task(RunToEnd("\n"))
"""The answer is a Python program that must run to its end."""


def answers(language: str, *cases: tuple[str, tuple[str, ...]]) -> Task:
    """The answer is a program that must answer the inputs."""
    return task(Answers(cases, "{{completion}}"), language)

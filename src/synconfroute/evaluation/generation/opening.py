"""A task opened as a buffer: where the cursor is, and what stands around it."""

from dataclasses import replace

from synconfroute.evaluation.datasets.task import Answers, Task
from synconfroute.server.completion.hole import Hole

_HOLE = "{{completion}}"


def hole_of(task: Task, path: str | None = None) -> Hole:
    """The hole of a task's buffer; `path` is the file that its text is from, if it may leave."""
    return Hole(task.language, task.prefix, task.below, path=path)


def indented(task: Task) -> Task:
    """The task with its cursor behind the truth's own indentation, as an editor leaves it.

    A hole that does not begin a line stays as it is.
    """
    if task.prefix and not task.prefix.endswith("\n"):
        return task
    truth = task.truth.lstrip(" \t")
    space = task.truth[: len(task.truth) - len(truth)]
    check = task.check
    if isinstance(check, Answers):
        check = replace(check, program=check.program.replace(_HOLE, space + _HOLE, 1))
    return replace(task, prefix=task.prefix + space, truth=truth, check=check)

"""Solved examples for a prompt: the same for all tasks, but never of the task's own function."""

from collections.abc import Iterable

from synconfroute.evaluation.datasets.task import Task

MOST = 5


class Examples:
    """A few tasks of a benchmark with their truth."""

    def __init__(self, tasks: Iterable[Task], shots: int) -> None:
        """Choose them.

        Args:
            tasks: all tasks of the benchmark, in its order: the first function each with its
                middle hole are the examples.
            shots: how many stand in a prompt, 0 to `MOST`.
        """
        groups: dict[str, list[Task]] = {}
        for task in tasks if shots else ():
            groups.setdefault(task.group, []).append(task)
            if len(groups) > shots + 1:
                break
        chosen = list(groups.values())[: shots + 1]
        self._pool = tuple(holes[len(holes) // 2] for holes in chosen)
        self._shots = shots

    def of(self, task: Task) -> tuple[Task, ...]:
        """The examples in a task's prompt."""
        return tuple(each for each in self._pool if each.group != task.group)[: self._shots]


def solved(example: Task) -> str:
    """An example's whole code, with a blank line behind it."""
    return f"{example.prefix}{example.truth}{example.below}".rstrip("\n") + "\n\n"

"""Solved examples for a prompt: calibration tasks, and never of the task's own function."""

from collections.abc import Callable, Iterable
from itertools import islice

from synconfroute.evaluation.datasets.task import Task

MOST = 5

Order = Callable[[Task], Iterable[Task]]
"""The tasks that may be examples for a task, the best first."""


class Examples:
    """A few tasks with the code that belongs there, or what a model wrote there."""

    def __init__(self, order: Order, shots: int) -> None:
        """Choose them in an order.

        Args:
            order: see `retrieval.order_of`.
            shots: how many stand in a prompt, 0 to `MOST`.
        """
        self._order = order
        self._shots = shots

    def of(self, task: Task) -> tuple[Task, ...]:
        """The examples in a task's prompt, the best first."""
        if not self._shots:
            return ()
        others = (each for each in self._order(task) if each.group != task.group)
        return tuple(islice(others, self._shots))


NONE = Examples(lambda _: (), 0)
"""No examples: 0-shot."""


def solved(example: Task) -> str:
    """An example's whole code, with a blank line behind it."""
    return f"{example.prefix}{example.truth}{example.below}".rstrip("\n") + "\n\n"

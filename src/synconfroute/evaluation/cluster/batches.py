"""A run cut into batches: small ones, since a node that dies takes those it has begun along."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from synconfroute.evaluation.datasets.task import Task

_MOST = 16
"""Tasks in a batch: enough that finding the model once for all of them costs little."""
_EACH = 4
"""Batches for a processor where there are few tasks: the last ones end at about the same time."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tasks of one benchmark.

    Attributes:
        tasks: in order.
        tries: how often they could not be answered.
    """

    tasks: tuple[Task, ...]
    tries: int = 0


def batches(tasks: Sequence[Task], processors: float) -> list[Batch]:
    """The tasks, cut for so many processors."""
    size = min(_MOST, max(1, ceil(len(tasks) / (_EACH * max(1.0, processors)))))
    cut: list[Batch] = []
    for _, group in groupby(tasks, key=lambda task: task.bench):
        of_one = tuple(group)
        cut += [Batch(of_one[at : at + size]) for at in range(0, len(of_one), size)]
    return cut

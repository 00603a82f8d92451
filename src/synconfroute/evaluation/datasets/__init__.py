"""Benchmarks, read from a folder that the user names, and holes of a repository."""

from synconfroute.evaluation.datasets.choice import (
    BENCHES,
    PUBLISHED,
    drawn_for_calibration,
    load,
    named,
)
from synconfroute.evaluation.datasets.task import Answers, RunToEnd, Same, Task

__all__ = [
    "BENCHES",
    "PUBLISHED",
    "Answers",
    "RunToEnd",
    "Same",
    "Task",
    "drawn_for_calibration",
    "load",
    "named",
]

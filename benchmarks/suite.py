"""The benchmarks there are, by name, each with what it measures."""

import importlib
from collections.abc import Callable, Iterable

from benchmarks.figure import Row

Measure = Callable[[bool], Iterable[Row]]
"""Gives the rows; True: fewer runs."""

BENCHMARKS = {
    "added": "Added to the model's own time",
    "allocation": "Memory of a request",
    "keystroke": "A keystroke",
    "typing": "Typing along",
    "cancel": "Cancelling",
    "start": "Starting",
    "memory": "Memory",
    "escalation": "Escalating",
    "verdicts": "Verdicts",
    "context": "Pieces of other files",
    "execution": "Executing programs",
}
"""Titles by the name of their module."""

OF_THE_SERVER = tuple(BENCHMARKS)[:9]
"""What another revision is compared in: the rest is not about the server's speed."""


def measure_of(name: str) -> Measure:
    """What measures it; imported now."""
    measure: Measure = importlib.import_module(f"benchmarks.{name}").measure
    return measure

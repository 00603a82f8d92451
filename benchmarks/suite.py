"""The benchmarks there are, by name, each with what it measures."""

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from benchmarks.figure import Row

Measure = Callable[[bool], Iterable[Row]]
"""Gives the rows; True: fewer runs."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One of them.

    Attributes:
        title: what it measures.
        module: has its `measure`; below `benchmarks`.
        whole: not measured with fewer runs, unless it is named: even that takes minutes.
        named: measured only where it is named, for it takes as long as all others.
        compared: in another revision, too, where one is named.
    """

    title: str
    module: str
    whole: bool = False
    named: bool = False
    compared: bool = True


BENCHMARKS = {
    "machine": Benchmark("The machine", "machine", compared=False),
    "added": Benchmark("Added to the model's own time", "added"),
    "allocation": Benchmark("Memory of a request", "allocation"),
    "keystroke": Benchmark("A keystroke", "keystroke"),
    "typing": Benchmark("Typing along", "typing"),
    "trace": Benchmark("A typing trace", "peers.alone", compared=False),
    "cancel": Benchmark("Cancelling", "cancel"),
    "start": Benchmark("Starting", "start"),
    "memory": Benchmark("Memory", "memory"),
    "escalation": Benchmark("Escalating", "escalation"),
    "verdicts": Benchmark("Verdicts", "verdicts"),
    "prompt_head": Benchmark("What a cache holds of a prompt", "prompt_head", compared=False),
    "peers": Benchmark("Beside peers", "peers.measure", whole=True, compared=False),
    "context": Benchmark("Pieces of other files", "context", compared=False),
    "execution": Benchmark("Executing programs", "execution", compared=False),
    "fleet": Benchmark("A fleet of editors", "fleet.__main__", named=True, compared=False),
}
"""In the order in which they are measured."""


def usual(*, quick: bool, compared: bool) -> list[str]:
    """What is measured where nothing is named: with fewer runs, beside another revision."""
    return [
        name
        for name, each in BENCHMARKS.items()
        if not each.named and not (each.whole and quick) and (each.compared or not compared)
    ]


def measure_of(name: str) -> Measure:
    """What measures it; imported now."""
    module = importlib.import_module(f"benchmarks.{BENCHMARKS[name].module}")
    measure: Measure = module.measure
    return measure

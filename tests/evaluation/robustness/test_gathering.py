"""Answers of two models in several files."""

from dataclasses import replace

from synconfroute.evaluation.datasets.task import Same
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.robustness.gathering import Gathered
from synconfroute.evaluation.routing.answers import Pairs
from tests.evaluation.generation.functions import answer, task
from tests.evaluation.routing.made import example


def gathered_of(benches: dict[str, int], *, compared: str = "") -> Gathered:
    """So many tasks of each benchmark; those of `compared` are compared with the truth."""
    stored = [
        Stored(replace(to, check=Same()) if bench == compared else to, answer(to))
        for bench, count in benches.items()
        for to in (task(number, bench) for number in range(count))
    ]
    examples = tuple(example(number) for number in range(len(stored)))
    return Gathered("small", "large", Pairs(tuple(stored), tuple(stored), 0), examples)


def test_splits_are_benchmarks_and_all_that_are_executed() -> None:
    """What is compared with the true text is never averaged with the others."""
    found = gathered_of({"one": 3, "two": 4, "api": 2}, compared="api")
    assert [(split.name, len(split.examples)) for split in found.splits()] == [
        ("one", 3), ("two", 4), ("api", 2), ("all", 7),
    ]  # fmt: skip


def test_one_benchmark_is_all_there_is() -> None:
    """It is not told twice; one of a single function is no split."""
    assert [split.name for split in gathered_of({"one": 3}).splits()] == ["one"]
    assert [split.name for split in gathered_of({"one": 3, "two": 1}).splits()] == ["one", "all"]

"""Table 1: six small tasks, from easy to hard."""

from collections.abc import Iterator

from synconfroute.evaluation.datasets.motivating import BENCH, read_motivating
from synconfroute.evaluation.report import paper
from synconfroute.evaluation.report.blocks import Block, Cell, Head, Missing, Section, Table
from synconfroute.evaluation.report.findings import Findings
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.sections.commands import TABLE_1
from synconfroute.evaluation.report.sections.making import made_by

_NAMES = {
    "assign": "Variable assignment",
    "filter": "List filtering",
    "update": "Dictionary update",
    "search": "Binary search",
    "flatten": "Recursive flatten",
    "memoize": "Memoize decorator",
}


def table_1(found: Findings) -> Section:
    """The tasks by model."""
    return Section("Table 1: six tasks from easy to hard", tuple(_blocks(found)))


def _blocks(found: Findings) -> Iterator[Block]:
    judged = [each for each in found.judged if each.answers.bench == BENCH]
    if not judged:
        yield Missing(
            "None of these models has answered the six tasks. No data is needed for them:", TABLE_1
        )
        return
    ids = [task.id for task in read_motivating()]
    rows: list[list[str | Cell]] = [
        [
            _NAMES.get(name, name),
            paper.DIFFICULTY.get(name, ""),
            *(_mark(each, name) for each in judged),
        ]
        for name in ids
    ]
    totals = (f"{sum(each.right)}/{each.count}" for each in judged)
    yield Table(
        [
            "task",
            "difficulty",
            *(Head(each.answers.arm.label, each.answers.model.label) for each in judged),
        ],
        [*rows, ["right", "", *totals]],
        frozenset({len(rows)}),
        "Table 1",
        "Our own six holes for the tasks that the paper names, each with tests; its texts are not"
        " published, so its marks are not set beside these. ✓ passes, × does not.",
        frozenset({0, 1}),
    )
    yield made_by(each.answers for each in judged)


def _mark(each: Judged, name: str) -> Cell:
    passed = each.by_task.get(name)
    if passed is None:
        return Cell("–", tone="soft")
    return Cell("✓", tone="good") if passed else Cell("×", tone="bad")

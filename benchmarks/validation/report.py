"""The table: one row a measurement, beside the goal and beside other methods."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"
"""Between them, in a document, stands what a run has measured."""

OURS, HISTORY, UNKNOWN = "ours", "ours, with history", "unknown"


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement.

    Attributes:
        on: which cases.
        what: what is measured, with its unit.
        cases: how many.
        values: by method: ours, ours with history, unknown (ours), and others.
        goal: what is wanted, in words; "" where nothing is promised.
        kept: is the goal kept; None where there is none.
    """

    on: str
    what: str
    cases: int
    values: dict[str, float | None] = field(default_factory=dict)
    goal: str = ""
    kept: bool | None = None

    def as_json(self) -> dict[str, Any]:
        """All of it, for a file."""
        return asdict(self)


def markdown(rows: Iterable[Row]) -> str:
    """All rows as one Markdown table."""
    rows = list(rows)
    named = [OURS, HISTORY, UNKNOWN]
    methods = named + sorted({name for row in rows for name in row.values} - set(named))
    head = ["on", "what", "n", *methods, "goal", "kept"]
    lines = [head, ["---"] * len(head), *(_cells(row, methods) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(row: Row, methods: list[str]) -> list[str]:
    values = [row.values.get(name) for name in methods]
    kept = {None: "", True: "yes", False: "NO"}[row.kept]
    shown = ["" if value is None else _number(value) for value in values]
    return [row.on, row.what, f"{row.cases:,}", *shown, row.goal, kept]


def _number(value: float) -> str:
    return f"{value:.2f}" if 0 < value < 10 else f"{value:.4g}"


def place_of_figures(document: str) -> tuple[int, int] | None:
    """Where the figures of a document begin and end; None if its marks are not there."""
    start, end = document.find(BEGIN) + len(BEGIN), document.find(END)
    return None if BEGIN not in document or end < start else (start, end)


def with_figures(document: str, figures: str) -> str:
    """A document with these in the place of the figures that it has.

    Raises:
        ValueError: it has no place for them.
    """
    place = place_of_figures(document)
    if place is None:
        raise ValueError("no place for figures")
    return f"{document[: place[0]]}\n{figures}\n\n{document[place[1] :]}"

"""This clone beside another revision, row by row."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.figure import Figure, Row, Skipped
from benchmarks.table import columns, markdown_of, number


@dataclass(frozen=True, slots=True)
class Pair:
    """A figure here and there.

    Attributes:
        here: this clone's.
        there: the other revision's; None where it has none.
    """

    here: Figure
    there: Figure | None

    @property
    def ratio(self) -> float | None:
        """Here over there, by medians."""
        return self.here.p50 / self.there.p50 if self.there and self.there.p50 else None

    @property
    def tail(self) -> float | None:
        """The same of the 99th percentiles."""
        return self.here.p99 / self.there.p99 if self.there and self.there.p99 else None


def pairs(here: Sequence[Row], there: Sequence[Row]) -> list[Pair]:
    """All figures of this clone, each with its like."""
    others = {(row.what, row.case): row for row in there if isinstance(row, Figure)}
    return [Pair(row, others.get((row.what, row.case))) for row in here if isinstance(row, Figure)]


def faults(there: Sequence[Row]) -> list[str]:
    """What could not be measured in the other revision, a sentence each."""
    return [f"{row.what}: {row.reason}" for row in there if isinstance(row, Skipped) and row.failed]


def head(revision: str) -> tuple[str, ...]:
    """The heads of the columns."""
    return (
        "what", "case", "unit", f"p50 {revision}", "p50 here", "ratio",
        f"p99 {revision}", "p99 here", "ratio",
    )  # fmt: skip


def cells(pair: Pair) -> tuple[str, ...]:
    """What stands in them."""
    here, there = pair.here, pair.there
    return (
        here.what, here.case, here.unit,
        number(there.p50) if there else "-", number(here.p50), _times(pair.ratio),
        number(there.p99) if there else "-", number(here.p99), _times(pair.tail),
    )  # fmt: skip


def plain(compared: Sequence[Pair], revision: str) -> str:
    """In columns."""
    return columns([head(revision), *map(cells, compared)])


def markdown(compared: Sequence[Pair], revision: str) -> str:
    """As a table of Markdown."""
    return markdown_of([head(revision), *map(cells, compared)])


def _times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}"

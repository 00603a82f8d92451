"""A measured figure, and the table of all of them."""

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One row: ours beside something named.

    Attributes:
        what: what was measured.
        case: for which input.
        unit: of all values.
        p50: median of ours.
        p99: 99th percentile of ours.
        runs: how many times ours was measured.
        beside: what it is compared with; "" where there is nothing.
        beside_p50: median of that, measured in the same run.
        hold: the most that is allowed, of the value that `held` names; None where no promise is
            made.
        held: "p50", "p99" or "ratio".
    """

    what: str
    case: str
    unit: str
    p50: float
    p99: float
    runs: int
    beside: str = ""
    beside_p50: float | None = None
    hold: float | None = None
    held: str = "p99"

    @property
    def ratio(self) -> float | None:
        """Ours over the other's, by medians."""
        return self.p50 / self.beside_p50 if self.beside_p50 else None

    @property
    def kept(self) -> bool | None:
        """Is the promise kept? None where there is none."""
        if self.hold is None:
            return None
        value = {"p50": self.p50, "p99": self.p99, "ratio": self.ratio}[self.held]
        return value is not None and value <= self.hold

    def as_json(self) -> dict[str, Any]:
        """All of it, for a file."""
        return {**asdict(self), "ratio": self.ratio, "kept": self.kept}


def figure(
    what: str,
    case: str,
    unit: str,
    ours: Sequence[float],
    other: Sequence[float] = (),
    *,
    beside: str = "",
    hold: float | None = None,
    held: str = "p99",
) -> Figure:
    """A figure from its samples."""
    return Figure(
        what,
        case,
        unit,
        p50=statistics.median(ours),
        p99=percentile(ours, 0.99),
        runs=len(ours),
        beside=beside,
        beside_p50=statistics.median(other) if other else None,
        hold=hold,
        held=held,
    )


def percentile(samples: Sequence[float], share: float) -> float:
    """The sample below which this share of the samples lies, itself included."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def table(figures: Sequence[Figure]) -> str:
    """All figures as one table of plain text."""
    head = ("what", "case", "unit", "p50", "p99", "runs", "beside", "p50", "ratio", "hold", "kept")
    rows = [head, *map(_row, figures)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _row(figure: Figure) -> tuple[str, ...]:
    hold = "" if figure.hold is None else f"{figure.held} ≤ {figure.hold:g}"
    kept = {None: "", True: "yes", False: "NO"}[figure.kept]
    return (
        figure.what,
        figure.case,
        figure.unit,
        _number(figure.p50),
        _number(figure.p99),
        str(figure.runs),
        figure.beside,
        "" if figure.beside_p50 is None else _number(figure.beside_p50),
        "" if figure.ratio is None else f"{figure.ratio:.3g}",
        hold,
        kept,
    )


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"

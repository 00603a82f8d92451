"""What one run of the benchmarks came to."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.comparison import Pair, pairs
from benchmarks.figure import Figure, Row, Skipped


@dataclass(frozen=True, slots=True)
class Result:
    """All rows, by the benchmark that they are of.

    Attributes:
        rows: of this clone.
        quick: with fewer runs.
        minutes: how long it took.
        revision: what it is compared with; "" for nothing.
        there: the rows of that.
    """

    rows: Mapping[str, Sequence[Row]]
    quick: bool
    minutes: float
    revision: str = ""
    there: Mapping[str, Sequence[Row]] = field(default_factory=dict)

    @property
    def all(self) -> list[Row]:
        """The rows, one after the other."""
        return [row for rows in self.rows.values() for row in rows]

    @property
    def held(self) -> list[Figure]:
        """Figures with a promise."""
        return [row for row in self.all if isinstance(row, Figure) and row.holds]

    @property
    def promises(self) -> list[Figure]:
        """For each promise the one of its figures that comes nearest to it, or misses it most."""
        worst: dict[tuple[str, str], Figure] = {}
        for figure in self.held:
            promise = (figure.what, str(figure.holds))
            worst[promise] = max(worst.get(promise, figure), figure, key=_share)
        return list(worst.values())

    @property
    def missed(self) -> list[Figure]:
        """Figures whose promise is not kept."""
        return [figure for figure in self.held if not figure.kept]

    @property
    def failed(self) -> list[Skipped]:
        """Benchmarks that failed."""
        return [row for row in self.all if isinstance(row, Skipped) and row.failed]

    @property
    def compared(self) -> list[Pair]:
        """Each figure with the other revision's."""
        return [
            pair
            for name, rows in self.there.items()
            for pair in pairs(self.rows.get(name, ()), rows)
        ]

    @property
    def machine(self) -> str:
        """One sentence: how and where it was measured."""
        runs = "fewer runs than usual" if self.quick else "all runs"
        return (
            f"Measured in one run of {self.minutes:.0f} min ({runs}) on {platform.system()},"
            f" {os.cpu_count()} cores, Python {platform.python_version()}."
        )

    def as_json(self) -> dict[str, Any]:
        """All of it, for a file."""
        return {
            "machine": platform.platform(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "quick": self.quick,
            "minutes": round(self.minutes, 2),
            "figures": _documents(self.rows),
            **({"revision": self.revision, "there": _documents(self.there)} if self.there else {}),
        }


def _share(figure: Figure) -> float:
    return figure.share or 0.0


def _documents(rows: Mapping[str, Sequence[Row]]) -> list[dict[str, Any]]:
    return [{"benchmark": name, **row.as_json()} for name, found in rows.items() for row in found]

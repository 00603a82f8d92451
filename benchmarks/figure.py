"""A measured figure, and what could not be measured."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from math import inf
from typing import Any

_DIGITS = 5


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
        beside_p99: its 99th percentile.
        holds: the most that is allowed, by what it is allowed of: "p50", "p99" or "ratio"; empty
            where no promise is made.
        samples: all values of ours.
        beside_samples: all of the other's.
    """

    what: str
    case: str
    unit: str
    p50: float
    p99: float
    runs: int
    beside: str = ""
    beside_p50: float | None = None
    beside_p99: float | None = None
    holds: Mapping[str, float] = field(default_factory=dict)
    samples: tuple[float, ...] = ()
    beside_samples: tuple[float, ...] = ()

    @property
    def ratio(self) -> float | None:
        """Ours over the other's, by medians."""
        return self.p50 / self.beside_p50 if self.beside_p50 else None

    @property
    def kept(self) -> bool | None:
        """Are all promises kept? None where there is none."""
        return None if self.share is None else self.share <= 1

    @property
    def share(self) -> float | None:
        """The largest share of what is allowed; infinite where that was not measured.

        None where no promise is made.
        """
        found = {"p50": self.p50, "p99": self.p99, "ratio": self.ratio}
        shares = (_part(found[of], most) for of, most in self.holds.items())
        return max(shares, default=None)

    def joined(self, other: "Figure") -> "Figure":
        """The same row from both measurements together."""
        return figure(
            self.what,
            self.case,
            self.unit,
            self.samples + other.samples,
            self.beside_samples + other.beside_samples,
            beside=self.beside,
            hold=self.holds,
        )

    def as_json(self) -> dict[str, Any]:
        """All of it, for a file."""
        found = asdict(self)
        for name in ("samples", "beside_samples"):
            found[name] = [float(f"{value:.{_DIGITS}g}") for value in found[name]]
        return {**found, "ratio": self.ratio, "kept": self.kept}


def _part(value: float | None, most: float) -> float:
    """A value as a share of the most that is allowed; infinite where nothing was, or none is."""
    if value is None:
        return inf
    if most:
        return value / most
    return inf if value > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that could not be measured.

    Attributes:
        what: what would have been measured.
        case: for which input.
        reason: why it was not, and what to do; one sentence.
        failed: it should have been possible.
    """

    what: str
    case: str
    reason: str
    failed: bool = False

    def as_json(self) -> dict[str, Any]:
        """All of it, for a file."""
        return {
            "what": self.what, "case": self.case, "skipped": self.reason, "failed": self.failed,
        }  # fmt: skip


Row = Figure | Skipped


def figure(
    what: str,
    case: str,
    unit: str,
    ours: Sequence[float],
    other: Sequence[float] = (),
    *,
    beside: str = "",
    hold: float | Mapping[str, float] | None = None,
    held: str = "p99",
) -> Figure:
    """A figure from its samples.

    Args:
        what: what was measured.
        case: for which input.
        unit: of all values.
        ours: at least one value.
        other: those of what it is compared with.
        beside: what that is.
        hold: the most that is allowed, of `held`; or several of them, by what they are of.
        held: "p50", "p99" or "ratio".
    """
    holds = {held: hold} if isinstance(hold, int | float) else dict(hold or {})
    return Figure(
        what,
        case,
        unit,
        p50=statistics.median(ours),
        p99=percentile(ours, 0.99),
        runs=len(ours),
        beside=beside,
        beside_p50=statistics.median(other) if other else None,
        beside_p99=percentile(other, 0.99) if other else None,
        holds=holds,
        samples=tuple(ours),
        beside_samples=tuple(other),
    )


def row_of(document: Mapping[str, Any]) -> Row:
    """The row that `as_json` gave this document of."""
    if "skipped" in document:
        return Skipped(document["what"], document["case"], document["skipped"], document["failed"])
    members = {each.name: document[each.name] for each in fields(Figure)}
    for name in ("samples", "beside_samples"):
        members[name] = tuple(members[name])
    return Figure(**members)


def percentile(samples: Sequence[float], share: float) -> float:
    """The sample below which this share of the samples lies, itself included."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

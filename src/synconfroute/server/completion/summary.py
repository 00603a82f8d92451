"""What the counts of many days come to."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from synconfroute.server.completion.counts import BOUNDS_MS, Event, Source, Wait
from synconfroute.server.completion.day_files import History
from synconfroute.server.completion.intervals import Interval, wilson

_NONE = "none"
"""The name of no tier and of no verdict."""

_DIMENSIONS: dict[str, Callable[[Source], str]] = {
    "tier": lambda source: source.tier or _NONE,
    "reason": lambda source: source.reason,
    "verdict": lambda source: source.verdict or _NONE,
    "language": lambda source: source.language,
    "model": lambda source: source.model,
    "decision": lambda source: ", ".join(
        (source.tier or _NONE, source.reason, source.verdict or _NONE)
    ),
}


@dataclass(frozen=True, slots=True)
class Waits:
    """How long answers with a text took, in ms, by linear interpolation between `BOUNDS_MS`.

    Attributes:
        count: how many answers.
        p50: half of them took at most so long; None of none.
        p95: 95 % of them took at most so long; None of none.
    """

    count: int
    p50: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class Row:
    """Numbers of what has something in common; see `Event` for what each counts.

    Attributes:
        name: what they have in common.
        requests: completions that a model was asked for.
        sent: of these, those that the organisation's server was asked for, too.
        shown: texts that an editor showed.
        accepted: of these, those taken whole.
        partly_accepted: those of which a part was taken.
        kept: accepted texts that still stood in the document a minute later.
        gone: accepted texts that did not.
        kept_local: requests of which nothing was sent away, of all, from 0 to 1; None of none.
        kept_local_ci95: its 95 % interval, see `wilson`.
        acceptance: accepted of shown, from 0 to 1; None of none.
        acceptance_ci95: its 95 % interval.
        still_there: kept of kept and gone, from 0 to 1; None of none.
        still_there_ci95: its 95 % interval.
        tokens_generated: by the local model.
        tokens_thrown_away: of these, those of texts that no editor was given.
        waits: of answers that a model was waited for.
    """

    name: str
    requests: int
    sent: int
    shown: int
    accepted: int
    partly_accepted: int
    kept: int
    gone: int
    kept_local: float | None
    kept_local_ci95: Interval | None
    acceptance: float | None
    acceptance_ci95: Interval | None
    still_there: float | None
    still_there_ci95: Interval | None
    tokens_generated: int
    tokens_thrown_away: int
    waits: Waits


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was asked for before the editor asked.

    Attributes:
        asked: how often.
        used: how often the editor asked for it then.
        tokens_generated: for all of it.
        tokens_thrown_away: of what the editor did not ask for.
    """

    asked: int
    used: int
    tokens_generated: int
    tokens_thrown_away: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All of it.

    Attributes:
        days: how many days have numbers.
        first_day: the first, as "2026-11-30"; None of none.
        last_day: the last.
        kept_local: requests for which nothing was sent away, of all, from 0 to 1; None of none.
        total: the numbers of everything.
        accepted_further: texts accepted that were not the first of several.
        ahead: what was asked for ahead.
        left_alone: requests made while the organisation's server was left alone.
        ledger_failures: requests that did not leave since the ledger could not be written.
        waits: by what was waited for: "local", "org" (models of that tier), "memory".
        wait_counts: the same as counts: pairs of one of `BOUNDS_MS` and how many took at most so
            long, and longer than the bound before; those of none are left out.
        by: rows by "tier", "reason", "verdict", "language", "model", and by "decision": tier,
            reason and verdict together; those shown most first. By "day", in order.
        unreadable: files of days that cannot be read or that a newer version wrote.
    """

    days: int
    first_day: str | None
    last_day: str | None
    kept_local: float | None
    total: Row
    accepted_further: int
    ahead: Ahead
    left_alone: int
    ledger_failures: int
    waits: dict[str, Waits]
    wait_counts: dict[str, tuple[tuple[int, int], ...]]
    by: dict[str, tuple[Row, ...]]
    unreadable: tuple[str, ...]


def summarise(history: History) -> Summary:
    """What these days come to."""
    sources: dict[Source, Counter[str]] = {}
    by_day: dict[str, Counter[str]] = {}
    for day, rows in sorted(history.days.items()):
        for source, numbers in rows.items():
            sources.setdefault(source, Counter()).update(numbers)
            by_day.setdefault(day.isoformat(), Counter()).update(numbers)
    days = sorted(day.isoformat() for day in history.days)
    everything = _together(sources, lambda _: "all").get("all", Counter())
    total = _row("all", everything)
    by_tier = _together(sources, _DIMENSIONS["tier"])
    cells = {tier: _cells(by_tier.get(tier, {}), Wait.MODEL) for tier in ("local", "org")}
    cells["memory"] = _cells(everything, Wait.MEMORY)
    return Summary(
        days=len(days),
        first_day=days[0] if days else None,
        last_day=days[-1] if days else None,
        kept_local=total.kept_local,
        total=total,
        accepted_further=everything[Event.FURTHER],
        ahead=_ahead(everything),
        left_alone=everything[Event.LEFT_ALONE],
        ledger_failures=everything[Event.UNRECORDED],
        waits={name: _waits(found) for name, found in cells.items()},
        wait_counts={name: tuple(found.items()) for name, found in cells.items()},
        by={
            **{name: _rows(_together(sources, of)) for name, of in _DIMENSIONS.items()},
            "day": tuple(_row(day, numbers) for day, numbers in by_day.items()),
        },
        unreadable=history.unreadable,
    )


def percentile(cells: Mapping[int, int], share: float) -> float | None:
    """The wait that `share` of all do not exceed, in ms; None of none.

    Args:
        cells: how many waits were above the bound before and at most this, by bound.
        share: from 0 to 1.
    """
    wanted = share * sum(cells.values())
    below = 0
    for before, bound in pairwise((0, *BOUNDS_MS)):
        count = cells.get(bound, 0)
        if count and below + count >= wanted:
            return round(before + (bound - before) * (wanted - below) / count, 1)
        below += count
    return None


def _together(
    sources: Mapping[Source, Counter[str]], of: Callable[[Source], str]
) -> dict[str, Counter[str]]:
    together: dict[str, Counter[str]] = {}
    for source, numbers in sources.items():
        together.setdefault(of(source), Counter()).update(numbers)
    return together


def _rows(together: Mapping[str, Counter[str]]) -> tuple[Row, ...]:
    rows = [_row(name, numbers) for name, numbers in together.items()]
    return tuple(sorted(rows, key=lambda row: (-row.shown, -row.requests, row.name)))


def _row(name: str, numbers: Counter[str]) -> Row:
    asked, sent = numbers[Event.ASKED], numbers[Event.SENT]
    shown, accepted = numbers[Event.SHOWN], numbers[Event.ACCEPTED]
    kept, gone = numbers[Event.KEPT], numbers[Event.GONE]
    return Row(
        name=name,
        requests=asked,
        sent=sent,
        shown=shown,
        accepted=accepted,
        partly_accepted=numbers[Event.PARTLY],
        kept=kept,
        gone=gone,
        kept_local=_share(asked - sent, asked),
        kept_local_ci95=wilson(asked - sent, asked),
        acceptance=_share(accepted, shown),
        acceptance_ci95=wilson(accepted, shown),
        still_there=_share(kept, kept + gone),
        still_there_ci95=wilson(kept, kept + gone),
        tokens_generated=numbers[Event.GENERATED],
        tokens_thrown_away=_left(numbers[Event.GENERATED], numbers[Event.USED]),
        waits=_waits(_cells(numbers, Wait.MODEL)),
    )


def _ahead(numbers: Counter[str]) -> Ahead:
    generated = numbers[Event.AHEAD_GENERATED]
    return Ahead(
        asked=numbers[Event.AHEAD],
        used=numbers[Event.AHEAD_USED],
        tokens_generated=generated,
        tokens_thrown_away=_left(generated, numbers[Event.AHEAD_USED_TOKENS]),
    )


def _cells(numbers: Mapping[str, int], wait: Wait) -> dict[int, int]:
    found = {bound: numbers.get(f"{wait} {bound}", 0) for bound in BOUNDS_MS}
    return {bound: count for bound, count in found.items() if count}


def _waits(cells: Mapping[int, int]) -> Waits:
    return Waits(sum(cells.values()), percentile(cells, 0.5), percentile(cells, 0.95))


def _share(part: int, whole: int) -> float | None:
    """From 0 to 1: what was counted on two days may stand on either side of `--since`."""
    return round(min(1.0, max(0.0, part / whole)), 4) if whole else None


def _left(whole: int, part: int) -> int:
    return max(0, whole - part)

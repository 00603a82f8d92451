"""The numbers of `synconfroute stats` for a terminal."""

from collections.abc import Sequence

from synconfroute.server.completion.summary import Row, Summary, Waits

_MOST_ROWS = 12
"""Of one table; the JSON has all."""
_HEADS = (
    "requests", "sent", "shown", "accepted", "partly", "still there", "p50", "p95",
)  # fmt: skip
_NOTHING = "-"


def table(summary: Summary) -> str:
    """All of it, in lines of less than 100 characters where names are not long."""
    parts = [_head(summary), _aligned(_facts(summary)), _wait_table(summary)]
    parts += [
        _rows(name, summary.by[name])
        for name in ("tier", "reason", "language", "model")
        if summary.by[name]
    ]
    return "\n\n".join(parts)


def _head(summary: Summary) -> str:
    days = "one day" if summary.days == 1 else f"{summary.days} days"
    span = summary.first_day or ""
    if summary.last_day != summary.first_day:
        span = f"{span} to {summary.last_day}"
    return f"Completions on {days}, {span} (UTC). Open editors add theirs every 30 s."


def _facts(summary: Summary) -> list[tuple[str, str, str]]:
    total, ahead = summary.total, summary.ahead
    thrown = _percent_of(total.tokens_thrown_away, total.tokens_generated)
    return [
        ("kept local", _percent(summary.kept_local), f"of {total.requests:,} requests"),
        ("shown", f"{total.shown:,}", ""),
        (
            "accepted",
            _percent(total.acceptance),
            f"{total.accepted:,} whole, {total.partly_accepted:,} in part; of those whole"
            f" {summary.accepted_further:,} not the first of several",
        ),
        (
            "still there",
            _percent(total.still_there),
            f"of {total.kept + total.gone:,} looked at again a minute after they were accepted",
        ),
        (
            "thrown away",
            thrown,
            f"{total.tokens_thrown_away:,} of {total.tokens_generated:,} tokens generated here",
        ),
        (
            "made ahead",
            f"{ahead.asked:,}",
            f"of which {ahead.used:,} were asked for;"
            f" {ahead.tokens_thrown_away:,} tokens thrown away",
        ),
    ]


def _aligned(facts: Sequence[tuple[str, str, str]]) -> str:
    names = max(len(name) for name, _, _ in facts)
    values = max(len(value) for _, value, _ in facts)
    return "\n".join(
        f"  {name:<{names}}  {value:>{values}}  {note}".rstrip() for name, value, note in facts
    )


def _wait_table(summary: Summary) -> str:
    names = {"local": "local model", "org": "organisation", "memory": "from memory"}
    rows = [
        (names[name], f"{waits.count:,}", *_times(waits)) for name, waits in summary.waits.items()
    ]
    return _columns(("answered by", "answers", "p50", "p95"), rows)


def _rows(dimension: str, rows: Sequence[Row]) -> str:
    lines = [
        (
            row.name,
            f"{row.requests:,}",
            f"{row.sent:,}",
            f"{row.shown:,}",
            _percent(row.acceptance),
            f"{row.partly_accepted:,}",
            _percent(row.still_there),
            *_times(row.waits),
        )
        for row in rows[:_MOST_ROWS]
    ]
    more = len(rows) - len(lines)
    shown = _columns((dimension, *_HEADS), lines)
    return f"{shown}\n  and {more} more: --json has all" if more else shown


def _columns(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = []
    for cells in (heads, *rows):
        first, *others = zip(cells, widths, strict=True)
        numbers = "".join(f"  {cell:>{width}}" for cell, width in others)
        lines.append(f"  {first[0]:<{first[1]}}{numbers}")
    return "\n".join(lines)


def _times(waits: Waits) -> tuple[str, str]:
    return _ms(waits.p50), _ms(waits.p95)


def _ms(ms: float | None) -> str:
    if ms is None:
        return _NOTHING
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"


def _percent_of(part: int, whole: int) -> str:
    return _percent(part / whole if whole else None)


def _percent(share: float | None) -> str:
    return _NOTHING if share is None else f"{share * 100:.1f} %"

"""The numbers of `synconfroute stats` for a terminal."""

from collections.abc import Iterator, Sequence
from textwrap import fill

from synconfroute.server.completion.summary import Row, Summary, Waits
from synconfroute.server.observation.comparison import words
from synconfroute.server.observation.comparison.result import Comparison
from synconfroute.server.observation.report import Report
from synconfroute.server.observation.words import milliseconds, percent, percent_of, span

_MOST_ROWS = 12
"""Of one table; the JSON has all."""
_HEADS = (
    "requests", "sent", "shown", "accepted", "95 %", "partly", "still there", "p50", "p95",
)  # fmt: skip


def table(report: Report) -> str:
    """All of it, in lines of less than 100 characters where names are not long."""
    summary = report.summary
    parts = [_head(report), _aligned(_facts(summary)), _wait_table(summary)]
    parts += [
        _rows(name, summary.by[name])
        for name in ("tier", "reason", "verdict", "language", "model")
        if summary.by[name]
    ]
    parts += map(_comparison, report.comparisons)
    return "\n\n".join(parts)


def _head(report: Report) -> str:
    summary = report.summary
    days = "one day" if summary.days == 1 else f"{summary.days} days"
    first_to_last = summary.first_day or ""
    if summary.last_day != summary.first_day:
        first_to_last = f"{first_to_last} to {summary.last_day}"
    if report.people:
        return f"Completions of {report.people} exports on {days}, {first_to_last} (UTC)."
    return f"Completions on {days}, {first_to_last} (UTC). Open editors add theirs every 30 s."


def _facts(summary: Summary) -> list[tuple[str, str, str]]:
    total, ahead = summary.total, summary.ahead
    thrown = percent_of(total.tokens_thrown_away, total.tokens_generated)
    return [
        (
            "kept local",
            percent(summary.kept_local),
            f"{span(total.kept_local_ci95)}; of {total.requests:,} requests",
        ),
        ("shown", f"{total.shown:,}", ""),
        (
            "accepted",
            percent(total.acceptance),
            f"{span(total.acceptance_ci95)}; {total.accepted:,} whole, {total.partly_accepted:,} in"
            f" part; of those whole {summary.accepted_further:,} not the first of several",
        ),
        (
            "still there",
            percent(total.still_there),
            f"{span(total.still_there_ci95)}; of {total.kept + total.gone:,} looked at again a"
            " minute after they were accepted",
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
            percent(row.acceptance),
            span(row.acceptance_ci95),
            f"{row.partly_accepted:,}",
            percent(row.still_there),
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
    return milliseconds(waits.p50), milliseconds(waits.p95)


def _comparison(found: Comparison) -> str:
    """Two rules in turn: what may be said, what was counted, and the differences."""
    first, second = found.arms
    counted = _columns(
        ("rule", "sessions", "requests", "shown", "accepted"),
        [
            (arm.name, *(f"{each:,}" for each in (arm.sessions, arm.requests, arm.shown,
                                                  arm.accepted)))
            for arm in found.arms
        ],
    )  # fmt: skip
    measured = _columns(
        ("", first.name, second.name, *words.HEADS),
        [(words.NAMES[each.name], *words.cells(each)) for each in found.measures],
    )
    return "\n".join((f"  {words.heading(found)}", *_sentences(found), counted, measured))


def _sentences(found: Comparison) -> Iterator[str]:
    for sentence in (words.outcome(found), words.standing(found), words.still_needed(found)):
        yield fill(sentence, 98, initial_indent="  ", subsequent_indent="    ")

"""The page, from its head to its foot."""

from collections.abc import Iterable, Sequence
from html import escape

from synconfroute import __version__
from synconfroute.server.completion.counts import LONGEST_NAME
from synconfroute.server.completion.summary import Row, Summary
from synconfroute.server.observation.page import marks
from synconfroute.server.observation.page.distribution import distribution
from synconfroute.server.observation.page.style import STYLE
from synconfroute.server.observation.page.timeline import timeline
from synconfroute.server.observation.words import milliseconds, percent, percent_of

_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none';"
    " form-action 'none'"
)
_MOST_ROWS = 12
_FEW = 30
"""Shares of fewer are drawn hollow and grey: their intervals are wide."""

_TIERS = {"local": "Local model", "org": "Organisation", "none": "Nothing shown"}
_REASONS = {
    "kept": "Kept: the local answer passed",
    "low_confidence": "Low confidence",
    "invalid": "Invalid code",
    "evidence": "Evidence against it",
    "shadow": "Only noted (shadow)",
    "refused_policy": "Refused by policy",
    "refused_breaker": "Server left alone",
    "late": "Too late",
    "empty": "Nothing to say",
    "cancelled": "Cancelled: you typed on",
    "error": "Error",
    "other": "Other",
}
_VERDICTS = {
    "valid": "Valid",
    "invalid": "Invalid",
    "unknown": "Unknown",
    "none": "No verdict",
}


def page(summary: Summary, comparison: str = "", where: str = "on this machine") -> str:
    """The whole page.

    Args:
        summary: what was counted.
        comparison: a part about two rules, as HTML; "": none.
        where: whose numbers these are.
    """
    if summary.days:
        parts: Iterable[str] = _parts(summary, comparison)
    else:
        parts = ["<p>Nothing was counted: numbers begin with a completion in your editor.</p>"]
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<link rel="icon" href="data:,">\n'
        "<title>SynConfRoute: completions</title>\n"
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n"
        f'<h1>Completions {escape(where)}</h1>\n<p class="soft">{escape(_span(summary))}</p>\n'
        f"</header>\n{body}\n{_foot(summary)}\n</main>\n</body>\n</html>\n"
    )


def _span(summary: Summary) -> str:
    if not summary.days:
        return ""
    days = "One day" if summary.days == 1 else f"{summary.days} days"
    if summary.first_day == summary.last_day:
        return f"{days}, {summary.first_day} (UTC)."
    return f"{days} with numbers, {summary.first_day} to {summary.last_day} (UTC)."


def _parts(summary: Summary, comparison: str) -> Iterable[str]:
    yield _tiles(summary)
    yield marks.section(
        "Kept on this machine",
        "The share of requests for which nothing was sent to the organisation's server, with its"
        " 95 % interval; below it, of how many requests.",
        timeline(summary.by["day"]),
    )
    yield marks.section(
        "Why answers are what they are",
        "Requests by the reason of their decision, and how many of them went to the organisation's"
        " server.",
        _reasons(summary),
    )
    yield marks.section(
        "How long answers took",
        "From request to reply in the server, on a logarithmic scale. Marked: half of the answers,"
        " and 95 %, took at most so long.",
        distribution(summary.waits, summary.wait_counts),
    )
    yield marks.section(
        "What you take",
        "Completions taken whole, of those shown. The bar is the 95 % interval; a share of fewer"
        f" than {_FEW} is hollow.",
        _acceptance(summary),
    )
    yield comparison
    yield marks.section(
        "Languages",
        "Acceptance by language, most shown first.",
        _details("Language", summary.by["language"]),
    )
    yield marks.section(
        "Models",
        "Acceptance by the model that made the text, or that was asked where nothing is shown.",
        _details("Model", summary.by["model"]),
    )
    yield marks.section(
        "Tokens",
        "What the local model generated: what an editor was given, and what was thrown away since"
        " you typed on, the organisation answered, or the text was invalid.",
        _tokens(summary),
    )


def _tiles(summary: Summary) -> str:
    total, waits = summary.total, summary.waits["local"]
    looked = total.kept + total.gone
    tiles = (
        (
            "Kept local",
            percent(summary.kept_local),
            f"of {total.requests:,} requests",
            total.kept_local_ci95,
        ),
        (
            "Accepted",
            percent(total.acceptance),
            f"of {total.shown:,} shown",
            total.acceptance_ci95,
        ),
        (
            "There a minute later",
            percent(total.still_there),
            f"of {looked:,} accepted",
            total.still_there_ci95,
        ),
        (
            "Local answers, p50",
            milliseconds(waits.p50),
            f"of {waits.count:,} answers<br>p95: {milliseconds(waits.p95)}",
            None,
        ),
        (
            "Tokens thrown away",
            percent_of(total.tokens_thrown_away, total.tokens_generated),
            f"of {total.tokens_generated:,} generated here",
            None,
        ),
    )
    shown = "".join(
        f'<div><dt>{name}</dt><dd>{value}</dd><dd class="of">{of}'
        + (f"<br>95&nbsp;%: {marks.span(interval)}" if interval else "")
        + "</dd></div>\n"
        for name, value, of, interval in tiles
    )
    return f'<dl class="tiles">\n{shown}</dl>'


def _reasons(summary: Summary) -> str:
    rows = sorted(summary.by["reason"], key=lambda row: -row.requests)
    rows = [row for row in rows if row.requests]
    most = max((row.requests for row in rows), default=0)
    return marks.table(
        "Requests by the reason of their decision",
        ("reason", '<th scope="col" class="plot"></th>', "requests", "share", "sent"),
        [
            marks.row(
                _REASONS.get(row.name, row.name),
                [
                    marks.stack(
                        [("local", max(0, row.requests - row.sent)), ("org", row.sent)], most
                    ),
                    f"{row.requests:,}",
                    percent_of(row.requests, summary.total.requests),
                    f"{row.sent:,}",
                ],
            )
            for row in rows
        ],
    ) + marks.legend([("local", "stayed here"), ("org", "sent")])


def _acceptance(summary: Summary) -> str:
    rows: list[str] = []
    top = marks.top_of(row.acceptance_ci95 for row in summary.by["decision"] if row.shown)
    heads = ("", marks.plot_head(top), "accepted", "95 %", "of shown")
    for dimension, title, names in (
        ("tier", "By tier", _TIERS),
        ("reason", "By reason", _REASONS),
        ("verdict", "By verdict", _VERDICTS),
    ):
        shown = [row for row in summary.by[dimension] if row.shown]
        if shown:
            rows.append(marks.group(title, 5))
            rows += [_taken(names.get(row.name, row.name), row, top) for row in shown]
    together = [row for row in summary.by["decision"] if row.shown]
    folded = marks.table(
        "Acceptance by tier, reason and verdict together",
        heads,
        [_taken(_decision(row.name), row, top) for row in together],
    )
    return (
        marks.table("Acceptance by tier, reason and verdict", heads, rows)
        + f"<details><summary>Tier, reason and verdict together</summary>{folded}</details>"
    )


def _taken(name: str, row: Row, top: float) -> str:
    return marks.row(
        name,
        [
            marks.dot(row.acceptance, row.acceptance_ci95, top),
            percent(row.acceptance),
            marks.span(row.acceptance_ci95),
            f"{row.accepted:,} of {row.shown:,}",
        ],
        weak=row.shown < _FEW,
    )


def _decision(name: str) -> str:
    tier, reason, verdict = name.split(", ")
    words = (_TIERS.get(tier, tier), _REASONS.get(reason, reason), _VERDICTS.get(verdict, verdict))
    return " · ".join(words)


def _details(head: str, rows: Sequence[Row]) -> str:
    """Rows with a plot of what was accepted, and what else is known of them."""
    top = marks.top_of(row.acceptance_ci95 for row in rows[:_MOST_ROWS])
    heads = (
        head.lower(), marks.plot_head(top), "accepted", "95 %", "shown", "requests",
        "still there", "p50", "p95",
    )  # fmt: skip
    shown = [
        marks.row(
            row.name[:LONGEST_NAME],
            [
                marks.dot(row.acceptance, row.acceptance_ci95, top),
                percent(row.acceptance),
                marks.span(row.acceptance_ci95),
                f"{row.shown:,}",
                f"{row.requests:,}",
                percent(row.still_there),
                milliseconds(row.waits.p50),
                milliseconds(row.waits.p95),
            ],
            weak=row.shown < _FEW,
        )
        for row in rows[:_MOST_ROWS]
    ]
    more = len(rows) - len(shown)
    note = f'<p class="note">And {more} more: <code>--json</code> has all.</p>' if more else ""
    return marks.table(f"Acceptance and waits by {head.lower()}", heads, shown) + note


def _tokens(summary: Summary) -> str:
    rows = [("All", summary.total)]
    rows += [(row.name, row) for row in summary.by["language"] if row.tokens_generated]
    most = summary.total.tokens_generated
    shown = [
        marks.row(
            name,
            [
                marks.stack(
                    [
                        ("local", max(0, row.tokens_generated - row.tokens_thrown_away)),
                        ("lost", row.tokens_thrown_away),
                    ],
                    most,
                ),
                f"{row.tokens_generated:,}",
                f"{row.tokens_thrown_away:,}",
                percent_of(row.tokens_thrown_away, row.tokens_generated),
            ],
        )
        for name, row in rows[: _MOST_ROWS + 1]
    ]
    ahead = summary.ahead
    note = (
        f'<p class="note">Asked for ahead: {ahead.asked:,}, of which {ahead.used:,} were asked for'
        f" then; {ahead.tokens_thrown_away:,} of {ahead.tokens_generated:,} tokens thrown away,"
        " which are counted above, too.</p>"
        if ahead.asked
        else ""
    )
    heads = ("", '<th scope="col" class="plot"></th>', "generated", "thrown away", "share")
    return (
        marks.table("Tokens that the local model generated, by language", heads, shown)
        + marks.legend([("local", "given to an editor"), ("lost", "thrown away")])
        + note
    )


def _foot(summary: Summary) -> str:
    left_out = ""
    if summary.unreadable:
        names = escape(", ".join(summary.unreadable))
        left_out = f" Left out, since it cannot be read here: {names}."
    trouble = ""
    if summary.left_alone or summary.ledger_failures:
        trouble = (
            f"<p>The organisation's server was being left alone, since it had failed, at"
            f" {summary.left_alone:,} requests; the ledger could not be written at"
            f" {summary.ledger_failures:,}, which then stayed here.</p>"
        )
    return (
        f"<footer>{trouble}<p>Counts only: no code, no names of files. Intervals are Wilson's;"
        " they take completions as independent, which those of one sitting are not quite, so what"
        " another week brings may lie outside more often than one time in twenty."
        f"{left_out}</p><p>SynConfRoute {__version__}. What is counted, and how:"
        " <code>docs/statistics.md</code>. This page needs no network and holds no script.</p>"
        "</footer>"
    )

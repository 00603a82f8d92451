"""The part of the page about two rules in turn."""

from html import escape

from synconfroute.server.observation.comparison import words
from synconfroute.server.observation.comparison.result import Comparison
from synconfroute.server.observation.page import marks


def rules(found: Comparison) -> str:
    """What a comparison came to: counts by rule, then differences with both intervals."""
    first, second = found.arms
    counted = marks.table(
        "What was counted by rule",
        ("rule", "sessions", "requests", "shown", "accepted"),
        [
            marks.row(
                arm.name,
                [f"{each:,}" for each in (arm.sessions, arm.requests, arm.shown, arm.accepted)],
            )
            for arm in found.arms
        ],
    )
    heads = ("", escape(first.name), escape(second.name), *words.HEADS)
    measured = marks.table(
        f"{second.name} less {first.name}",
        heads,
        [marks.row(words.NAMES[each.name], words.cells(each)) for each in found.measures],
    )
    note = (
        "Each session got one of two rules by chance. Sessions are what is compared: completions of"
        " one session are alike, so many of them say little more than one."
    )
    said = "".join(
        f"<p>{escape(sentence)}</p>"
        for sentence in (words.outcome(found), words.standing(found), words.still_needed(found))
    )
    return marks.section(
        words.heading(found)[0].upper() + words.heading(found)[1:],
        note,
        f'<div class="said">{said}</div>',
        measured,
        counted,
    )

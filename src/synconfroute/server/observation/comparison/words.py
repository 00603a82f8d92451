"""What a comparison came to, in words that promise no more than it holds."""

from synconfroute.server.observation import words
from synconfroute.server.observation.comparison.result import (
    ACCEPTANCE,
    KEPT_LOCAL,
    STILL_THERE,
    WAIT,
    Comparison,
    Measure,
)

NAMES = {
    ACCEPTANCE: "accepted",
    STILL_THERE: "still there",
    KEPT_LOCAL: "kept local",
    WAIT: "wait, p50",
}


def heading(found: Comparison) -> str:
    """The two rules."""
    first, second = (arm.name for arm in found.arms)
    return f"{first} and {second} in turn"


def standing(found: Comparison) -> str:
    """How far it is, and which interval counts."""
    sessions = f"{found.sessions:,} of {found.planned:,} planned sessions."
    if found.reached:
        return (
            f"{sessions} The plan is fulfilled: the 95 % interval counts, if no plan was changed."
        )
    return (
        f"{sessions} Until they are there, only the interval counts that holds however often one"
        " looks."
    )


def outcome(found: Comparison) -> str:
    """What may be said of acceptance now."""
    first, second = (arm.name for arm in found.arms)
    interval = found.counts
    if interval is None:
        return "There are too few sessions to say anything of acceptance."
    low, high = interval
    if low <= 0 <= high:
        return "No difference in acceptance is shown; that is not to say that there is none."
    more, less = (second, first) if low > 0 else (first, second)
    return f"Completions by {more} are accepted more often than those by {less}."


def still_needed(found: Comparison) -> str:
    """How many sessions the difference asks for that one wants to see."""
    wanted = f"To see a difference of {found.difference * 100:g} points with a chance of 80 %"
    if found.needed is None:
        return f"{wanted}: not known before each rule had five sessions."
    more = max(0, found.needed - found.sessions)
    left = f"{more:,} more than there are" if more else "no more than there are"
    return f"{wanted} takes about {found.needed:,} sessions, {left}."


HEADS = ("difference", "95 %, one look", "95 %, any looks")
"""Of the cells behind both rules' values."""


def cells(measure: Measure) -> tuple[str, ...]:
    """A measure as a row: both rules' values, the difference, and both intervals."""
    return (
        value(measure, measure.first),
        value(measure, measure.second),
        difference(measure),
        interval(measure, measure.ci95),
        interval(measure, measure.always95),
    )


def value(measure: Measure, which: float | None) -> str:
    """One rule's value."""
    return words.milliseconds(which) if measure.name == WAIT else words.percent(which)


def difference(measure: Measure) -> str:
    """The second's less the first's: in percentage points, or ms."""
    if measure.difference is None:
        return words.NOTHING
    return _one(measure, measure.difference)


def interval(measure: Measure, which: tuple[float, float] | None) -> str:
    """An interval of the difference, such as "-2.1 to +6.3"."""
    if which is None:
        return words.NOTHING
    return " to ".join(_one(measure, each) for each in which)


def _one(measure: Measure, number: float) -> str:
    return f"{number:+.0f} ms" if measure.name == WAIT else words.points(number)

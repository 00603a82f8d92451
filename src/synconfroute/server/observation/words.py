"""Counted numbers as people read them."""

from synconfroute.server.completion.intervals import Interval

NOTHING = "-"


def percent(share: float | None) -> str:
    """A share from 0 to 1, such as "83.3 %"."""
    return NOTHING if share is None else f"{share * 100:.1f} %"


def percent_of(part: int, whole: int) -> str:
    """The same of two counts."""
    return percent(part / whole if whole else None)


def span(interval: Interval | None) -> str:
    """An interval of shares, such as "38-62 %"."""
    if interval is None:
        return NOTHING
    low, high = (f"{100 * each:.0f}" for each in interval)
    return f"{low}-{high} %"


def points(difference: float) -> str:
    """A difference of two shares in percentage points, such as "+3.1"."""
    return f"{difference * 100:+.1f}"


def milliseconds(ms: float | None) -> str:
    """A wait, such as "175 ms" or "1.2 s"."""
    if ms is None:
        return NOTHING
    if ms >= 1_000:
        return f"{ms / 1000:.1f} s"
    return f"{ms:.0f} ms" if ms >= 10 else f"{ms:.1f} ms"

"""Completions switched on and off, with an injected clock."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.protocol.switch import MOST_MINUTES, Switch


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The time."""
        return self.now

    def wait(self, minutes: float) -> None:
        """Let time pass."""
        self.now += timedelta(minutes=minutes)


def test_a_snooze_ends_by_itself() -> None:
    """At its minute."""
    clock = Clock()
    switch = Switch(clock)
    assert switch.snooze(5) == clock.now + timedelta(minutes=5)
    clock.wait(4.9)
    assert not switch.allows("a")
    assert switch.allows("a", explicit=True)
    clock.wait(0.1)
    assert switch.allows("a")
    assert switch.seconds_left() == 0


def test_no_snooze_is_longer_than_a_day_or_shorter_than_nothing() -> None:
    """Whatever is asked for."""
    clock = Clock()
    switch = Switch(clock)
    assert switch.snooze(1e300) == clock.now + timedelta(minutes=MOST_MINUTES)
    assert switch.snooze(-1) == clock.now


STEPS = st.lists(
    st.one_of(
        st.sampled_from([("toggle", None), ("toggle", "a"), ("toggle", "b")]),
        st.tuples(st.just("snooze"), st.integers(0, 9)),
        st.tuples(st.just("wait"), st.integers(0, 9)),
    ),
    max_size=20,
)


@given(steps=STEPS)
def test_a_toggle_always_changes_what_it_is_asked_about(
    steps: list[tuple[str, str | int | None]],
) -> None:
    """After any other steps, for a document and for all; and it says what is so now."""
    clock = Clock()
    switch = Switch(clock)
    for what, value in steps:
        if what == "toggle":
            document = value if isinstance(value, str) else None
            before = switch.allows(document)
            assert switch.toggle(document) is not before
            assert switch.allows(document) is not before
            assert bool(switch.why_not(document)) is before
        elif what == "snooze":
            switch.snooze(float(value or 0))
        else:
            clock.wait(float(value or 0))

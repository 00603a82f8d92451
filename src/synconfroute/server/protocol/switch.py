"""Whether completions come: switched on, off, or quiet for a while."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

USUAL_MINUTES = 5.0
MOST_MINUTES = 24 * 60.0


def _now() -> datetime:
    return datetime.now(UTC)


class Switch:
    """On for every document, until somebody says otherwise.

    Off means that no model is asked, whoever wants to. A snooze keeps only those completions away
    that come by themselves.
    """

    def __init__(self, now: Callable[[], datetime] = _now) -> None:
        """`now` tells the time, with its zone."""
        self._now = now
        self._on = True
        self._off_in: set[str] = set()
        self._until = now()

    def toggle(self, document: str | None = None) -> bool:
        """Switch one document, or all; what is off everywhere, or snoozes, comes back at once.

        Returns:
            Whether completions come there now.
        """
        if not self._on or self._snoozes():
            self._on, self._until = True, self._now()
            self._off_in.discard(document or "")
        elif document is None:
            self._on = False
        else:
            self._off_in.symmetric_difference_update({document})
        return self.allows(document)

    def snooze(self, minutes: float = USUAL_MINUTES) -> datetime:
        """Keep quiet for some minutes, at most a day; 0 ends it. Returns until when."""
        kept = min(max(minutes, 0.0), MOST_MINUTES)
        self._until = self._now() + timedelta(minutes=kept)
        return self._until

    def seconds_left(self) -> float:
        """How long the snooze goes on, in seconds; 0 where there is none."""
        return max(0.0, (self._until - self._now()).total_seconds())

    def allows(self, document: str | None = None, *, explicit: bool = False) -> bool:
        """May a model be asked for this document, or at all? `explicit`: the user asked."""
        return not self.why_not(document, explicit=explicit)

    def why_not(self, document: str | None = None, *, explicit: bool = False) -> str:
        """One sentence: why none comes; "" where they come."""
        if not self._on:
            return "Completions are switched off."
        if document in self._off_in:
            return "Completions are switched off in this file."
        if self._snoozes() and not explicit:
            return f"Completions are quiet until {self._until.astimezone():%H:%M}."
        return ""

    def _snoozes(self) -> bool:
        return self._now() < self._until

"""Which of two rules a session works with."""

import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

from synconfroute.server.completion.counts import Source, today
from synconfroute.server.observation.comparison.sessions import (
    NAMES,
    Session,
    how_many,
    new_id,
    write_session,
)
from synconfroute.server.settings.tree import Router, Settings

RARER = 2 / 3
"""How likely the arm is that fewer sessions had so far: the biased coin of Efron (1971)."""


def _by_chance() -> float:
    return secrets.randbits(53) / 2**53


class Assignment:
    """One session's part in a comparison: none, until settings say that there is one."""

    def __init__(
        self,
        folder: Path | None = None,
        chance: Callable[[], float] = _by_chance,
        day: Callable[[], date] = today,
    ) -> None:
        """Take part in nothing yet.

        Args:
            folder: where the counts are; None: the user's.
            chance: a number from 0 to 1.
            day: the day, UTC.
        """
        self._folder = folder
        self._chance = chance
        self._day = day
        self._session: Session | None = None
        self._changed = False
        self._lock = threading.Lock()

    @property
    def arm(self) -> str:
        """The rule that this session works with; "" outside a comparison."""
        return "" if self._session is None else self._session.arm

    def applied(self, settings: Settings) -> Settings:
        """The settings with the rule that this session got by chance, the same all along.

        Nothing but the rule and its threshold changes: where code may go stays as it is. Without
        an organisation's server the rules would show the same, so there is no comparison then, nor
        once the planned number of sessions is reached.
        """
        arms = _arms(settings)
        if self._session is None or arms is None or self._session.arms != tuple(arms):
            self.save()
            with self._lock:
                self._session = None if arms is None else self._drawn(tuple(arms), settings)
                self._changed = False
        if self._session is None or arms is None:
            return settings
        return replace(settings, router=arms[self._session.arm])

    def add(self, _source: Source, name: str, number: int = 1) -> None:
        """Count for this session what is counted anyway."""
        if self._session is None or name not in NAMES or number <= 0:
            return
        with self._lock:
            if self._session is not None:
                numbers = self._session.numbers
                numbers[name] = numbers.get(name, 0) + number
                self._changed = True

    def save(self) -> bool:
        """Write what this session came to, if that has changed. False if it cannot be done now."""
        with self._lock:
            session = self._session
            if session is None or not self._changed:
                return True
            held = replace(session, numbers=dict(session.numbers))
            self._changed = False
        if write_session(held, self._folder):
            return True
        with self._lock:
            self._changed = self._session is session
        return False

    def _drawn(self, arms: tuple[str, ...], settings: Settings) -> Session | None:
        first, second = arms
        counted = how_many((first, second), self._folder)
        if sum(counted) >= settings.comparison.sessions:
            return None
        likely = 0.5
        if counted[0] != counted[1]:
            likely = RARER if counted[0] < counted[1] else 1 - RARER
        arm = first if self._chance() < likely else second
        planned, day = settings.comparison.sessions, self._day()
        return Session(new_id(), (first, second), arm, planned, day, {})


def _arms(settings: Settings) -> dict[str, Router] | None:
    """The router's settings of both arms by their names; None where there is no comparison."""
    other = settings.comparison
    if other.rule == "off" or not (settings.org.url and settings.escalation.enabled):
        return None
    threshold = settings.router.threshold if other.threshold is None else other.threshold
    routers = (settings.router, replace(settings.router, rule=other.rule, threshold=threshold))
    arms = {_name(router): router for router in routers}
    return arms if len(arms) == 2 else None


def _name(router: Router) -> str:
    """Such as "score", or "paper-0.700" with a threshold that the settings give."""
    threshold = router.threshold
    return router.rule if threshold is None else f"{router.rule}-{threshold:.3f}"

"""Sentences for the user: each shown once, and trouble never in a storm."""

import asyncio
import time
from collections.abc import Callable

QUIET_SECONDS = 300.0
"""After some trouble was shown, further trouble is only logged for so long: one server that dies
fails in several ways, one after the other."""


class Notices:
    """Shows sentences; they may be said from any thread."""

    def __init__(
        self,
        show: Callable[[str], None],
        note: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Must be made inside the event loop, in whose thread `show` and `note` are called.

        Args:
            show: shows a sentence to the user.
            note: takes what is not shown.
            clock: seconds.
        """
        self._show = show
        self._note = note
        self._clock = clock
        self._shown: set[str] = set()
        self._quiet_until = float("-inf")
        self._loop = asyncio.get_running_loop()

    def say(self, sentence: str) -> None:
        """Show it, unless it has been shown."""
        self._loop.call_soon_threadsafe(self._once, sentence)

    def trouble(self, sentence: str) -> None:
        """Show it, unless it has been shown, or other trouble was a short time ago."""
        self._loop.call_soon_threadsafe(self._now_and_then, sentence)

    def _once(self, sentence: str) -> None:
        if sentence not in self._shown:
            self._shown.add(sentence)
            self._show(sentence)

    def _now_and_then(self, sentence: str) -> None:
        if sentence in self._shown or self._clock() < self._quiet_until:
            self._note(sentence)
            return
        self._quiet_until = self._clock() + QUIET_SECONDS
        self._once(sentence)

"""Sentences for the user, none of them twice within a while."""

import asyncio
import time
from collections.abc import Callable

from synconfroute.server.completion.troubles import QUIET_SECONDS


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
        self._shown: dict[str, float] = {}
        self._loop = asyncio.get_running_loop()

    def say(self, sentence: str) -> None:
        """Show it, unless it has been shown."""
        self._loop.call_soon_threadsafe(self._once, sentence)

    def trouble(self, sentence: str) -> None:
        """Show it, unless it was shown a short time ago: who builds anew what fails fails anew."""
        self._loop.call_soon_threadsafe(self._now_and_then, sentence)

    def _once(self, sentence: str) -> None:
        if sentence not in self._shown:
            self._shown[sentence] = self._clock()
            self._show(sentence)

    def _now_and_then(self, sentence: str) -> None:
        now = self._clock()
        if now - self._shown.get(sentence, float("-inf")) < QUIET_SECONDS:
            self._note(sentence)
            return
        self._shown[sentence] = now
        self._show(sentence)

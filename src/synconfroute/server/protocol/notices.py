"""Sentences for the user, each shown once."""

import asyncio
from collections.abc import Callable


class Notices:
    """Shows a sentence once, however often and from whichever thread it is said."""

    def __init__(self, show: Callable[[str], None]) -> None:
        """`show` is called in the event loop's thread."""
        self._show = show
        self._shown: set[str] = set()
        self._loop = asyncio.get_running_loop()

    def say(self, sentence: str) -> None:
        """Show it, unless it has been shown."""
        self._loop.call_soon_threadsafe(self._once, sentence)

    def _once(self, sentence: str) -> None:
        if sentence not in self._shown:
            self._shown.add(sentence)
            self._show(sentence)

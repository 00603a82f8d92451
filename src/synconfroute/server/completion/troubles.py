"""What the user is told of failures: once for each cause, until all was well again."""

import time
from collections.abc import Callable

QUIET_SECONDS = 300.0
"""Where a server fails in one way, further ways are not told for so long: one that dies fails in
several, one after the other. Nor is a cause told again sooner, though all was well in between."""


class Troubles:
    """Knows what the user has been told of each server."""

    def __init__(
        self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Nothing is wrong.

        Args:
            tell: shows a sentence to the user.
            clock: seconds.
        """
        self._tell = tell
        self._clock = clock
        self._told: dict[str, dict[str, float]] = {}
        self._ill: dict[str, set[str]] = {}

    def failed(self, who: str, cause: str, sentence: str) -> None:
        """Something failed; whoever failed so already since all was well is not told of again.

        Args:
            who: what failed, such as "org".
            cause: in which way.
            sentence: for the user.
        """
        causes, told = self._ill.setdefault(who, set()), self._told.setdefault(who, {})
        now = self._clock()
        if cause in causes:
            return
        recent = told.values() if causes else [told.get(cause, float("-inf"))]
        if any(now - at < QUIET_SECONDS for at in recent):
            return
        causes.add(cause)
        told[cause] = now
        self._tell(sentence)

    def well(self, who: str) -> None:
        """It works: what goes wrong from now on is told anew."""
        self._ill.pop(who, None)

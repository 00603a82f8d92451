"""How long an automatic request waits for the next key.

A model that begins to write between two keys is asked at each: the next key shows at once whether
what it writes is what is typed. If so the generation goes on for the newer place, else it ends
before much was written. One that begins later would read many prompts in vain, so the request waits
for a gap that is longer than the user's usual ones, and the more so the slower the model is.
"""

from collections import deque
from collections.abc import Callable
from statistics import median

_PAUSE_S = 1.0
"""A longer gap between two edits is no typing."""
_KEYS = 16
_ANSWERS = 8
_SLACK = 1.25
"""An answer that begins within so many gaps still does so between two keys: neither is regular."""
_FEWEST = 3
"""Before so many keys and one answer are known, nothing is waited for."""


class Debounce:
    """Measures the user's typing and the model's answers."""

    def __init__(self, most: float, clock: Callable[[], float]) -> None:
        """Wait at most `most` seconds by this clock, in seconds."""
        self._most = most
        self._clock = clock
        self._last_key: float | None = None
        self._gaps: deque[float] = deque(maxlen=_KEYS)
        self._answers: deque[float] = deque(maxlen=_ANSWERS)

    def typed(self) -> None:
        """A document was edited just now."""
        now = self._clock()
        if self._last_key is not None and now - self._last_key <= _PAUSE_S:
            self._gaps.append(now - self._last_key)
        self._last_key = now

    def answered(self, seconds: float) -> None:
        """The local model took so long to begin an answer."""
        self._answers.append(seconds)

    def wait(self) -> float:
        """Seconds to wait from now on, from 0 to the most; the time since the last key counts."""
        if len(self._gaps) < _FEWEST or not self._answers or self._last_key is None:
            return 0.0
        gap, answer = median(self._gaps), median(self._answers)
        if answer <= gap * _SLACK:
            return 0.0
        # From no wait, where an answer begins after about one gap, to two gaps for a slow model.
        whole = 2 * gap * (1 - gap * _SLACK / answer)
        return max(0.0, min(self._most, whole) - (self._clock() - self._last_key))

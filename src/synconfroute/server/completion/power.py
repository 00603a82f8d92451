"""Does the machine run on battery? Known without asking the system at the moment of need."""

import asyncio
import time
from collections.abc import Callable

HOLDS_S = 30.0
"""So long what was found counts as known, in seconds."""

ON_BATTERY = "On battery, completions come only when you ask for them."


def runs_on_battery() -> bool:
    """Ask the system. False where there is no battery, or the system does not say."""
    import psutil

    sensors = getattr(psutil, "sensors_battery", None)  # not on every platform
    try:
        battery = None if sensors is None else sensors()
    except (OSError, RuntimeError, NotImplementedError):
        return False
    return battery is not None and battery.power_plugged is False


class Power:
    """What is known of the machine's power. Belongs to the event loop's thread."""

    def __init__(
        self,
        look: Callable[[], bool] = runs_on_battery,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is known yet, which counts as power from the wall.

        Args:
            look: says whether the machine runs on battery; called in a thread.
            clock: seconds.
        """
        self._look = look
        self._clock = clock
        self._on_battery = False
        self._looked: float | None = None
        self._looking: asyncio.Task[None] | None = None

    @property
    def on_battery(self) -> bool:
        """What was found last; where that is old, it is looked again, beside everything else."""
        now = self._clock()
        if self._looked is None or now - self._looked >= HOLDS_S:
            self._looked = now
            self._looking = asyncio.ensure_future(self.look())
        return self._on_battery

    async def look(self) -> None:
        """Find out now. Raises nothing."""
        self._looked = self._clock()
        try:
            self._on_battery = await asyncio.to_thread(self._look)
        except Exception:
            self._on_battery = False

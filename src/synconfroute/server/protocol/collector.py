"""Python's collector of cycles, kept from looking again and again at what stays.

A full collection looks at every object of all sessions. With hundreds of sessions that takes tenths
of a second, in which none of them is answered, and it would come every few seconds. So once
sessions have begun, what there is then is set apart; when some have ended, all is looked at once.
"""

import asyncio
import gc

_QUIET_S = 5.0


class Collector:
    """Told when sessions begin and end. Belongs to one event loop."""

    def __init__(self, quiet_s: float = _QUIET_S) -> None:
        """Change nothing yet.

        Args:
            quiet_s: it acts when no session has begun or ended for so long, in seconds.
        """
        self._quiet = quiet_s
        self._ended = False
        self._due: asyncio.TimerHandle | None = None

    def begun(self) -> None:
        """A session has begun."""
        self._put_off()

    def ended(self) -> None:
        """A session has ended: what it held may have been set apart."""
        self._ended = True
        self._put_off()

    def close(self) -> None:
        """Leave everything to Python again."""
        if self._due is not None:
            self._due.cancel()
        gc.unfreeze()

    def _put_off(self) -> None:
        if self._due is not None:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(self._quiet, self._act)

    def _act(self) -> None:
        if self._ended:
            self._ended = False
            gc.unfreeze()
            gc.collect()
        else:
            gc.collect(1)
        gc.freeze()

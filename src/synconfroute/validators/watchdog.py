"""Ends this process when it has hung and no parent is left to kill it.

It needs no Python code to run: a parser may hold the interpreter for good.
"""

import sys

if sys.platform == "win32":
    import faulthandler

    class Watchdog:
        """A thread of C for each request."""

        def arm(self, seconds: float) -> None:
            """End the process after so many seconds, unless `disarm` comes first."""
            faulthandler.dump_traceback_later(seconds, exit=True)

        def disarm(self) -> None:
            """Let the process live."""
            faulthandler.cancel_dump_traceback_later()

else:
    import signal

    class Watchdog:
        """A timer of the system, whose signal ends the process."""

        def __init__(self) -> None:
            # Whoever started us may have had it ignored or blocked, and both are inherited.
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})

        def arm(self, seconds: float) -> None:
            """End the process after so many seconds, unless `disarm` comes first."""
            signal.setitimer(signal.ITIMER_REAL, seconds)

        def disarm(self) -> None:
            """Let the process live."""
            signal.setitimer(signal.ITIMER_REAL, 0)

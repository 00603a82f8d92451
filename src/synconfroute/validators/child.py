"""One parser process, seen from its parent: started, asked one thing at a time, killed."""

import contextlib
import itertools
import logging
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, cast

from synconfroute.validators.languages import GRAMMARS
from synconfroute.validators.wire import Garbled, receive, send

_log = logging.getLogger(__name__)
_START = "import sys; sys.path += sys.argv[2:];from {module} import main; main(int(sys.argv[1]))"
_LAST_WAIT_S = 5.0


class ChildFailed(Exception):
    """The process is gone or talks nonsense. Nothing is to be expected from it any more."""


def command(memory_limit: int, module: str = "synconfroute.validators.worker") -> list[str]:
    """The command that starts a parser process, or another one of ours.

    `-I -S`: no module comes from the working folder, the environment or the user's site; what the
    process imports are the standard library and the folders where this process found our packages.

    Args:
        memory_limit: bytes that the process may take.
        module: whose `main` is the process's life; it takes the limit.
    """
    # In a virtual environment on Windows sys.executable is a launcher: killing that would leave
    # the interpreter behind.
    interpreter = getattr(sys, "_base_executable", "") if sys.platform == "win32" else ""
    flags = ["-I", "-S", "-X", "utf8"]
    start = [interpreter or sys.executable, *flags, "-c", _START.format(module=module)]
    return [*start, str(memory_limit), *_folders()]


def _folders() -> list[str]:
    """Where our packages are imported from."""
    specs = (find_spec(name) for name in ("synconfroute", *GRAMMARS))
    return list(
        dict.fromkeys(
            str(Path(spec.origin).resolve().parent.parent)
            for spec in specs
            if spec is not None and spec.origin
        )
    )


class Child:
    """A running parser process."""

    def __init__(self, arguments: list[str]) -> None:
        """Start it.

        Raises:
            ChildFailed: it cannot be started.
        """
        try:
            self._process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Not the workspace: Windows looks for libraries in the working folder.
                cwd=Path(__file__).parent,
                env=_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise ChildFailed(str(error)) from error
        self._ids = itertools.count(1)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """It has not ended yet."""
        return self._process.poll() is None

    def resident_bytes(self) -> int:
        """Memory that it holds; 0 where it has ended."""
        import psutil

        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def ask(self, method: str, seconds: float, **fields: Any) -> dict[str, Any]:
        """Send a request and wait for the reply, for as long as it takes: `kill` ends the wait.

        Args:
            method: one of `worker`.
            seconds: the time it has. A second after it the process ends by itself, should nobody
                be left to kill it.
            fields: what the method wants.

        Raises:
            ChildFailed: the process ended, or its reply is none.
        """
        stdin, stdout = self._pipes()
        identity = next(self._ids)
        try:
            send(stdin, {"id": identity, "method": method, "seconds": seconds, **fields})
            reply = receive(stdout)
        except (OSError, ValueError, Garbled) as error:
            raise ChildFailed(type(error).__name__) from error
        if reply is None or reply.get("id") != identity:
            raise ChildFailed("no reply" if reply is None else "a reply to nothing asked")
        return reply

    def kill(self) -> None:
        """End it at once. Any thread may call this; a wait in `ask` ends too."""
        self._process.kill()

    def close(self) -> None:
        """End it, and free what it held. Not while `ask` waits."""
        stdin, stdout = self._pipes()
        self.kill()
        for pipe in (stdin, stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            self._process.wait(_LAST_WAIT_S)
        except subprocess.TimeoutExpired:
            _log.warning("parser process %d does not end", self.pid)

    def _pipes(self) -> tuple[BinaryIO, BinaryIO]:
        return cast(BinaryIO, self._process.stdin), cast(BinaryIO, self._process.stdout)


def _environment() -> dict[str, str]:
    """The environment without our own settings: keys are no business of a parser."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith("SYNCONFROUTE_")
    }

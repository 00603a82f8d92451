"""A server process spoken to in bytes, for what no client library would send."""

import contextlib
import json
import queue
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.e2e.editor import SECONDS, recorded_initialize


class Wire:
    """A server process: bytes in, messages out, each within the deadline."""

    def __init__(self, command: Sequence[str], env: dict[str, str], stderr: Path) -> None:
        self._errors = stderr.open("wb")
        self.process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._bodies: queue.Queue[bytes] = queue.Queue()
        self.stray: list[bytes] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self._errors.close()

    def send_bytes(self, data: bytes) -> None:
        """Send any bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: Any) -> None:
        """Send anything as the body of a message."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, name: int | str, method: str, params: Any) -> Any:
        """Send a request and return the message that answers it."""
        self.send({"jsonrpc": "2.0", "id": name, "method": method, "params": params})
        return self.answer(name)

    def answer(self, name: int | str) -> Any:
        """The message that answers a request; notifications before it are passed over."""
        while True:
            message = json.loads(self._bodies.get(timeout=SECONDS))
            if "method" not in message:
                assert message["id"] == name
                return message

    def initialize(self, **changes: Any) -> Any:
        """Start the session as VS Code does."""
        answer = self.ask("initialize", "initialize", {**recorded_initialize(), **changes})
        self.notify("initialized", {})
        return answer

    def wait(self) -> int:
        """The exit code, once the process has ended."""
        return self.process.wait(SECONDS)

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            if not line.startswith(b"Content-Length: "):
                self.stray.append(line)
                continue
            while stream.readline() not in {b"\r\n", b""}:
                pass
            self._bodies.put(stream.read(int(line.split()[1])))

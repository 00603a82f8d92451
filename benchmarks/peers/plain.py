"""A client without any product: it asks the model at each key, and hangs up on the request before.

What products do better than that is their own merit.
"""

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress

from benchmarks.model.ollama import MODEL
from benchmarks.peers.contestant import Contestant
from benchmarks.peers.servers import OVER_LSP
from benchmarks.peers.stage import Seat
from benchmarks.trace.typist import Editor, Part, Seen, first_line

NAME = "a plain client"
_MOST_TOKENS = 50
_OPTIONS = {"num_predict": _MOST_TOKENS}
_SECONDS = 20.0
_CLOSED = (OSError, http.client.HTTPException, ValueError, AttributeError)
"""What reading raises where another thread has closed the connection."""


def plain() -> Contestant:
    """Beside language servers: it knows of what is shown and typed what their editor does."""
    settings = f"one line, at most {_MOST_TOKENS} tokens; no wait, no memory"
    return Contestant(NAME, "", OVER_LSP, "ollama", settings, _opened)


class PlainEditor:
    """Types, and shows the first line that the model writes for the newest text."""

    def __init__(self, seat: Seat) -> None:
        """Nothing is asked before something is typed."""
        self._seat = seat
        self._typed = ""
        self._shown = ""
        self._seen: list[Seen] = []
        self._asked = 0
        self._connection: http.client.HTTPConnection | None = None
        self._lock = threading.RLock()

    def type(self, text: str) -> None:
        """Insert it, and ask. What is shown stays where it is typed along."""
        with self._lock:
            rest = self._shown.removeprefix(text)
            self._becomes(self._typed + text, rest if rest != self._shown else "")

    def erase(self) -> None:
        """Take the last character away, and ask."""
        with self._lock:
            self._becomes(self._typed[:-1], "")

    def take(self, shown: str, part: Part) -> None:
        """Insert it, and ask."""
        with self._lock:
            text = shown if part is Part.WHOLE else first_line(shown)
            self._becomes(self._typed + text, shown.removeprefix(text))

    def look(self) -> Sequence[Seen]:
        """What was shown since the last look."""
        with self._lock:
            seen, self._seen = self._seen, []
            return seen

    def left(self) -> str:
        """What was typed."""
        return self._typed

    def close(self) -> None:
        """Hang up."""
        with self._lock:
            self._asked += 1
            _hang_up(self._connection)

    def _becomes(self, typed: str, shown: str) -> None:
        self._typed = typed
        self._show(shown)
        self._asked += 1
        _hang_up(self._connection)
        port = self._seat.model.port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
        threading.Thread(
            target=self._ask, args=(self._asked, self._connection, typed), daemon=True
        ).start()

    def _ask(self, number: int, connection: http.client.HTTPConnection, typed: str) -> None:
        passage = self._seat.passage
        prompt = f"<|fim_prefix|>{passage.before}{typed}<|fim_suffix|>{passage.after}<|fim_middle|>"
        body = {"model": MODEL, "prompt": prompt, "raw": True, "options": _OPTIONS}
        text = ""
        # Another key closes the connection at any moment.
        with closing(connection), suppress(*_CLOSED):
            connection.request("POST", "/api/generate", json.dumps(body))
            with connection.getresponse() as answer:
                for line in answer:
                    text += json.loads(line)["response"]
                    if "\n" in text.lstrip("\n") or number != self._asked:
                        break
            with self._lock:
                if number == self._asked:
                    self._show(first_line(text))

    def _show(self, text: str) -> None:
        self._shown = text
        self._seen.append(Seen(time.monotonic(), self._typed, text))


def _hang_up(connection: http.client.HTTPConnection | None) -> None:
    if connection is not None and connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)


@contextmanager
def _opened(seat: Seat) -> Iterator[Editor]:
    editor = PlainEditor(seat)
    try:
        yield editor
    finally:
        editor.close()

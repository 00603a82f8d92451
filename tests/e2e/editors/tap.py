"""Stands between an editor and our server, passes everything on, and lets a test ask the server.

    python tap.py FOLDER SERVER…

FOLDER/tap.json then holds {"port", "pid"}: where a test may ask (one JSON request a line, its
result as the answer), and the server's process. FOLDER/faults holds every error that the server
answered with, but for cancelled requests.
"""

import contextlib
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

_OWN = "tap"
"""The id of a test's request; no editor uses it."""
_CANCELLED = (-32800, -32801, -32802)


class Tap:
    """One server process behind a tap."""

    def __init__(self, folder: Path, command: list[str]) -> None:
        """Start the server and say where a test may ask."""
        self._folder = folder
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._writing = threading.Lock()
        self._answers: SimpleQueue[Any] = SimpleQueue()
        self._listening = socket.create_server(("127.0.0.1", 0))
        place = {"port": self._listening.getsockname()[1], "pid": self._server.pid}
        fresh = folder / "tap.json.new"
        fresh.write_text(json.dumps(place))
        fresh.replace(folder / "tap.json")

    def run(self) -> int:
        """Pass everything on until the server ends. Returns its exit code."""
        for work in (self._from_editor, self._from_tests):
            threading.Thread(target=work, daemon=True).start()
        for body in _messages(self._server.stdout):
            message = json.loads(body)
            if message.get("id") == _OWN:
                self._answers.put(message)
                continue
            error = message.get("error")
            if error is not None and error["code"] not in _CANCELLED:
                with (self._folder / "faults").open("a", encoding="utf-8") as file:
                    file.write(f"{error}\n")
            _write(sys.stdout.buffer, body)
        return self._server.wait()

    def _from_editor(self) -> None:
        with contextlib.suppress(BrokenPipeError):  # the server was killed: `run` ends
            for body in _messages(sys.stdin.buffer):
                self._to_server(body)
            with self._writing:
                assert self._server.stdin is not None
                self._server.stdin.close()

    def _from_tests(self) -> None:
        while True:
            connection, _ = self._listening.accept()
            with connection, connection.makefile("rw", encoding="utf-8") as lines:
                for line in lines:
                    asked = {"jsonrpc": "2.0", "id": _OWN, **json.loads(line)}
                    self._to_server(json.dumps(asked).encode())
                    lines.write(json.dumps(self._answers.get()) + "\n")
                    lines.flush()

    def _to_server(self, body: bytes) -> None:
        with self._writing:
            _write(self._server.stdin, body)


def ask(folder: Path, command: str, *arguments: Any) -> Any:
    """What the server behind the tap of `folder` answers to a command.

    Raises:
        AssertionError: it answered with an error.
    """
    place = json.loads((folder / "tap.json").read_text())
    params = {"command": command, "arguments": arguments}
    asked = json.dumps({"method": "workspace/executeCommand", "params": params})
    with (
        socket.create_connection(("127.0.0.1", place["port"]), timeout=20) as connection,
        connection.makefile("rw", encoding="utf-8") as lines,
    ):
        lines.write(f"{asked}\n")
        lines.flush()
        answer = json.loads(lines.readline())
    assert "error" not in answer, answer
    return answer["result"]


def _messages(stream: IO[bytes] | None) -> Iterator[bytes]:
    assert stream is not None
    length = 0
    while line := stream.readline():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        elif not line.strip():
            yield stream.read(length)


def _write(stream: IO[bytes] | None, body: bytes) -> None:
    assert stream is not None
    stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    stream.flush()


if __name__ == "__main__":
    ended = Tap(Path(sys.argv[1]), sys.argv[2:]).run()
    sys.stdout.flush()
    os._exit(ended & 0xFF)  # a thread that waits for the editor must not be waited for, or complain

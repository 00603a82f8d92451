"""The processes that take part: a scripted model, and our server as an editor sees it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

_SECONDS = 20.0
_ROOT = Path(__file__).parents[1]


class ScriptedModel:
    """A running `benchmarks.scripted_model`."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._out = _out(process)
        self.port = int(self._out.readline())

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def moment(self) -> float:
        """When the next generation came, then when it ended: waits for it; monotonic seconds."""
        return float(self._out.readline())

    def generation(self) -> float:
        """How long the next generation took, in seconds; waits for its end."""
        came = self.moment()
        return self.moment() - came


class Session:
    """Our server as an editor sees it, over stdio."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        self._process = process
        self._in = process.stdin
        self._out = _out(process)
        self._count = 0

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def begin(self, method: str, params: Any) -> int:
        """Send a request; its id."""
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        return self._count

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for the message that answers it."""
        return self.answer(self.begin(method, params))

    def answer(self, name: int) -> Any:
        """The message that answers a request."""
        while True:
            message = self._receive()
            if message.get("id") == name:
                return message
            if message.get("method") == "window/showMessage":
                raise AssertionError(message["params"]["message"])

    def initialize(self, *, initialized: bool = True) -> None:
        """Start the session as a plain client does."""
        params: dict[str, Any] = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
        assert "result" in self.ask("initialize", params)
        if initialized:
            self.notify("initialized", {})

    def wait(self) -> None:
        """Wait until the server has ended."""
        self._process.wait(_SECONDS)

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._in.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._in.flush()

    def _receive(self) -> Any:
        length = 0
        while (line := self._out.readline()) != b"\r\n":
            if not line:
                raise AssertionError("the server has ended")
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
        return json.loads(self._out.read(length))


@contextmanager
def scripted_model(**options: float | bool) -> Iterator[ScriptedModel]:
    """Run a scripted model; options as those of `benchmarks.scripted_model`."""
    arguments = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        arguments += [flag] if value is True else [flag, str(value)]
    with _running([sys.executable, "-m", "benchmarks.scripted_model", *arguments]) as process:
        yield ScriptedModel(process)


@contextmanager
def session(
    *settings: str, program: str = "synconfroute", errors: IO[bytes] | None = None
) -> Iterator[Session]:
    """Run our server in an empty home, with these `section.key=value` settings.

    Args:
        settings: as of `--set`.
        program: the module that is the server.
        errors: where its stderr goes, if not to ours.
    """
    chosen = [argument for setting in settings for argument in ("--set", setting)]
    command = [sys.executable, "-m", program, "serve", *chosen, "--log-level", "error"]
    with _running(command, errors) as process:
        yield Session(process)


def seconds_to_first_line(command: list[str]) -> float:
    """From the start of a program to its first line on stdout, in seconds."""
    started = time.perf_counter()
    with _running(command) as process:
        _out(process).readline()
        return time.perf_counter() - started


@contextmanager
def _running(
    command: list[str], errors: IO[bytes] | None = None
) -> "Iterator[subprocess.Popen[bytes]]":
    with TemporaryDirectory() as home:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=_ROOT,
            env=_environment(home),
        )
        with process:
            try:
                yield process
            finally:
                process.kill()
                process.wait(_SECONDS)


def _environment(home: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("XDG_", "SYNCONFROUTE_", "OLLAMA_"))
    }
    homes = dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), home)
    return {**kept, **homes, "PYTHONPATH": str(_ROOT / "src")}


def _out(process: "subprocess.Popen[bytes]") -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout

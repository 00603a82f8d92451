"""The processes that take part: a scripted model, and our server as an editor sees it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryDirectory
from threading import Thread
from typing import IO, Any

import psutil

from benchmarks.model.record import Came, Generation, event_of
from benchmarks.model.script import Token

_SECONDS = 20.0
_ROOT = Path(__file__).parents[1]


class ScriptedModel:
    """A running `benchmarks.model`."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        out = _out(process)
        self.port = int(out.readline())
        self._came: Queue[Came] = Queue()
        self._over: Queue[Generation] = Queue()
        # Read at once: a model that waits for room on its stdout would write late.
        Thread(target=self._listen, args=(out,), daemon=True).start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def came(self) -> Came:
        """The next generation that is asked for; waits for it."""
        return self._came.get(timeout=_SECONDS)

    def generation(self) -> Generation:
        """The next generation that ends; waits for it."""
        return self._over.get(timeout=_SECONDS)

    def over(self) -> list[Generation]:
        """All generations that have ended and that nobody has asked for yet; waits for none."""
        found = []
        with suppress(Empty):
            while True:
                found.append(self._over.get_nowait())
        return found

    def _listen(self, out: IO[bytes]) -> None:
        with suppress(ValueError):  # closed while it was read
            for line in out:
                event = event_of(line)
                if isinstance(event, Came):
                    self._came.put(event)
                else:
                    self._over.put(event)


class Session:
    """Our server as an editor sees it, over stdio."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        self._process = process
        self._in = process.stdin
        self._out = _out(process)
        self._count = 0

    @property
    def pid(self) -> int:
        """The server's process."""
        return self._process.pid

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
def scripted_model(
    shape: str = "ollama",
    *,
    first_ms: float,
    next_ms: float,
    tokens: Sequence[Token] | None = None,
    endless: bool = False,
) -> Iterator[ScriptedModel]:
    """Run a scripted model.

    Args:
        shape: whose protocol, of `benchmarks.model.shapes`.
        first_ms: to the first token.
        next_ms: between tokens.
        tokens: what it writes; a sum if nothing is said.
        endless: again and again.
    """
    arguments = ["--shape", shape, "--first-ms", str(first_ms), "--next-ms", str(next_ms)]
    if tokens is not None:
        pairs = [(token.text, token.logprob) for token in tokens]
        arguments += ["--tokens", json.dumps(pairs)]
    if endless:
        arguments.append("--endless")
    with model_process([sys.executable, "-m", "benchmarks.model", *arguments]) as model:
        yield model


@contextmanager
def model_process(command: list[str]) -> Iterator[ScriptedModel]:
    """Run a program that says what `benchmarks.model` says on its stdout."""
    with _running(command) as process:
        yield ScriptedModel(process)


@contextmanager
def session(
    *settings: str,
    program: str = "synconfroute",
    errors: IO[bytes] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Session]:
    """Run our server in an empty home, with these `section.key=value` settings.

    Args:
        settings: as of `--set`.
        program: the module that is the server.
        errors: where its stderr goes, if not to ours.
        environment: variables beside those that it gets anyway.
    """
    chosen = [argument for setting in settings for argument in ("--set", setting)]
    command = [sys.executable, "-m", program, "serve", *chosen, "--log-level", "error"]
    with _running(command, errors, environment) as process:
        yield Session(process)


def processor_seconds(editor: Session) -> float:
    """What a session's server and its parser process have taken so far, in processor seconds."""
    server = psutil.Process(editor.pid)
    times = [each.cpu_times() for each in (server, *server.children(recursive=True))]
    return sum(each.user + each.system for each in times)


@contextmanager
def idle_process(code: str) -> Iterator[int]:
    """Run Python code in a process that stays until the block ends; its id."""
    waits = f"{code}\nimport sys\nprint(flush=True)\nsys.stdin.read()"
    with _running([sys.executable, "-c", waits]) as process:
        _out(process).readline()
        yield process.pid


def seconds_to_first_line(command: list[str]) -> float:
    """From the start of a program to its first line on stdout, in seconds."""
    started = time.perf_counter()
    with _running(command) as process:
        _out(process).readline()
        return time.perf_counter() - started


@contextmanager
def _running(
    command: list[str],
    errors: IO[bytes] | None = None,
    environment: Mapping[str, str] | None = None,
) -> "Iterator[subprocess.Popen[bytes]]":
    with TemporaryDirectory() as home:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=_ROOT,
            env={**_environment(home), **(environment or {})},
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
    return {**kept, **homes, "PYTHONPATH": str(_package())}


def _package() -> Path:
    """The folder of the package that is measured: the one that this process would import."""
    found = find_spec("synconfroute")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parents[1]


def _out(process: "subprocess.Popen[bytes]") -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout

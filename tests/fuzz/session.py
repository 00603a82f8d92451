"""One server process, and everything that it says, looked at."""

import contextlib
import json
import queue
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psutil

from tests.e2e.editor import recorded_initialize
from tests.fuzz.damage import framed, written
from tests.fuzz.script import Batch
from tests.soak.processes import family, resident

SERVER = (sys.executable, "-m", "synconfroute", "serve", "--log-level", "error")
INTERNAL_ERROR = -32603
_OURS = re.compile(r"k?\d+(-\d+)?|begin|end")
"""Ids of requests that were made once; a bit that is turned over makes one `v…` of another."""
GONE_S = 10.0
"""The longest that the end of a server may take with all that it started, on a busy machine."""


class Fault(Exception):
    """What must not happen.

    Attributes:
        kind: "crash", "hang" or "lost".
    """

    def __init__(self, kind: str, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class Session:
    """A server process, spoken to in batches."""

    def __init__(self, env: dict[str, str], folder: Path, seconds: float) -> None:
        """Start it.

        Args:
            env: its environment.
            folder: where its log lies.
            seconds: the longest that it may take to answer a batch.
        """
        self._folder = folder
        self._log = folder / "server.log"
        self._errors = (folder / "stderr").open("wb")
        self._seconds = seconds
        self.process = subprocess.Popen(
            [*SERVER, "--log-file", str(self._log)],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self._outgoing: queue.Queue[bytes | None] = queue.Queue()
        self._changed = threading.Condition()
        self._answers: dict[str, Any] = {}
        self._faults: list[Fault] = []
        self._ended = False
        self.answered = 0
        self._threads = [
            threading.Thread(target=life, daemon=True) for life in (self._read, self._write)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for process in family(self.process.pid):
            with contextlib.suppress(psutil.Error):
                process.kill()
        self.process.wait()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._errors.close()

    def begin(self, options: dict[str, Any], changes: dict[str, Any]) -> None:
        """The editor's first words, beside what VS Code says."""
        params = {**recorded_initialize(), "initializationOptions": options, **changes}
        message = {"jsonrpc": "2.0", "id": "begin", "method": "initialize", "params": params}
        hello = Batch([framed(written(message))], {"begin"})
        self.say(hello)
        self.send(framed(written({"jsonrpc": "2.0", "method": "initialized", "params": {}})))

    def send(self, data: bytes) -> None:
        """Send bytes, some time soon."""
        self._outgoing.put(data)

    def say(self, batch: Batch) -> None:
        """Send a batch; return when every request of it is answered, and every text is right.

        Raises:
            Fault: one is not, or something that must not happen did.
        """
        self.send(b"".join(batch.pieces))
        deadline = time.monotonic() + self._seconds
        with self._changed:
            while not batch.asked <= self._answers.keys():
                left = deadline - time.monotonic()
                if self._ended:
                    self._fail("crash", f"the server has ended: {self._last_words()}")
                if left <= 0 or self._faults:
                    missing = sorted(batch.asked - self._answers.keys())
                    self._fail("hang", f"{len(missing)} requests are not answered: {missing[:5]}")
                self._changed.wait(min(left, 1.0))
            answers = {each: self._answers.pop(each) for each in batch.asked}
        self._fail_if_seen()
        for identity, due in batch.digests.items():
            held = answers[identity].get("result")
            if held != due:
                raise Fault("lost", f"the server holds {held} where the editor shows {due}")

    def memory(self) -> int:
        """Bytes that the server and its children hold."""
        return resident(self.process.pid)

    def end(self, way: str) -> float:
        """End the session; return how many seconds passed until all its processes were gone.

        Args:
            way: "shutdown", "exit" or "stdin".

        Raises:
            Fault: they do not go, or with another exit code, or the log holds an error.
        """
        children = family(self.process.pid)[1:]
        if way == "shutdown":
            message = {"jsonrpc": "2.0", "id": "end", "method": "shutdown"}
            self.say(Batch([framed(written(message))], {"end"}))
        began = time.monotonic()
        if way != "stdin":
            self.send(framed(written({"jsonrpc": "2.0", "method": "exit"})))
        self._outgoing.put(None)
        try:
            code = self.process.wait(GONE_S)
        except subprocess.TimeoutExpired:
            raise Fault("hang", f"the process does not end after {way}") from None
        _, alive = psutil.wait_procs(children, GONE_S)
        took = time.monotonic() - began
        if alive:
            raise Fault("hang", f"{len(alive)} processes outlive the session")
        if code != (0 if way == "shutdown" else 1):
            raise Fault("crash", f"the exit code is {code} after {way}")
        self._threads[0].join()
        self._fail_if_seen()
        return took

    def _fail_if_seen(self) -> None:
        with self._changed:
            if self._faults:
                raise self._faults[0]
        if self._log.exists() and self._log.stat().st_size:
            first = self._log.read_text(encoding="utf-8").splitlines()[0]
            raise Fault("crash", f"the log says: {first}")

    def _last_words(self) -> str:
        return (self._folder / "stderr").read_text("utf-8", "replace")[-300:]

    def _fail(self, kind: str, sentence: str) -> None:
        if self._faults:
            raise self._faults[0]
        raise Fault(kind, sentence)

    def _write(self) -> None:
        stream = self.process.stdin
        assert stream is not None
        with contextlib.suppress(OSError):
            while (data := self._outgoing.get()) is not None:
                stream.write(data)
                stream.flush()
        with contextlib.suppress(OSError):
            stream.close()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            if not line.startswith(b"Content-Length: "):
                self._note(Fault("crash", f"stdout holds {line[:80]!r}"))
                continue
            while stream.readline() not in {b"\r\n", b""}:
                pass
            body = stream.read(int(line.split()[1]))
            try:
                self._take(json.loads(body))
            except (ValueError, KeyError, TypeError) as error:
                self._note(Fault("crash", f"a message of the server's makes no sense: {error!r}"))
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        if message["jsonrpc"] != "2.0":
            raise ValueError("jsonrpc")
        if "method" in message:
            if "id" in message:
                nothing = [None] if message["method"] == "workspace/configuration" else None
                answer = {"jsonrpc": "2.0", "id": message["id"], "result": nothing}
                self.send(framed(written(answer)))
            return
        identity = message["id"]
        code = message.get("error", {}).get("code")
        if code == INTERNAL_ERROR:
            self._note(Fault("crash", f"request {identity!r} failed inside the server"))
        with self._changed:
            self.answered += 1
            if identity in self._answers and _OURS.fullmatch(str(identity)):
                self._faults.append(Fault("crash", f"request {identity!r} is answered twice"))
            if isinstance(identity, str):
                self._answers[identity] = message
            self._changed.notify_all()

    def _note(self, fault: Fault) -> None:
        with self._changed:
            self._faults.append(fault)
            self._changed.notify_all()

"""A model server for the commands' tests: real sockets, answers like vLLM or an empty Ollama."""

import json
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class ModelServer:
    """What it is, and what it was asked.

    Attributes:
        text: the answer to every completion.
        drawn: the answers to completions that are drawn by a seed, in this order.
        logprob: of every token of it.
        key: the bearer key that it wants, or "".
        models: what the empty Ollama has; a pull adds to it.
        redirect: where completions are sent on to, or "".
        held: after so many tokens a completion waits for `go_on`; None: it never waits.
        waiting: the threads whose completions wait for it now.
        hung_up: how many completions were closed by the other side while they waited.
        traces: the traceparent header of each completion, "" of one without.
    """

    text: str = "a + b\n"
    drawn: list[str] = field(default_factory=list)
    logprob: float = -0.01
    key: str = ""
    redirect: str = ""
    models: list[str] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    held: int | None = None
    go_on: threading.Event = field(default_factory=threading.Event)
    waiting: set[int] = field(default_factory=set)
    hung_up: int = 0
    traces: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        """The base address of its OpenAI-compatible side."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def root(self) -> str:
        """The address of its Ollama side."""
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def serving(server: ModelServer) -> Iterator[ModelServer]:
    """Run it on a free port of this machine."""

    class Handler(_Handler):
        model = server

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.port = http.server_address[1]
        thread = threading.Thread(target=http.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    model: ModelServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _answer(self, body: dict[str, Any]) -> None:
        self.model.asked.append((self.command, self.path))
        self.model.bodies.append(body)
        key = self.model.key
        if self.path.startswith("/v1") and key and self.headers["Authorization"] != f"Bearer {key}":
            self._send(401, {"error": "Unauthorized"})
            return
        if self.command == "POST" and self.model.redirect:
            self.send_response(307)
            self.send_header("Location", self.model.redirect)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        match self.path:
            case "/v1/models":
                entry = {"id": "qwen2.5-coder", "owned_by": "vllm", "max_model_len": 4096}
                self._send(200, {"object": "list", "data": [entry]})
            case "/version":
                self._send(200, {"version": "0.32.0"})
            case "/v1/completions":
                self.model.traces.append(self.headers.get("traceparent", ""))
                drawn = self.model.drawn if "seed" in body else []
                self._stream(drawn.pop(0) if drawn else self.model.text)
            case "/api/version":
                self._send(200, {"version": "0.33.0"})
            case "/api/tags":
                self._send(200, {"models": [{"name": name} for name in self.model.models]})
            case "/api/ps":
                self._send(200, {"models": []})
            case "/api/pull":
                self.model.models.append(body["model"])
                self._send(200, {"status": "success"})
            case _:
                self._send(404, {"error": "not found"})

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        self._write(status, "application/json", json.dumps(answer).encode() + b"\n")

    def _stream(self, text: str) -> None:
        events = [
            {
                "model": "qwen2.5-coder",
                "choices": [
                    {
                        "index": 0,
                        "text": piece,
                        "logprobs": {"tokens": [piece], "token_logprobs": [self.model.logprob]},
                        "finish_reason": None,
                    }
                ],
            }
            for piece in text
        ]
        last = {"choices": [{"index": 0, "text": "", "finish_reason": "stop"}]}
        lines = [f"data: {json.dumps(event)}\n\n".encode() for event in [*events, last]]
        lines.append(b"data: [DONE]\n\n")
        self._head(200, "text/event-stream", sum(map(len, lines)))
        held = len(lines) if self.model.held is None else self.model.held
        self.wfile.write(b"".join(lines[:held]))
        if held < len(lines):
            self.model.waiting.add(threading.get_ident())
            may_go_on = self._may_go_on()
            self.model.waiting.discard(threading.get_ident())
            if not may_go_on:
                return
        self.wfile.write(b"".join(lines[held:]))

    def _may_go_on(self) -> bool:
        """Wait; False if the other side has hung up."""
        while not self.model.go_on.wait(0.005):
            readable, _, _ = select.select([self.connection], [], [], 0)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                self.model.hung_up += 1
                self.close_connection = True
                return False
        return True

    def _write(self, status: int, kind: str, content: bytes) -> None:
        self._head(status, kind, len(content))
        self.wfile.write(content)

    def _head(self, status: int, kind: str, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        self.end_headers()

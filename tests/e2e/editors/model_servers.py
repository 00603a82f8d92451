"""Scripted models behind real HTTP: one as Ollama serves it, one as vLLM does.

Each runs in a thread of the test's process and counts what it is asked and what is hung up.
"""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any, Protocol

from tests.e2e.editors.script import Script, left_of

SECONDS = 20.0
"""Starting and ending a server takes less."""

LOCAL_MODEL = "qwen2.5-coder:1.5b"
ORG_MODEL = "Qwen/Qwen2.5-Coder-7B"

Token = tuple[str, float]

_OLLAMA_REPLIES: dict[str, Any] = {
    "/api/version": {"version": "0.33.0"},
    "/api/tags": {"models": [{"name": LOCAL_MODEL, "model": LOCAL_MODEL}]},
    "/api/ps": {"models": [{"name": LOCAL_MODEL, "model": LOCAL_MODEL, "size_vram": 0}]},
    "/api/show": {
        "details": {"family": "qwen2"},
        "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32768},
        "capabilities": ["completion", "insert"],
        "template": "<|fim_prefix|>{{ .Prompt }}<|fim_suffix|>{{ .Suffix }}<|fim_middle|>",
    },
}
_VLLM_REPLIES: dict[str, Any] = {
    "/version": {"version": "0.32.0"},
    "/v1/models": {
        "object": "list",
        "data": [
            {
                "id": ORG_MODEL,
                "object": "model",
                "owned_by": "vllm",
                "root": ORG_MODEL,
                "max_model_len": 8192,
            }
        ],
    },
}


class Dialect(Protocol):
    """How a kind of server speaks."""

    completes: str
    """The path of completions."""
    media_type: str

    def reply(self, path: str) -> Any:
        """The body for any other path; None: there is no such path."""
        ...

    def chunks(self, tokens: list[Token]) -> Iterator[bytes]:
        """The body of a streamed answer, in pieces."""
        ...


class Ollama:
    """Ollama 0.33 with one code model."""

    completes = "/api/generate"
    media_type = "application/x-ndjson"

    def reply(self, path: str) -> Any:
        """What Ollama says of itself and of the model."""
        return _OLLAMA_REPLIES.get(path)

    def chunks(self, tokens: list[Token]) -> Iterator[bytes]:
        """One JSON object a token, and the closing one."""
        for text, logprob in tokens:
            scored = [{"token": text, "logprob": logprob, "bytes": list(text.encode())}]
            yield self._line(response=text, done=False, logprobs=scored)
        yield self._line(response="", done=True, done_reason="stop", eval_count=len(tokens))

    def _line(self, **members: Any) -> bytes:
        return json.dumps({"model": LOCAL_MODEL, **members}).encode() + b"\n"


class Vllm:
    """vLLM 0.32 with one code model."""

    completes = "/v1/completions"
    media_type = "text/event-stream"

    def reply(self, path: str) -> Any:
        """What vLLM says of itself and of the model."""
        return _VLLM_REPLIES.get(path)

    def chunks(self, tokens: list[Token]) -> Iterator[bytes]:
        """One event a token, the reason it ended, the usage, and the closing event."""
        for index, (text, logprob) in enumerate(tokens):
            scored = {"tokens": [text], "token_logprobs": [logprob]}
            reason = "stop" if index == len(tokens) - 1 else None
            yield self._event(
                choices=[{"index": 0, "text": text, "logprobs": scored, "finish_reason": reason}]
            )
        yield self._event(choices=[], usage={"completion_tokens": len(tokens), "prompt_tokens": 9})
        yield b"data: [DONE]\n\n"

    def _event(self, **members: Any) -> bytes:
        return b"data: " + json.dumps({"model": ORG_MODEL, **members}).encode() + b"\n\n"


class ModelServer:
    """One scripted model behind HTTP on loopback.

    Attributes:
        script: what it writes; tests may change it at any time.
        delay: seconds from a request to its answer; tests may change it at any time.
        asked: what stood left of the cursor, of each request for a completion so far.
        hung_up: how many requests were closed by the client before the answer was whole.
        port: where it listens, once started.
    """

    def __init__(self, dialect: Dialect, script: Script, delay: float) -> None:
        """Nothing listens before `serving`."""
        self._dialect = dialect
        self.script = script
        self.delay = delay
        self.asked: list[str] = []
        self.hung_up = 0
        self.port = 0

    @property
    def address(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.port}"

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests until it is closed, or `serving` ends it."""
        # Python 3.11 logs an error for each connection that ends cancelled.
        ends = (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError)
        with suppress(*ends), closing(writer):
            while line := await reader.readline():
                path = line.split()[1].decode()
                body = await _body(reader)
                if path == self._dialect.completes:
                    await self._complete(json.loads(body)["prompt"], reader, writer)
                else:
                    _reply(writer, self._dialect.reply(path))
                await writer.drain()

    async def _complete(
        self, prompt: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.asked.append(left_of(prompt))
        closed = asyncio.ensure_future(reader.read(1))  # a client sends nothing while it reads
        writing = asyncio.ensure_future(self._write(prompt, writer))
        try:
            await asyncio.wait({closed, writing}, return_when=asyncio.FIRST_COMPLETED)
            whole = writing.done() and writing.exception() is None
        finally:
            writing.cancel()
            closed.cancel()
            await asyncio.wait({closed, writing})
        if not whole:
            self.hung_up += 1
            raise ConnectionResetError

    async def _write(self, prompt: str, writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\n\r\n"
            % self._dialect.media_type.encode()
        )
        await asyncio.sleep(self.delay)
        for chunk in self._dialect.chunks(self.script.tokens(prompt)):
            writer.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            await writer.drain()
        writer.write(b"0\r\n\r\n")
        await writer.drain()


@contextmanager
def serving(server: ModelServer) -> Iterator[ModelServer]:
    """Run a server until the block ends; its connections are closed then."""
    started = threading.Event()
    ending: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def serve() -> None:
        end = asyncio.Event()
        ending.append((asyncio.get_running_loop(), end))
        listening = await asyncio.start_server(server.connection, "127.0.0.1", server.port)
        server.port = listening.sockets[0].getsockname()[1]
        started.set()
        await end.wait()
        listening.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), daemon=True)
    thread.start()
    assert started.wait(SECONDS)
    try:
        yield server
    finally:
        loop, end = ending[0]
        loop.call_soon_threadsafe(end.set)
        thread.join(SECONDS)


async def _body(reader: asyncio.StreamReader) -> bytes:
    length = 0
    while (line := await reader.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return await reader.readexactly(length)


def _reply(writer: asyncio.StreamWriter, body: Any) -> None:
    data = json.dumps(body).encode()
    writer.write(
        b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        % (b"404 Not Found" if body is None else b"200 OK", len(data), data)
    )

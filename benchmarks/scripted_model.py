"""A model server with a model of fixed speed, in Ollama's protocol; a process of its own.

Its first line on stdout is its port. After that, two numbers for each generation, a line each: when
it came and when it ended, in seconds of the machine's monotonic clock.
"""

import argparse
import asyncio
import json
import sys
import time
from dataclasses import dataclass
from typing import Any

MODEL = "qwen2.5-coder:1.5b"
TOKENS = ("total", " =", " alpha", " +", " beta", "")

_REPLIES: dict[str, Any] = {
    "/api/version": {"version": "0.33.0"},
    "/api/tags": {"models": [{"name": MODEL, "model": MODEL}]},
    "/api/ps": {"models": [{"name": MODEL, "model": MODEL, "size": 1, "size_vram": 0}]},
    "/api/show": {
        "details": {"family": "qwen2"},
        "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32768},
        "capabilities": ["completion", "insert"],
        "template": "<|fim_prefix|>{{ .Prompt }}<|fim_suffix|>{{ .Suffix }}<|fim_middle|>",
    },
}


@dataclass(frozen=True)
class Speed:
    """How fast the model is.

    Attributes:
        first: seconds to the first token.
        next: seconds between tokens.
        endless: it never ends by itself.
    """

    first: float
    next: float
    endless: bool


class Model:
    """Answers connections."""

    def __init__(self, speed: Speed) -> None:
        self._speed = speed

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection's requests until it is closed."""
        try:
            while line := await reader.readline():
                path = line.split()[1].decode()
                await self._body(reader)
                if path == "/api/generate":
                    await self._generate(reader, writer)
                else:
                    _reply(writer, _REPLIES[path])
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _body(self, reader: asyncio.StreamReader) -> bytes:
        length = 0
        while (line := await reader.readline()).strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return await reader.readexactly(length)

    async def _generate(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came = time.monotonic()
        print(came, flush=True)
        closed = asyncio.ensure_future(reader.read(1))  # a client sends nothing while it reads
        writing = asyncio.ensure_future(self._write(writer, came))
        await asyncio.wait({closed, writing}, return_when=asyncio.FIRST_COMPLETED)
        print(time.monotonic(), flush=True)
        whole = writing.done() and writing.exception() is None
        writing.cancel()
        closed.cancel()
        await asyncio.wait({closed, writing})
        if not whole:
            raise ConnectionResetError

    async def _write(self, writer: asyncio.StreamWriter, came: float) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        due = came + self._speed.first
        index = 0
        while self._speed.endless or index < len(TOKENS):
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due += self._speed.next
            last = index == len(TOKENS) - 1 and not self._speed.endless
            _chunk(writer, _token(TOKENS[index % (len(TOKENS) - 1)] if not last else "", last))
            await writer.drain()
            index += 1
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def _token(text: str, last: bool) -> dict[str, Any]:
    token: dict[str, Any] = {"model": MODEL, "response": text, "done": last}
    if last:
        token |= {"done_reason": "stop", "eval_count": len(TOKENS) - 1, "prompt_eval_count": 9}
    else:
        token["logprobs"] = [{"token": text, "logprob": -0.01, "bytes": list(text.encode())}]
    return token


def _chunk(writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
    data = json.dumps(body).encode() + b"\n"
    writer.write(b"%x\r\n%s\r\n" % (len(data), data))


def _reply(writer: asyncio.StreamWriter, body: dict[str, Any]) -> None:
    data = json.dumps(body).encode()
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
        % (len(data), data)
    )


async def _serve(speed: Speed) -> None:
    server = await asyncio.start_server(Model(speed), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    # Whoever started us holds our stdin; when it is gone, so are we.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def _speed() -> Speed:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first-ms", type=float, default=50)
    parser.add_argument("--next-ms", type=float, default=5)
    parser.add_argument("--endless", action="store_true")
    options = parser.parse_args()
    return Speed(options.first_ms / 1000, options.next_ms / 1000, options.endless)


if __name__ == "__main__":
    asyncio.run(_serve(_speed()))

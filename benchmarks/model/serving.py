"""Serves a script at a pace in a shape."""

import asyncio
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count

from benchmarks.model.http import STREAM_END, Reply, Request, Requests, chunk, stream_head
from benchmarks.model.pace import Pace
from benchmarks.model.record import Came, Generation, line_of
from benchmarks.model.script import Asked, Script, Token
from benchmarks.model.shape import Shape

Tell = Callable[[Came | Generation], None]
_Write = Callable[[bytes], None]
_THIRD = 3


class Model:
    """What all connections of a server share."""

    def __init__(self, shape: Shape, script: Script, pace: Pace, tell: Tell) -> None:
        """`tell` is called when a generation comes, and when it is over."""
        self.shape = shape
        self.script = script
        self.pace = pace
        self.tell = tell
        self.numbers = count(1)


class _Run:
    """One generation, from its request to its end."""

    def __init__(self, model: Model, request: Request, asked: Asked, write: _Write) -> None:
        self._model = model
        self._asked = asked
        self._write = write
        self._request = request.headers.get("x-request-id", "")
        self._sent = len(request.body)
        self._number = next(model.numbers)
        self._came = time.monotonic()
        self._moments: list[float] = []
        self._tokens: list[Token] = []
        self._text = ""
        self._script: Iterator[Token] = model.script.answer(asked)
        self._writing = model.shape.begin(asked)
        model.tell(Came(self._number, self._came))
        if asked.stream:
            write(stream_head(model.shape.kind))

    def step(self) -> bool:
        """Write the next token; False when the answer is whole."""
        token = next(self._script, None)
        reason = "stop" if token is None else self._add(token)
        now = time.monotonic()
        if token is not None and len(self._moments) < _THIRD:
            self._moments.append(now)
        if self._asked.stream:
            event = chunk(self._writing.event(self._tokens[-1] if token else None, reason))
            self._write(event if reason is None else event + STREAM_END)
        elif reason is not None:
            self._write(Reply(self._writing.whole(self._tokens, reason)).encoded())
        if reason is None:
            return True
        self.end(whole=True, at=now)
        return False

    def end(self, *, whole: bool, at: float) -> None:
        """Say what came of it."""
        first = self._moments[0] if self._moments else None
        third = self._moments[_THIRD - 1] if len(self._moments) == _THIRD else None
        self._model.tell(
            Generation(
                self._number, self._came, first, third, at,
                len(self._tokens), self._text, whole, self._request, self._sent,
            )
        )  # fmt: skip

    def _add(self, token: Token) -> str | None:
        """Take a token, and say why it is the last one, if it is."""
        text = self._text + token.text
        found = [at for at in map(text.find, self._asked.stop) if at >= 0]
        if found:
            token = Token(text[len(self._text) : max(min(found), len(self._text))], token.logprob)
        self._tokens.append(token)
        self._text += token.text
        if found:
            return "stop"
        return "length" if len(self._tokens) == self._asked.most else None


class _Connection(asyncio.Protocol):
    """One connection; its requests are answered one after the other."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._requests = Requests()
        self._transport: asyncio.Transport | None = None
        self._run: _Run | None = None
        self._stop: Callable[[], None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer what is whole."""
        self._requests.feed(data)
        if self._run is None:
            self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up what is being generated."""
        if self._run is not None and self._stop is not None:
            self._stop()
            self._run.end(whole=False, at=time.monotonic())
            self._run = None

    def _go_on(self) -> None:
        while self._run is None and (request := self._requests.next()) is not None:
            asked = self._model.shape.asked(request)
            if asked is None:
                self._write(self._model.shape.reply(request).encoded())
            else:
                self._run = _Run(self._model, request, asked, self._write)
                self._stop = self._model.pace.begin(self._step, asked)

    def _step(self) -> bool:
        assert self._run is not None
        if self._run.step():
            return True
        self._run = None
        self._go_on()
        return False

    def _write(self, data: bytes) -> None:
        assert self._transport is not None
        self._transport.write(data)


async def listen(model: Model, port: int = 0) -> asyncio.Server:
    """Serve on loopback.

    Args:
        model: what is served.
        port: 0 for any that is free.
    """
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _Connection(model), "127.0.0.1", port, backlog=512)


async def serve(shape: Shape, script: Script, pace: Pace, port: int = 0) -> None:
    """Be a process: the first line on stdout is the port, then comes a line an event.

    Ends when stdin does, since whoever started it holds that.
    """

    def tell(event: Came | Generation) -> None:
        print(line_of(event), flush=True)

    server = await listen(Model(shape, script, pace, tell), port)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()

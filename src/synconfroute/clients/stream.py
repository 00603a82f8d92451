"""The tokens of one HTTP answer, as they arrive."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from types import AsyncGeneratorType, TracebackType
from typing import TYPE_CHECKING, Protocol, Self, cast

from synconfroute.clients.faults import Peer, from_transport
from synconfroute.clients.lines import LineSplitter, LineTooLong
from synconfroute.clients.model import Finish, Token
from synconfroute.errors import BadAnswer, ModelServerError

if TYPE_CHECKING:
    import httpx

# After its last line a server ends the answer at once. Waiting this long for that keeps the
# connection for the next request; a server that does not end it is hung up on.
_LAST_BYTES_SECONDS = 0.05


def body_of(response: "httpx.Response") -> AsyncGeneratorType[bytes, None]:
    """The response's body as it arrives; httpx promises an iterator and returns a generator."""
    return cast("AsyncGeneratorType[bytes, None]", response.aiter_bytes())


class AnswerReader(Protocol):
    """Turns the lines of one answer into tokens. Knows a server's format, not its connection."""

    @property
    def finish(self) -> Finish | None:
        """How the answer ended, once its last line was read."""
        ...

    def read(self, line: bytes) -> list[Token]:
        """The tokens that this line brings.

        Raises:
            ModelServerError: the line is an error, or not the protocol.
        """
        ...

    def end(self) -> list[Token]:
        """The tokens still held back when the answer ends without a last line.

        Raises:
            ModelServerError: the answer is not complete.
        """
        ...


class AnswerStream:
    """A `TokenStream` over an HTTP response."""

    def __init__(self, response: "httpx.Response", reader: AnswerReader, peer: Peer) -> None:
        """Tokens of `response`, as `reader` makes them out; `peer` is named in errors."""
        self._response = response
        self._reader = reader
        self._peer = peer
        self._chunks = body_of(response)
        self._lines = LineSplitter()
        self._ready: deque[Token] = deque()
        self._failure: ModelServerError | None = None
        self._over = False
        self._cut = False
        self._closing: asyncio.Task[None] | None = None

    @property
    def finish(self) -> Finish | None:
        """How it ended by itself; None while it runs and when it was closed early."""
        return None if self._ready or self._cut or not self._over else self._reader.finish

    def __aiter__(self) -> AsyncIterator[Token]:
        return self

    async def __anext__(self) -> Token:
        while not self._ready:
            if self._closing is not None:
                raise StopAsyncIteration
            if self._failure is not None:
                await self._hang_up()
                raise self._failure
            if self._over:
                await self._settle()
                raise StopAsyncIteration
            await self._advance()
        return self._ready.popleft()

    async def aclose(self) -> None:
        """Close the connection at once, which cancels. Safe to call twice and from any task."""
        if self._ready or not self._over:
            self._cut = True
            self._ready.clear()
        await self._hang_up()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _advance(self) -> None:
        """Wait for the next bytes and take tokens, the end, or a fault from them."""
        import httpx

        try:
            chunk = await anext(self._chunks, None)
        except (httpx.HTTPError, httpx.StreamError) as error:
            if self._closing is None:
                self._failure = from_transport(error, self._peer)
            return
        try:
            self._take(chunk)
        except LineTooLong:
            self._failure = BadAnswer(
                f"{self._peer} sent a line of more than 4 MB, which no model server does:"
                " check the address."
            )
        except ModelServerError as error:
            self._failure = error

    def _take(self, chunk: bytes | None) -> None:
        """Read the lines that `chunk` completes; None is the end of the answer."""
        if chunk is None:
            if rest := self._lines.rest().strip():
                self._ready.extend(self._reader.read(rest))
            if self._reader.finish is None:
                self._ready.extend(self._reader.end())
            self._over = True
            return
        for line in self._lines.feed(chunk):
            self._ready.extend(self._reader.read(line))
            if self._reader.finish is not None:
                self._over = True
                return

    async def _settle(self) -> None:
        """Read the answer's closing bytes, so that the connection can be used again."""
        import httpx

        with suppress(TimeoutError, httpx.HTTPError, httpx.StreamError):
            async with asyncio.timeout(_LAST_BYTES_SECONDS):
                async for _ in self._chunks:
                    pass
        await self._hang_up()

    async def _hang_up(self) -> None:
        if self._closing is None:
            # A task of its own: a caller that is itself being cancelled still hangs up.
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._response.aclose()
        if not self._chunks.ag_running:
            await self._chunks.aclose()

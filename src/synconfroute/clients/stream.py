"""The tokens of one HTTP answer, as they arrive."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from types import AsyncGeneratorType, TracebackType
from typing import TYPE_CHECKING, Protocol, Self, cast

from synconfroute.clients.faults import Peer, from_transport, incomplete
from synconfroute.clients.lines import HalfLine, LineSplitter, LineTooLong
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


async def lines_of(response: "httpx.Response", peer: Peer) -> AsyncGenerator[bytes]:
    """The lines of the response's body as they arrive, then what stands after the last line feed.

    Raises:
        ServerUnreachable: the connection broke.
        BadAnswer: a line is endless, or the body cannot be decoded.
    """
    import httpx

    splitter = LineSplitter()
    try:
        async with aclosing(body_of(response)) as chunks:
            async for chunk in chunks:
                for line in splitter.feed(chunk):
                    yield line
    except (httpx.HTTPError, httpx.StreamError) as error:
        raise from_transport(error, peer) from None
    except LineTooLong:
        raise BadAnswer(
            f"{peer} sent a line of more than 4 MB, which no model server does: check the address."
        ) from None
    if rest := splitter.rest():
        yield HalfLine(rest)


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
        """The tokens still held back when the answer ends; sets `finish` if it is complete.

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
        self._lines = cast("AsyncGeneratorType[bytes, None]", lines_of(response, peer))
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
                # Who waits for the text need not wait for this.
                self._closing = asyncio.ensure_future(self._settle())
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
        """Wait for the next line and take tokens, the end, or a fault from it."""
        line: bytes | None = None
        try:
            line = await anext(self._lines, None)
            if line is not None:
                self._ready.extend(self._reader.read(line))
            else:
                self._ready.extend(self._reader.end())
            self._over = line is None or self._reader.finish is not None
        except ModelServerError as error:
            self._failure = error
            if isinstance(line, HalfLine) and line.startswith((b"data:", b"{")):
                self._failure = incomplete(self._peer)
        except asyncio.CancelledError:
            # The connection went with the wait; what was generated since can never be read.
            self._closing = asyncio.ensure_future(self._close())
            raise

    async def _settle(self) -> None:
        """Read the answer's closing bytes, so that the connection can be used again."""
        with suppress(TimeoutError, ModelServerError):
            async with asyncio.timeout(_LAST_BYTES_SECONDS):
                async for _ in self._lines:
                    pass
        await self._close()

    async def _hang_up(self) -> None:
        if self._closing is None:
            # A task of its own: a caller that is itself being cancelled still hangs up.
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        await self._response.aclose()
        if not self._lines.ag_running:
            await self._lines.aclose()

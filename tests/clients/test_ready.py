"""Connections opened ahead of a request, and ones that were closed while they waited."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import httpcore
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.clients.connection import Connection
from synconfroute.clients.faults import Peer
from synconfroute.clients.sockets import Sockets
from synconfroute.clients.transport import Transport
from synconfroute.errors import RequestRefused, ServerUnreachable, StaleConnection
from tests.clients.replay import free_address

PEER = Peer("A server", "here")
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Server:
    """Answers every request with `{}`.

    Attributes:
        connections: opened so far.
        received: the bytes of each.
    """

    def __init__(self) -> None:
        self.received: list[bytearray] = []
        self.writers: list[asyncio.StreamWriter] = []
        self.port = 0

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    async def until(self, connections: int) -> None:
        """Wait until so many were opened."""
        while len(self.writers) < connections:
            await asyncio.sleep(0)

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        got = bytearray()
        self.received.append(got)
        self.writers.append(writer)
        while piece := await reader.read(65536):
            got += piece
            if got.endswith((b"\r\n\r\n", b"}")):
                writer.write(ANSWER)


Take = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(take: Take) -> AsyncIterator[int]:
    """A port whose connections are given to `take`, and closed in the end."""
    writers: list[asyncio.StreamWriter] = []

    async def taken(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        with suppress(OSError, EOFError):
            await take(reader, writer)
        writer.close()

    listener = await asyncio.start_server(taken, "127.0.0.1", 0)
    try:
        yield listener.sockets[0].getsockname()[1]
    finally:
        listener.close()
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0.01)  # handlers see the end


@asynccontextmanager
async def serving() -> AsyncIterator[Server]:
    """A running server."""
    server = Server()
    async with listening(server.take) as server.port:
        yield server


async def test_a_request_takes_the_connection_that_waits() -> None:
    """One was opened, nothing was sent on it, and the request opens no other."""
    async with serving() as server:
        connection = Connection(server.url)
        await connection.make_ready()
        await server.until(1)
        assert server.received[0] == b""
        assert (await connection.ask(PEER, "/", seconds=5)).body == b"{}"
        assert len(server.writers) == 1
        await connection.aclose()


async def test_one_connection_waits_at_most() -> None:
    """However often it is asked for; and none is opened beside one that an answer left open."""
    async with serving() as server:
        connection = Connection(server.url)
        await asyncio.gather(*(connection.make_ready() for _ in range(5)))
        await server.until(1)
        await connection.ask(PEER, "/", seconds=5)
        await connection.make_ready()
        await connection.ask(PEER, "/", seconds=5)
        assert len(server.writers) == 1
        await connection.aclose()


async def test_a_connection_that_the_server_closed_is_not_taken() -> None:
    """That is noticed at once, and the request opens another."""
    async with serving() as server:
        connection = Connection(server.url)
        await connection.make_ready()
        await server.until(1)
        server.writers[0].close()
        await server.writers[0].wait_closed()
        await asyncio.sleep(0.05)
        assert (await connection.ask(PEER, "/", seconds=5)).status == 200
        assert len(server.writers) == 2
        await connection.aclose()


async def test_closing_closes_the_one_that_waits() -> None:
    """The server sees the end of it."""
    async with serving() as server:
        connection = Connection(server.url)
        await connection.make_ready()
        await server.until(1)
        await connection.aclose()
        await asyncio.wait_for(server.writers[0].wait_closed(), 5)


async def test_where_nothing_answers_nothing_waits() -> None:
    """That is no fault: the request will say so."""
    connection = Connection(free_address())
    await connection.make_ready()
    with pytest.raises(ServerUnreachable):
        await connection.ask(PEER, "/", seconds=5)
    await connection.aclose()


async def test_plain_http_to_another_machine_opens_nothing() -> None:
    """What may not be sent there is not prepared either."""
    connection = Connection("http://192.0.2.1", transport=Transport(plain_http=False))
    await connection.make_ready()
    with pytest.raises(RequestRefused):
        await connection.ask(PEER, "/", seconds=5)


async def test_another_program_in_its_place_gets_no_request() -> None:
    """It is looked at when the connection is taken, however it was opened."""
    async with serving() as server:
        connection = Connection(server.url, is_ours=lambda: False)
        await connection.make_ready()
        with pytest.raises(ServerUnreachable):
            await connection.ask(PEER, "/", seconds=5)
        assert all(got == b"" for got in server.received)
        await connection.aclose()


@asynccontextmanager
async def hanging_up() -> AsyncIterator[Server]:
    """A server that answers the first request of each connection, and hangs up on the second."""
    server = Server()

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.writers.append(writer)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(ANSWER)
        await reader.readuntil(b"\r\n\r\n")
        writer.transport.abort()

    async with listening(take) as server.port:
        yield server


async def test_a_question_is_asked_again_at_once_on_a_stale_connection() -> None:
    """The server was just closing it; nothing came back, so a second connection is opened."""
    async with hanging_up() as server:
        connection = Connection(server.url)
        await connection.ask(PEER, "/", seconds=5)
        assert (await connection.ask(PEER, "/", seconds=5)).status == 200
        assert len(server.writers) == 2
        await connection.aclose()


async def test_code_is_never_sent_twice_by_itself() -> None:
    """Who sent it is told, and has it in the ledger once more before it sends it once more."""
    async with hanging_up() as server:
        connection = Connection(server.url)
        await connection.ask(PEER, "/", seconds=5)
        with pytest.raises(StaleConnection):
            await connection.open(PEER, "/", {"prompt": "x"})
        assert len(server.writers) == 1
        await connection.aclose()


async def test_a_new_connection_that_breaks_is_not_a_stale_one() -> None:
    """A server that hangs up on every request would be asked for ever."""

    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    async with listening(hang_up) as port:
        connection = Connection(f"http://127.0.0.1:{port}")
        with pytest.raises(ServerUnreachable) as raised:
            await connection.open(PEER, "/", {"prompt": "x"})
        assert not isinstance(raised.value, StaleConnection)
        await connection.aclose()


@settings(max_examples=25, deadline=None)
@given(
    pieces=st.lists(st.binary(min_size=1, max_size=70_000), min_size=1, max_size=8),
    most=st.integers(1, 99_999),
)
def test_what_is_sent_comes_whole_and_in_order(pieces: list[bytes], most: int) -> None:
    """Whatever the borders; then the end."""
    size = sum(map(len, pieces))

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(size))
        writer.write_eof()

    async def echoed() -> bytes:
        came = bytearray()
        async with listening(echo) as port:
            stream = await Sockets().connect_tcp("127.0.0.1", port)
            for piece in pieces:
                await stream.write(piece)
            while got := await stream.read(most):
                assert len(got) <= most
                came += got
            assert not stream.is_quiet
            await stream.aclose()
        return bytes(came)

    assert asyncio.run(echoed()) == b"".join(pieces)


async def test_a_server_without_tls_is_told_as_such() -> None:
    """As httpcore's own connections tell it, so that the sentence for it is the same."""

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    async with listening(talk) as port:
        stream = await Sockets().connect_tcp("127.0.0.1", port)
        with pytest.raises(httpcore.ConnectError) as raised:
            await stream.start_tls(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), "127.0.0.1", 5)
        assert isinstance(raised.value.__cause__, ssl.SSLError)


async def test_reading_has_its_time() -> None:
    """A silent server is given up when the time is over."""
    async with serving() as server:
        stream = await Sockets().connect_tcp("127.0.0.1", server.port)
        with pytest.raises(httpcore.ReadTimeout):
            await stream.read(1, 0.01)
        await stream.aclose()


async def test_head_and_body_of_a_request_come_in_one_piece() -> None:
    """A server that wakes for the head alone would wait for the body."""
    pieces: list[bytes] = []

    async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pieces.append(await reader.read(65536))
        writer.write(ANSWER)
        await writer.drain()
        await reader.read()

    async with listening(take) as port:
        connection = Connection(f"http://127.0.0.1:{port}")
        response = await connection.open(PEER, "/ask", {"prompt": "x" * 3_000})
        assert await response.aread() == b"{}"
        await response.aclose()
        await connection.aclose()
    (piece,) = pieces
    assert piece.startswith(b"POST /ask ")
    assert piece.endswith(b'"}')

"""The language server on a TCP port: several editors at once, each with a session of its own.

Whoever reaches the port reaches the server: there is no password. So it listens on this machine
only, unless the user says otherwise, and a connection that does not begin like LSP is closed: a web
page can make a browser send a request to any port of this machine.
"""

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synconfroute.errors import UsageError
from synconfroute.server.protocol.collector import Collector
from synconfroute.server.protocol.completer import BuildCompleter, LoadSettings
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.framing import Frames
from synconfroute.server.protocol.logs import logger, start_logging
from synconfroute.server.protocol.tasks import follow_tasks

if TYPE_CHECKING:
    from synconfroute.server.protocol.commands import RunBeside
    from synconfroute.server.protocol.server import Server

LONGEST_MESSAGE = 64 * 1024 * 1024
"""Of one editor, in bytes. Longer ones are passed over."""
MOST_SESSIONS = 512
MOST_UNREAD = 64 * 1024 * 1024
"""An editor that does not read, and leaves so many bytes waiting, is given up."""
FIRST_WORD_S = 30.0
"""So long a connection may take to begin, in seconds."""

_PIECE = 64 * 1024
_BEGINNING = b"content-"
"""Every header of LSP begins so, in any case of letters."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen.

    Attributes:
        host: a name or a number.
        port: 0: any that is free.
    """

    host: str
    port: int


def run_tcp(
    address: Address,
    load: LoadSettings,
    build: BuildCompleter,
    beside: "RunBeside",
    *,
    on_listening: Callable[[Address], None],
    log_file: str = "",
    log_level: str = "info",
) -> int:
    """Serve editors until this process is told to end.

    Args:
        address: where.
        load: reads a session's settings.
        build: builds a session's completer.
        beside: runs other commands of ours.
        on_listening: called once, with the port that is really open.
        log_file: where to log; "" means stderr.
        log_level: how much to log.

    Returns:
        The exit code, 0.

    Raises:
        UsageError: nothing can listen there.
    """
    start_logging(log_file, log_level)
    try:
        asyncio.run(_Listener(load, build, beside).serve(address, on_listening))
    except KeyboardInterrupt:
        return 0
    return 0


class _Listener:
    """The open port, and the sessions that came through it."""

    def __init__(self, load: LoadSettings, build: BuildCompleter, beside: "RunBeside") -> None:
        self._load = load
        self._build = build
        self._beside = beside
        self._sessions: set[asyncio.Task[Any]] = set()
        self._collector = Collector()

    async def serve(self, address: Address, on_listening: Callable[[Address], None]) -> None:
        """Take connections until the process is asked to end; then end every session."""
        follow_tasks()
        ended = _asked_to_end()
        try:
            listener = await asyncio.start_server(self._take, address.host, address.port)
        except (OSError, OverflowError, UnicodeError) as error:
            raise UsageError(f"Nothing can listen on {address.host}:{address.port}.") from error
        host, port, *_ = listener.sockets[0].getsockname()
        on_listening(Address(host, port))
        try:
            await ended
        finally:
            listener.close()
            for session in self._sessions:
                session.cancel()
            if self._sessions:
                await asyncio.wait(self._sessions)
            self._collector.close()

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._held(reader, writer))
        self._sessions.add(task)
        task.add_done_callback(self._sessions.discard)

    async def _held(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if len(self._sessions) > MOST_SESSIONS:
                logger.warning("A connection was refused: there are %d.", MOST_SESSIONS)
            else:
                await self._session(reader, writer)
        except asyncio.CancelledError:
            logger.info("A session was ended with the process.")
        except Exception as error:
            logger.error("A session failed: %s", describe(error))
        finally:
            writer.close()

    async def _session(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from synconfroute.server.protocol.server import Server

        first = await _first_piece(reader)
        if not first.lower().startswith(_BEGINNING):
            logger.warning("A connection that does not speak LSP was closed.")
            return
        server = Server(self._load, self._build, self._beside)
        self._collector.begun()
        server.protocol.set_writer(_Output(writer, on_gone=lambda: server.stop(1)))
        reading = asyncio.ensure_future(_read(server, first, reader))
        try:
            await server.until_stopped()
        finally:
            reading.cancel()
            await server.aclose()
            await _flushed(writer)
            self._collector.ended()
            logger.info("A session has ended; %d go on.", len(self._sessions) - 1)


class _Output:
    """Writes messages to a connection; an editor that is gone is no error."""

    def __init__(self, writer: asyncio.StreamWriter, on_gone: Callable[[], None]) -> None:
        self._writer = writer
        self._on_gone = on_gone

    def write(self, data: bytes) -> None:
        """Write all of it, sooner or later."""
        transport = self._writer.transport
        if transport.is_closing():
            self._on_gone()
        elif transport.get_write_buffer_size() > MOST_UNREAD:
            logger.warning("An editor that does not read was given up.")
            transport.abort()
            self._on_gone()
        else:
            self._writer.write(data)

    def close(self) -> None:
        """Close the connection."""
        self._writer.close()


async def _first_piece(reader: asyncio.StreamReader) -> bytes:
    """What a connection begins with: enough to see whether it is LSP; b"" where nothing comes."""
    first = b""
    try:
        async with asyncio.timeout(FIRST_WORD_S):
            while len(first) < len(_BEGINNING) and (piece := await reader.read(_PIECE)):
                first += piece
    except (TimeoutError, OSError):
        return b""
    return first


async def _read(server: "Server", first: bytes, reader: asyncio.StreamReader) -> None:
    frames, piece = Frames(LONGEST_MESSAGE), first
    try:
        while piece:
            for body in frames.feed(piece):
                server.protocol.receive(body)
            piece = await reader.read(_PIECE)
    except OSError:
        logger.info("A connection broke.")
    server.stop(1)


async def _flushed(writer: asyncio.StreamWriter) -> None:
    try:
        async with asyncio.timeout(1.0):
            await writer.drain()
    except (TimeoutError, OSError):
        logger.info("The last words of a session were not read.")


def _asked_to_end() -> "asyncio.Future[None]":
    """Done when the process is told to end; Ctrl-C ends it in any case."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[None] = loop.create_future()

    def end() -> None:
        if not ended.done():
            ended.set_result(None)

    for name in ("SIGTERM", "SIGINT"):
        try:
            loop.add_signal_handler(getattr(signal, name), end)
        except NotImplementedError:  # Windows: Ctrl-C raises KeyboardInterrupt
            break
    return ended

"""Connections for httpcore, straight on asyncio.

httpcore's own, on anyio, stop and start the reading of a socket at each piece of an answer and ask
for its addresses at each request. Here a connection is always read, so that it is also known at
once when a server closes one that waits.
"""

import asyncio
import contextlib
import ipaddress
import ssl
from collections.abc import Iterable
from typing import Any, cast

import httpcore

_MOST_UNREAD = 256 * 1024
"""So many bytes wait to be taken before no more are read from the socket."""
_LAST_S = 1.0
"""The longest that hanging up waits for the event loop to let go of the socket."""
_MOST_UNSENT = 64 * 1024
"""So many bytes are sent without waiting for more."""
_SECOND_ADDRESS_S = 0.25
"""A name with several addresses: the next is tried beside the first after so long (RFC 8305)."""


class Sockets(httpcore.AsyncNetworkBackend):
    """Opens connections over TCP."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> "Stream":
        """Connect.

        Raises:
            httpcore.ConnectError: nothing answers there.
            httpcore.ConnectTimeout: not in time.
        """
        local = None if local_address is None else (local_address, 0)
        try:
            async with asyncio.timeout(timeout):
                _, wire = await asyncio.get_running_loop().create_connection(
                    _Wire, host, port, local_addr=local, happy_eyeballs_delay=_delay_of(host)
                )
        except TimeoutError as error:
            raise httpcore.ConnectTimeout("connecting took too long") from error
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        for option in socket_options or ():
            wire.transport.get_extra_info("socket").setsockopt(*option)
        return Stream(wire)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


def _delay_of(host: str) -> float | None:
    """A number has one address only: there is none to be tried beside it.

    And Python 3.11 forgets a socket where it is told to stop in the middle of trying.
    """
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return _SECOND_ADDRESS_S
    return None


class Stream(httpcore.AsyncNetworkStream):
    """One open connection."""

    def __init__(self, wire: "_Wire") -> None:
        self._wire = wire
        self._tls: ssl.SSLContext | None = None
        self._unsent = b""

    async def read(
        self,
        max_bytes: int,
        timeout: float | None = None,
    ) -> bytes:
        """Send what was written, and give what has come, or comes next; b"": the server has closed.

        A server that does not take all may have answered already, and closed.

        Raises:
            httpcore.ReadError: the connection broke.
            httpcore.ReadTimeout: nothing came in time.
        """
        try:
            async with asyncio.timeout(timeout):
                with contextlib.suppress(OSError):
                    await self._flush()
                return await self._wire.take(max_bytes)
        except TimeoutError as error:
            raise httpcore.ReadTimeout("nothing came in time") from error
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error

    async def write(
        self,
        buffer: bytes,
        timeout: float | None = None,
    ) -> None:
        """Send, at the latest when the answer is read: a request's head and body are one piece.

        Raises:
            httpcore.WriteError: the connection broke.
            httpcore.WriteTimeout: it was not taken in time.
        """
        self._unsent += buffer
        if len(self._unsent) < _MOST_UNSENT:
            return
        try:
            async with asyncio.timeout(timeout):
                await self._flush()
        except TimeoutError as error:
            raise httpcore.WriteTimeout("nothing was taken in time") from error
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    async def _flush(self) -> None:
        unsent, self._unsent = self._unsent, b""
        if unsent:
            await self._wire.send(unsent)

    async def aclose(self) -> None:
        """Hang up at once."""
        transport = self._wire.transport
        if not transport.is_closing():  # a second `close` breaks `abort` of old TLS
            transport.close()
            await asyncio.sleep(0)
        transport.abort()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_LAST_S):
                await self._wire.gone.wait()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> "Stream":
        """The same connection under TLS; where it is already, by this context, nothing is done.

        Raises:
            httpcore.ConnectError: the server is not believed, or speaks no TLS.
            httpcore.ConnectTimeout: not in time.
        """
        if self._tls is ssl_context:
            return self
        try:
            async with asyncio.timeout(timeout):
                await self._wire.start_tls(ssl_context, server_hostname)
        except TimeoutError as error:
            await self.aclose()
            raise httpcore.ConnectTimeout("the TLS handshake took too long") from error
        except OSError as error:  # of which ssl.SSLError is one
            await self.aclose()
            raise httpcore.ConnectError(str(error)) from error
        self._tls = ssl_context
        return self

    @property
    def is_quiet(self) -> bool:
        """The server has neither closed the connection nor said anything that was not taken."""
        return self._wire.is_quiet

    def get_extra_info(self, info: str) -> Any:
        """What httpcore asks for: "is_readable", "ssl_object", "socket" and addresses."""
        if info == "is_readable":
            return not self._wire.is_quiet
        names = {"client_addr": "sockname", "server_addr": "peername"}
        return self._wire.transport.get_extra_info(names.get(info, info))


class _Wire(asyncio.Protocol):
    """What asyncio tells of a connection."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self._received = bytearray()
        self._ended = False
        self._error: Exception | None = None
        self._paused = False
        self._reader: asyncio.Future[None] | None = None
        self._writer: asyncio.Future[None] | None = None
        self.gone = asyncio.Event()

    @property
    def is_quiet(self) -> bool:
        return not (self._received or self._ended)

    async def take(self, most: int) -> bytes:
        if self.is_quiet:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        if self._received:
            taken = bytes(self._received[:most])
            del self._received[:most]
            if self._paused and len(self._received) < _MOST_UNREAD:
                self._paused = False
                self.transport.resume_reading()
            return taken
        if self._error is not None:
            raise ConnectionResetError from self._error
        return b""

    async def send(self, data: bytes) -> None:
        if self._ended and self.transport.is_closing():
            raise ConnectionResetError
        self.transport.write(data)
        if self._writer is not None:
            await asyncio.shield(self._writer)
            if self._error is not None:
                raise ConnectionResetError from self._error

    async def start_tls(self, context: ssl.SSLContext, name: str | None) -> None:
        loop = asyncio.get_running_loop()
        upgraded = await loop.start_tls(self.transport, self, context, server_hostname=name)
        if upgraded is None:
            raise ConnectionResetError
        self.transport = upgraded

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if len(self._received) > _MOST_UNREAD and not self._paused:
            self._paused = True
            self.transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._wake()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended, self._error = True, self._error or exc
        self._wake()
        self.resume_writing()
        self.gone.set()

    def pause_writing(self) -> None:
        if self._writer is None:
            self._writer = asyncio.get_running_loop().create_future()

    def resume_writing(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None and not writer.done():
            writer.set_result(None)

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

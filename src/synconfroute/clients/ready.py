"""A connection that is opened before a request wants it.

A handshake takes time and sends nothing of a request: no header, no key, no code. What it tells is
that this machine is awake, as every connection does.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Iterable
from dataclasses import dataclass

import httpcore
import httpx

from synconfroute.clients.sockets import Sockets, Stream

KEPT_SECONDS = 4.0
"""An opened connection that nobody wants is closed after so long: below the 5 s after which servers
close such connections themselves."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a connection leads.

    Attributes:
        host: name or number.
        port: its port.
        tls: what decides about certificates; None: no TLS.
        seconds: the longest that connecting may take.
    """

    host: str
    port: int
    tls: ssl.SSLContext | None
    seconds: float


class ReadyConnections(Sockets):
    """Opens connections; one may wait, opened ahead."""

    def __init__(self, place: Place) -> None:
        """Open nothing yet."""
        self._place = place
        self._waiting: Stream | None = None
        self._expiry: asyncio.TimerHandle | None = None
        self._opening = asyncio.Lock()
        self._closing: asyncio.Future[None] | None = None

    @property
    def waits(self) -> bool:
        """A connection is open that no request has taken."""
        return self._waiting is not None and self._waiting.is_quiet

    async def open(self) -> None:
        """Have one wait, for `KEPT_SECONDS`; where it cannot be opened, none does."""
        if self._opening.locked() or self.waits:
            return
        async with self._opening:
            with contextlib.suppress(httpcore.NetworkError, httpcore.TimeoutException):
                before, self._waiting = self._take(), await self._opened()
                loop = asyncio.get_running_loop()
                self._expiry = loop.call_later(KEPT_SECONDS, self._expire)
                if before is not None:
                    await before.aclose()

    async def drop(self) -> None:
        """Close the one that waits."""
        waiting = self._take()
        if waiting is not None:
            await waiting.aclose()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> Stream:
        """The connection that waits, if it is still open, else a new one; see `Sockets`."""
        waiting = self._take()
        if waiting is not None:
            if waiting.is_quiet and (host, port) == (self._place.host, self._place.port):
                return waiting
            await waiting.aclose()
        return await super().connect_tcp(host, port, timeout, local_address, socket_options)

    async def _opened(self) -> "Stream":
        place = self._place
        stream = await super().connect_tcp(place.host, place.port, place.seconds)
        if place.tls is not None:
            place.tls.set_alpn_protocols(["http/1.1"])
            await stream.start_tls(place.tls, place.host, place.seconds)
        return stream

    def _take(self) -> "Stream | None":
        waiting, self._waiting = self._waiting, None
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        return waiting

    def _expire(self) -> None:
        waiting = self._take()
        if waiting is not None:
            self._closing = asyncio.ensure_future(waiting.aclose())


class ReadyTransport(httpx.AsyncHTTPTransport):
    """httpx' own transport, over connections that may have been opened ahead."""

    def __init__(self, place: Place, keep_alive_s: float) -> None:
        """Reach `place`, and keep connections for so many seconds between requests."""
        self.ready = ReadyConnections(place)
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=place.tls,
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=keep_alive_s,
            network_backend=self.ready,
        )

    async def make_ready(self) -> None:
        """Have a connection open, if none waits between two requests. Sends nothing."""
        pool = self._pool
        if any(each.is_idle() and not each.has_expired() for each in pool.connections):
            return
        await self.ready.open()

    async def aclose(self) -> None:
        """Close all connections."""
        await self.ready.drop()
        await super().aclose()

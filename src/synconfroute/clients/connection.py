"""One server's HTTP connections: JSON questions and streamed answers."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synconfroute.clients import faults
from synconfroute.clients.affinity import Affinity
from synconfroute.clients.documents import json_object
from synconfroute.clients.faults import Peer
from synconfroute.clients.http import bad_header, base_address, is_loopback, open_client, with_key
from synconfroute.clients.keys import KeptKey
from synconfroute.clients.stream import AnswerReader, AnswerStream, body_of
from synconfroute.clients.transport import Transport
from synconfroute.errors import (
    BadAnswer,
    KeyRefused,
    RequestRefused,
    ServerUnreachable,
    StaleConnection,
)

if TYPE_CHECKING:
    import httpx

    from synconfroute.clients.ready import ReadyTransport

_LONGEST_DOCUMENT = 16 * 1024 * 1024
_LONGEST_ERROR = 64 * 1024


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """Talks to one server. Nothing is opened, and httpx not imported, before the first request."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        is_ours: Callable[[], bool] | None = None,
        transport: Transport | None = None,
        key: KeptKey | None = None,
        affinity: Affinity | None = None,
    ) -> None:
        """Describe the server.

        Args:
            url: requests go to paths below it.
            headers: sent with each request.
            is_ours: asked after each connecting, before a byte is sent; False: it is another
                program that listens there.
            transport: how it is reached.
            key: the bearer key, where it is kept elsewhere and `headers` have no Authorization.
            affinity: what its routers know the session by; `headers` of the same names come first.
        """
        self._url = url.strip().rstrip("/")
        self._headers = dict(headers or {})
        self._is_ours = is_ours
        self._transport = transport or Transport()
        self._key = key
        self._affinity = affinity
        self._http: httpx.AsyncClient | None = None
        self._ready: ReadyTransport | None = None
        self._addresses: dict[str, httpx.URL] = {}

    async def ask(
        self,
        peer: Peer,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        seconds: float,
    ) -> Reply:
        """Send a GET, or a POST with `body`, and return the whole answer, whatever its status.

        Raises:
            ServerUnreachable: nothing answers, or not within `seconds`.
            ModelServerError: no request can be sent, or the answer is not HTTP.
        """
        try:
            async with asyncio.timeout(seconds):
                try:
                    response = await self._send(peer, path, body, {})
                except StaleConnection:
                    response = await self._send(peer, path, body, {})
                try:
                    content = await _content(response, peer, _LONGEST_DOCUMENT)
                finally:
                    await response.aclose()
        except TimeoutError:
            raise ServerUnreachable(f"{peer} did not answer within {seconds:g} s.") from None
        return Reply(response.status_code, response.headers, content)

    async def ask_json(
        self,
        peer: Peer,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        seconds: float,
    ) -> dict[str, Any]:
        """Like `ask`, and return the JSON object of a successful answer.

        Raises:
            ModelServerError: as `ask`, or for the answer's status.
            BadAnswer: the answer is not a JSON object.
        """
        reply = await self.ask(peer, path, body, seconds=seconds)
        if not 200 <= reply.status < 300:
            raise faults.from_status(reply.status, reply.headers, reply.body, peer)
        return json_object(reply.body, peer)

    async def stream(
        self,
        peer: Peer,
        path: str,
        body: Mapping[str, Any],
        reader: AnswerReader,
        headers: Mapping[str, str] | None = None,
    ) -> AnswerStream:
        """POST `body` and return the answer's tokens, once the server has accepted it.

        Raises:
            StaleConnection: the server had closed a connection that waited; nothing came back.
            ModelServerError: it was refused, or the server cannot be reached.
        """
        response = await self.open(peer, path, body, headers)
        return AnswerStream(response, reader, peer)

    async def open(
        self,
        peer: Peer,
        path: str,
        body: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
    ) -> "httpx.Response":
        """POST `body` and return the open response of a server that has accepted it.

        Raises:
            StaleConnection: as `stream`.
            ModelServerError: it was refused, or the server cannot be reached.
        """
        response = await self._send(peer, path, body, headers or {})
        if response.is_success:
            return response
        try:
            content = await _content(response, peer, _LONGEST_ERROR, cut=True)
        finally:
            await response.aclose()
        raise faults.from_status(response.status_code, response.headers, content, peer)

    async def make_ready(self) -> None:
        """Have an open connection wait for the next request. Sends nothing of one.

        Where it cannot be opened, or a proxy stands between, the request will open its own.
        """
        if base_address(self._url) is None or self._forbidden_plain:
            return
        with suppress(RequestRefused):
            self._client()
            if self._ready is not None:
                await self._ready.make_ready()

    async def aclose(self) -> None:
        """Close all connections. A later request opens new ones."""
        http, self._http, self._ready = self._http, None, None
        if http is not None:
            await http.aclose()
        if self._affinity is not None:
            self._affinity.forget()

    async def _send(
        self,
        peer: Peer,
        path: str,
        body: Mapping[str, Any] | None,
        headers: Mapping[str, str],
    ) -> "httpx.Response":
        import httpx

        headers = {**self._session(), **headers}
        self._check(peer, headers)
        if self._key is not None:
            headers = {**headers, **with_key(self._headers, await self._key.get())}
        http = self._client()
        connected = False

        def on_connect() -> None:
            nonlocal connected
            connected = True

        try:
            # A lone surrogate in a buffer has no UTF-8; the server gets "?" in its place.
            request = http.build_request(
                "GET" if body is None else "POST",
                self._address(path),
                content=None
                if body is None
                else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"),
                headers={
                    **({} if body is None else {"Content-Type": "application/json"}),
                    **headers,
                },
                extensions=self._extensions(peer, on_connect),
            )
            response = await http.send(request, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            if not connected and isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError):
                raise StaleConnection(f"{peer} has closed the connection.") from None
            raise faults.from_transport(error, peer) from None
        if self._key is not None and response.status_code in {401, 403}:
            self._key.forget()
        if self._affinity is not None and response.is_success:
            self._affinity.learn(response.headers)
        return response

    def _address(self, path: str) -> "httpx.URL":
        """Read once: there are few."""
        import httpx

        if path not in self._addresses:
            self._addresses[path] = httpx.URL(self._url + path)
        return self._addresses[path]

    def _client(self) -> "httpx.AsyncClient":
        if self._http is None:
            jar = None if self._affinity is None else self._affinity.jar
            opened = open_client(self._url, self._headers, self._transport, jar)
            self._http, self._ready = opened
        return self._http

    def _session(self) -> dict[str, str]:
        """What names the session, but where the settings' own headers do."""
        if self._affinity is None:
            return {}
        own = {name.lower() for name in self._headers}
        return {name: text for name, text in self._affinity.headers.items() if name not in own}

    def _extensions(self, peer: Peer, on_connect: Callable[[], None]) -> dict[str, Any]:
        """What httpx calls at each step of a request; `on_connect` where it opens a connection."""
        is_ours, ready = self._is_ours, self._ready

        async def trace(event: str, told: Mapping[str, Any]) -> None:
            if event == "connection.connect_tcp.started" and not (ready and ready.ready.waits):
                on_connect()
            if event == "connection.connect_tcp.complete" and is_ours and not is_ours():
                await told["return_value"].aclose()
                raise ServerUnreachable(f"{peer} is gone, and another program has its place.")

        return {"trace": trace}

    @property
    def _forbidden_plain(self) -> bool:
        """Whoever is on the way could read, and nobody allowed that."""
        plain = self._url.lower().startswith("http:")
        return plain and not self._transport.plain_http and not is_loopback(self._url)

    def _check(self, peer: Peer, headers: Mapping[str, str]) -> None:
        """Refuse what HTTP cannot carry, before an error text could repeat it."""
        if base_address(self._url) is None:
            raise RequestRefused(
                f"{peer.title} needs an http or https address, and this is none: correct it."
            )
        if self._forbidden_plain:
            raise RequestRefused(
                f"{peer} would be asked over plain http, which whoever is on the way can read:"
                " give an https address."
            )
        name = bad_header({**self._headers, **headers})
        if name is not None and name.lower() == "authorization":
            raise KeyRefused(
                f"The key for {peer.address} has characters that HTTP does not allow: copy it"
                " again."
            )
        if name is not None:
            raise RequestRefused(
                f"A header set for {peer.address} has characters that HTTP does not allow: correct"
                " it."
            )


async def _content(
    response: "httpx.Response", peer: Peer, limit: int, *, cut: bool = False
) -> bytes:
    """The body, up to `limit` bytes; the rest is cut off or, without `cut`, refused."""
    import httpx

    content = bytearray()
    try:
        async with aclosing(body_of(response)) as chunks:
            async for chunk in chunks:
                content += chunk
                if len(content) > limit:
                    break
    except httpx.HTTPError as error:
        raise faults.from_transport(error, peer) from None
    if len(content) > limit and not cut:
        raise BadAnswer(f"{peer} sent more than {limit >> 20} MB, which no model server does.")
    return bytes(content[:limit])

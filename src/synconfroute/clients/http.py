"""Addresses of model servers, and the HTTP client that goes to them."""

import ipaddress
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from synconfroute.clients.affinity import jar_of
from synconfroute.clients.transport import Transport, tls_context

if TYPE_CHECKING:
    from http.cookiejar import CookieJar

    import httpx

    from synconfroute.clients.ready import ReadyTransport

LOOPBACK_CONNECT_SECONDS = 2.0
REMOTE_CONNECT_SECONDS = 5.0
# Shorter than the 5 s after which uvicorn (vLLM) and llama.cpp close idle connections, so that
# a request never leaves on a connection that the server is just closing.
KEEP_ALIVE_SECONDS = 4.0

# Only addresses that every URL parser reads alike: no backslash, white space or control
# character, at most one "@", a host of plain ASCII.
_PLAIN_URL = re.compile(
    r"(?P<scheme>https?)://"
    r"(?:[A-Za-z0-9._~!$&'()*+,;=%:-]*@)?"
    r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>/[A-Za-z0-9._~!$&'()*+,;=%:@/-]*)?",
    re.IGNORECASE | re.ASCII,
)


def is_loopback(url: str) -> bool:
    """True if the address is certainly this machine itself: localhost, 127.0.0.0/8 or ::1.

    Whatever merely looks like it is not: other names (`localhost.example.com`), numbers that a
    resolver might read as an address (`0x7f.1`, `2130706433`), and addresses that two URL parsers
    could read differently.
    """
    match = _PLAIN_URL.fullmatch(url)
    if match is None or int(match["port"] or 0) > 65535:
        return False
    host = match["host"]
    if host.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


@lru_cache(maxsize=64)
def base_address(url: str) -> str | None:
    """The address without key, query and closing slash, or None if it is no http(s) address."""
    if any(character.isspace() or not character.isprintable() for character in url.strip()):
        return None
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    where = host if port is None else f"{host}:{port}"
    return f"{parts.scheme}://{where}{parts.path.rstrip('/')}"


def bad_header(headers: Mapping[str, str]) -> str | None:
    """Name of the first header that HTTP does not allow as it stands, or None."""
    for name, value in headers.items():
        plain = re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) is not None
        if not plain or re.fullmatch(r"[\t\x20-\x7e]*", value) is None or value != value.strip():
            return name
    return None


def with_key(headers: Mapping[str, str] | None, api_key: str) -> dict[str, str]:
    """The headers and a bearer key; an Authorization header of one's own takes precedence."""
    every = dict(headers or {})
    if api_key.strip() and not any(name.lower() == "authorization" for name in every):
        every["Authorization"] = f"Bearer {api_key.strip()}"
    return every


def open_client(
    url: str,
    headers: Mapping[str, str] | None = None,
    transport: Transport | None = None,
    jar: "CookieJar | None" = None,
) -> "tuple[httpx.AsyncClient, ReadyTransport | None]":
    """An HTTP client for one server, and for no other.

    Connections to this machine never use a proxy. Redirects are not followed: code goes to the
    address that was set, or nowhere. Only connecting has a time limit here; how long an answer may
    take is the caller's deadline.

    Args:
        url: where the server is.
        headers: sent with each request.
        transport: how it is reached; None: as the operating system and its variables say.
        jar: the cookies that go along; None: none is kept.

    Returns:
        The client; and what opens connections for it, also ahead of a request, where no proxy
        stands between.

    Raises:
        RequestRefused: a file that the transport names cannot be used.
    """
    import ssl
    from urllib.request import getproxies

    import httpx

    from synconfroute.clients.ready import Place, ReadyTransport

    way = transport or Transport()
    loopback = is_loopback(url)
    # Reading the certificate store takes longer than all the rest. Where none is needed a
    # context without any authority takes its place.
    plain = loopback and urlsplit(url).scheme == "http"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if plain else tls_context(way)
    proxy, by_environment = (None, False) if loopback else way.proxy_to(url)
    connect = LOOPBACK_CONNECT_SECONDS if loopback else REMOTE_CONNECT_SECONDS
    home = _origin(httpx.URL(url))

    async def stay(request: httpx.Request) -> None:
        if _origin(request.url) != home:
            raise httpx.UnsupportedProtocol("another address", request=request)

    ready = None
    if proxy is None and not (by_environment and getproxies()):
        port = home[2] or {"http": 80, "https": 443}[home[0]]
        place = Place(home[1], port, context if home[0] == "https" else None, connect)
        ready = ReadyTransport(place, KEEP_ALIVE_SECONDS)
    http = httpx.AsyncClient(
        verify=context,
        transport=ready,
        proxy=proxy,
        trust_env=by_environment,
        follow_redirects=False,
        event_hooks={"request": [stay]},
        headers={"User-Agent": "synconfroute", "Accept-Encoding": "identity", **(headers or {})},
        cookies=jar_of() if jar is None else jar,
        timeout=httpx.Timeout(None, connect=connect),
        limits=httpx.Limits(keepalive_expiry=KEEP_ALIVE_SECONDS),
    )
    return http, ready


def _origin(url: "httpx.URL") -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port

"""Which addresses are this machine, and which way connections take."""

import ipaddress
import socket
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from synconfroute.clients.connection import Connection
from synconfroute.clients.faults import Peer
from synconfroute.clients.http import base_address, is_loopback
from tests.clients.replay import ReplayServer, clear_proxies, free_address, scripted

PEER = Peer("The model server", "http://somewhere")
VERSION = {"GET /version": scripted(b'{"version": "1"}')}
BY_PROXY = {"GET http://models.example:8000/version": scripted(b'{"version": "by proxy"}')}


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost",
        "http://LOCALHOST:11434/",
        "https://localhost:8000/v1",
        "http://127.0.0.1:11434",
        "http://127.9.8.7/openai/v1",
        "http://[::1]:8080",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://user:word@127.0.0.1:8000/v1",
    ],
)
def test_this_machine_is_recognised(url: str) -> None:
    """localhost, 127.0.0.0/8 and ::1 are this machine, with any port and path."""
    assert is_loopback(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost",
        "localhost:11434",
        "ftp://localhost",
        "http://localhost.evil.com",
        "http://localhost@evil.com",
        "http://localhost:80@evil.com/",
        "http://127.0.0.1@evil.com",
        "http://evil.com@evil.org#@127.0.0.1",
        "http://evil.com#@127.0.0.1/",
        "http://evil.com?@127.0.0.1/",
        "http://evil.com\\@127.0.0.1/",
        "http://127.0.0.1\\@evil.com/",
        "http://127.0.0.1 .evil.com/",
        "http://127.0.0.1\t.evil.com/",
        "http://127.0.0.1\n@evil.com/",
        "http://127.0.0.1.evil.com",
        "http://127.0.0.1.",
        "http://127.1",
        "http://0177.0.0.1",
        "http://0x7f.0.0.1",
        "http://0x7f000001",
        "http://2130706433",
        "http://0",
        "http://0.0.0.0",
        "http://[::]",
        "http://[::1%25eth0]",
        "http://[::2]",
        "http://[::ffff:10.0.0.1]",
        "http://127。0。0。1",
        "http://ⓛocalhost",
        "http://localhost%2eevil.com",
        "http://128.0.0.1",
        "http://10.0.0.1",
        "http://localhost:99999",
        "http://localhost:1:2",
        "http://127.0.0.1:80evil.com",
    ],
)
def test_what_looks_like_this_machine_is_not(url: str) -> None:
    """Names, numbers and tricks that merely look like this machine are not taken for it."""
    assert not is_loopback(url)


PARTS = [
    "127.0.0.1",
    "localhost",
    "[::1]",
    "evil.com",
    "@",
    ":",
    "/",
    "\\",
    "#",
    "?",
    "80",
    "%",
    " ",
]


@given(st.lists(st.sampled_from(PARTS), max_size=8).map("".join))
@example("127.0.0.1:80@evil.com")
def test_the_connecting_parser_agrees(rest: str) -> None:
    """Whatever is taken for this machine, httpx connects to this machine for it."""
    url = f"http://{rest}"
    if is_loopback(url):
        host = httpx.URL(url).host
        assert host == "localhost" or ipaddress.ip_address(host).is_loopback


@given(st.text(max_size=40))
def test_any_text_is_a_question(text: str) -> None:
    """No text makes the question fail."""
    assert is_loopback(text) in {True, False}
    assert is_loopback(f"http://{text}") in {True, False}


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://me:secret@h.example:8443/v1/?key=secret#x", "https://h.example:8443/v1"),
        (" http://[::1]:80/ ", "http://[::1]:80"),
        ("h.example/v1", None),
        ("http://", None),
        ("http://h:99999", None),
        ("http://h\nost", None),
        ("file:///etc/passwd", None),
    ],
)
def test_address_shown(url: str, address: str | None) -> None:
    """The address shown has no user, key or query; what is no http address has none."""
    assert base_address(url) == address


@pytest.fixture
def proxies(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Sets HTTP_PROXY and NO_PROXY, and makes every name resolve to this machine."""
    for name in clear_proxies():
        monkeypatch.delenv(name)
    resolve = socket.getaddrinfo

    def here(host: Any, *arguments: Any, **named: Any) -> Any:
        return resolve("127.0.0.1", *arguments, **named)

    def set_proxies(proxy: str, no_proxy: str) -> None:
        monkeypatch.setenv("HTTP_PROXY", proxy)
        monkeypatch.setenv("http_proxy", proxy)
        monkeypatch.setenv("NO_PROXY", no_proxy)
        monkeypatch.setenv("no_proxy", no_proxy)
        monkeypatch.setattr(socket, "getaddrinfo", here)

    return set_proxies


async def version_of(url: str) -> str:
    """What the server at this address says."""
    connection = Connection(url)
    answer = await connection.ask_json(PEER, "/version", seconds=5)
    await connection.aclose()
    return str(answer["version"])


async def test_this_machine_is_reached_without_proxy(proxies: Callable[[str, str], None]) -> None:
    """A connection to this machine does not use HTTP_PROXY."""
    async with ReplayServer(VERSION) as server, ReplayServer(BY_PROXY) as proxy:
        proxies(proxy.url, "")
        assert await version_of(server.url) == "1"
        assert proxy.connections == 0


async def test_other_machines_are_reached_by_proxy(proxies: Callable[[str, str], None]) -> None:
    """A connection to another machine uses HTTP_PROXY."""
    async with ReplayServer(BY_PROXY) as proxy:
        proxies(proxy.url, "")
        assert await version_of("http://models.example:8000") == "by proxy"


async def test_no_proxy_is_heeded(proxies: Callable[[str, str], None]) -> None:
    """A connection to a machine that NO_PROXY names goes there directly."""
    async with ReplayServer(VERSION) as server:
        proxies(free_address(), "models.example")
        port = server.url.rpartition(":")[2]
        assert await version_of(f"http://models.example:{port}") == "1"

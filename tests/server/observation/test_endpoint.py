"""The web server for numbers: this machine's own name, GET, and nothing else."""

import contextlib
import http.client
import socket
from collections.abc import Iterator

import pytest

from synconfroute.errors import UsageError
from synconfroute.server.observation.endpoint import MOST_AT_ONCE, Endpoint


def broken(_accept: str) -> tuple[str, bytes]:
    """A page with a fault whose words quote code."""
    raise ValueError("def secret(): ...")


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """One that says what was accepted, at any free port."""
    pages = {"/": lambda accept: ("text/plain", accept.encode()), "/broken": broken}
    one = Endpoint("127.0.0.1", 0, pages)
    yield one
    one.close()


def ask(
    endpoint: Endpoint, method: str = "GET", path: str = "/", **headers: str
) -> tuple[int, str, http.client.HTTPMessage]:
    """Status, text and headers of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", endpoint.port, timeout=10)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers
    finally:
        connection.close()


def test_a_page_is_given_with_headers_that_keep_it_apart(endpoint: Endpoint) -> None:
    """No other site may embed or store it, and no script runs in it."""
    status, text, headers = ask(endpoint, Accept="some/kind")
    assert (status, text) == (200, "some/kind")
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "script" not in headers["Content-Security-Policy"]
    assert "Python" not in headers["Server"]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_this_machine_is_asked_by_its_own_names(endpoint: Endpoint, name: str) -> None:
    """With our port, or none."""
    assert ask(endpoint, Host=f"{name}:{endpoint.port}")[0] == 200
    assert ask(endpoint, Host=name)[0] == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1:1", "", ":",
     "evil.example:9464", "[::1", "localhost:", "127.0.0.1 evil"],
)  # fmt: skip
def test_no_other_name_is_answered(endpoint: Endpoint, host: str) -> None:
    """A web page may have made a name of its own mean this machine (DNS rebinding)."""
    expected = 200 if host == "localhost:" else 403
    status, text, _ = ask(endpoint, Host=host)
    assert status == expected
    if status == 403:
        assert text == "Ask for this machine by its own name, such as 127.0.0.1.\n"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "BREW"])
def test_nothing_but_get_is_answered(endpoint: Endpoint, method: str) -> None:
    """One sentence, and which method would be."""
    status, _, headers = ask(endpoint, method)
    assert status == 405
    assert headers["Allow"] == "GET"


def test_what_is_not_there_or_broken_is_a_sentence(endpoint: Endpoint) -> None:
    """Neither quotes what was asked, nor what went wrong."""
    status, text, _ = ask(endpoint, path="/<script>secret</script>")
    assert (status, text) == (404, "There is nothing here.\n")
    status, text, _ = ask(endpoint, path="/broken")
    assert status == 500
    assert "secret" not in text
    assert ask(endpoint)[0] == 200


@pytest.mark.parametrize("garbage", [b"\r\n\r\n", b"GET\r\n\r\n", b"\xff" * 70_000 + b"\r\n\r\n"])
def test_garbage_ends_nothing(endpoint: Endpoint, garbage: bytes) -> None:
    """The next request is answered."""
    with socket.create_connection(("127.0.0.1", endpoint.port), timeout=10) as raw:
        raw.sendall(garbage)
        raw.shutdown(socket.SHUT_WR)
        while True:
            try:
                if not raw.recv(4096):
                    break
            except ConnectionError:
                break
    assert ask(endpoint)[0] == 200


def test_who_says_nothing_holds_up_only_so_many(endpoint: Endpoint) -> None:
    """One connection too many is hung up on; once one has gone, the next is answered."""
    silent = [
        socket.create_connection(("127.0.0.1", endpoint.port), timeout=10)
        for _ in range(MOST_AT_ONCE)
    ]
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        ask(endpoint)
    for each in silent:
        each.close()
    status = 0
    while not status:
        with contextlib.suppress(http.client.HTTPException, ConnectionError):
            status = ask(endpoint)[0]
    assert status == 200


def test_a_port_that_is_taken_is_told_in_a_sentence(endpoint: Endpoint) -> None:
    """And is free again once who had it closes it."""
    with pytest.raises(UsageError, match=f"127.0.0.1:{endpoint.port} now"):
        Endpoint("127.0.0.1", endpoint.port, {})
    port = endpoint.port
    endpoint.close()
    again = Endpoint("127.0.0.1", port, {})
    again.close()
    again_closed = Endpoint("127.0.0.1", port, {})
    again_closed.close()

"""Messages cut out of a byte stream, whole or damaged."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.protocol.framing import LONGEST_HEADER, LONGEST_MESSAGE, Frames


def framed(body: bytes) -> bytes:
    """A message with its header."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def received(frames: Frames, data: bytes, size: int = 1 << 20) -> list[bytes]:
    """The bodies that come out when the data comes in pieces."""
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    return [body for piece in pieces for body in frames.feed(piece)]


BODY = st.binary(max_size=50).map(lambda inner: b"{" + inner + b"}")
JSON = st.dictionaries(st.text(max_size=9), st.text(max_size=20) | st.integers(), max_size=3).map(
    lambda message: json.dumps(message, ensure_ascii=False, indent=1).encode("utf-8", "replace")
)


@given(st.lists(BODY, max_size=6), st.integers(1, 40))
def test_bodies_come_out_whatever_the_borders(bodies: list[bytes], size: int) -> None:
    """However the stream is cut into pieces, the bodies are those sent, in order."""
    assert received(Frames(), b"".join(map(framed, bodies)), size) == bodies


@given(st.lists(st.binary(max_size=60), max_size=8), st.integers(1, 50))
def test_no_bytes_stop_it(pieces: list[bytes], size: int) -> None:
    """Any bytes at all are taken, and the buffer stays bounded."""
    frames = Frames()
    for piece in pieces:
        received(frames, piece, size)


@pytest.mark.parametrize(
    "header",
    [
        b"content-length:2\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\r\nContent-Type: x\r\n\r\n",
    ],
)
def test_headers_are_read_in_any_case_and_order(header: bytes) -> None:
    """Only the length matters."""
    assert received(Frames(), header + b"{}") == [b"{}"]


@pytest.mark.parametrize(
    "damage",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"Content-Length: many\r\n\r\n",
        b"\r\n\r\n\r\n\r\n",
        b"{}" * LONGEST_HEADER,
        b'{"half": "of a bo',
    ],
)
def test_after_damage_the_next_message_is_understood(damage: bytes) -> None:
    """A header without a length, and bytes that belong to nothing, are skipped and counted."""
    frames = Frames()
    assert received(frames, damage + framed(b"one") + framed(b"two"), 1000)[-2:] == [b"one", b"two"]


@given(JSON, st.integers(-300, 300) | st.integers(10**6, 10**17), st.integers(1, 200))
def test_a_wrong_length_costs_no_other_message(body: bytes, off: int, size: int) -> None:
    """Too short: the rest of the body comes before the next header. Too long: it is inside."""
    wrong = b"Content-Length: %d\r\n\r\n%s" % (max(0, len(body) + off), body)
    data = framed(b'{"a": 1}') + wrong + framed(b'{"b": 2}') + framed(b'{"c": 3}')
    came = received(Frames(), data, size)
    assert came[0] == b'{"a": 1}'
    assert came[-2:] == [b'{"b": 2}', b'{"c": 3}']
    if 0 <= off <= 300:
        assert body in came


@given(JSON, st.integers(1, 300), st.integers(1, 200))
def test_a_message_that_breaks_off_costs_no_other(body: bytes, cut: int, size: int) -> None:
    """Wherever it does, in its header or in its body."""
    data = framed(body)[:cut] + framed(b'{"b": 2}') + framed(b'{"c": 3}')
    assert received(Frames(), data, size)[-2:] == [b'{"b": 2}', b'{"c": 3}']


def test_a_message_too_long_is_passed_over() -> None:
    """It is not kept in memory, and the one behind it is read."""
    frames = Frames()
    length = LONGEST_MESSAGE + 1
    assert received(frames, b"Content-Length: %d\r\n\r\n" % length) == []
    piece = b"x" * (1 << 20)
    for _ in range(length // len(piece)):
        assert list(frames.feed(piece)) == []
    assert received(frames, b"x" * (length % len(piece)) + framed(b"next")) == [b"next"]
    assert frames.damaged == 1


def test_a_message_longer_than_a_session_may_send_is_passed_over() -> None:
    """Without being kept; the next one is read."""
    frames = Frames(longest=8)
    stream = b"Content-Length: 9\r\n\r\n123456789Content-Length: 8\r\n\r\n12345678"
    assert [body for byte in stream for body in frames.feed(bytes([byte]))] == [b"12345678"]
    assert frames.damaged == 1

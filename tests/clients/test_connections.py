"""Connections that break, stall, are cancelled or lead somewhere else."""

import asyncio
import time
import traceback
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from synconfroute.clients.model import GenerationRequest, State, TextPrompt, Token, TokenStream
from synconfroute.clients.ollama import Ollama
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.errors import (
    BadAnswer,
    KeyRefused,
    ModelServerError,
    RequestRefused,
    ServerFault,
    ServerUnreachable,
)
from tests.clients.replay import Answer, ReplayServer, free_address, scripted

ROUTE = "POST /v1/completions"
KEY = "sk-very-secret-key"
REQUEST = GenerationRequest(TextPrompt("def secret_name"), max_tokens=9)


def event(text: str, finish: str | None = None) -> bytes:
    """One event of a stream."""
    reason = f'"{finish}"' if finish else "null"
    return b'data: {"choices":[{"index":0,"text":"%s","finish_reason":%s}]}\n\n' % (
        text.encode(),
        reason.encode(),
    )


def events(parts: Sequence[bytes], then: str = "close") -> Answer:
    """A stream of events that ends with the connection, or goes on for ever."""
    return scripted(parts, kind="text/event-stream", then=then)


@asynccontextmanager
async def client_of(answer: Answer) -> AsyncIterator[tuple[OpenAICompatible, ReplayServer]]:
    """A client of a server that gives this answer."""
    async with ReplayServer({ROUTE: answer}) as server:
        client = OpenAICompatible(server.url, "m", api_key=KEY)
        yield client, server
        await client.aclose()


async def all_of(client: OpenAICompatible) -> list[Token]:
    """All tokens of one request."""
    async with await client.stream(REQUEST) as stream:
        return [token async for token in stream]


async def read_into(texts: list[str], client: OpenAICompatible) -> None:
    """Add the texts of one request's tokens as they come."""
    async with await client.stream(REQUEST) as stream:
        async for token in stream:
            texts.append(token.text)  # noqa: PERF401 - a fault may come after any of them


BROKEN: dict[str, tuple[Answer, type[ModelServerError], list[str]]] = {
    "half a line": (events([event("a"), b'data: {"choi']), BadAnswer, ["a"]),
    "no last event": (events([event("a")]), BadAnswer, ["a"]),
    "nothing": (events([]), BadAnswer, []),
    "a page": (scripted(b"<html>Log in</html>", kind="text/html"), BadAnswer, []),
    "a page called events": (events([b"<html>\nLog in</html>"]), BadAnswer, []),
    "a list": (events([b"data: [1, 2]\n\n"]), BadAnswer, []),
    "another object": (events([b'data: {"answer": 42}\n\n']), BadAnswer, []),
    "deep nesting": (events([b"data: " + b"[" * 100_000 + b"\n\n"]), BadAnswer, []),
    "no UTF-8": (events([b'data: {"choices":[{"text":"\xff"}]}\n\n']), BadAnswer, []),
    "text that is none": (events([b'data: {"choices":[{"text":7}]}\n\n']), BadAnswer, []),
    "a long line": (events([event("a"), b"data: ", b"x" * 10_000_000]), BadAnswer, ["a"]),
    "an error": (
        events([event("a"), b'data: {"error":{"message":"def secret_name","code":500}}\n\n']),
        ServerFault,
        ["a"],
    ),
    "an error line": (events([b'error: {"code":500,"message":"x"}\n\n']), ServerFault, []),
    "an abort": (events([event("a"), event("", "abort")]), ServerFault, ["a"]),
    "a cut body": (
        Answer((b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"5\r\nda"), "close"),
        ServerUnreachable,
        [],
    ),
    "a cut head": (Answer((b"HTTP/1.1 200 OK\r\nContent-",), "close"), ServerUnreachable, []),
    "no HTTP": (Answer((b"SSH-2.0-OpenSSH_9.6\r\n\r\n",), "close"), BadAnswer, []),
    "a redirect": (
        scripted(b"", status=307, headers={"Location": "http://127.0.0.1:1/v1/completions"}),
        RequestRefused,
        [],
    ),
    "bad compression": (
        scripted(b"not gzip", headers={"Content-Encoding": "gzip"}),
        BadAnswer,
        [],
    ),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_broken_answer(name: str) -> None:
    """Tokens that came before a fault are handed on, then one error says what is wrong."""
    answer, error, texts = BROKEN[name]
    found: list[str] = []
    async with client_of(answer) as (client, server):
        with pytest.raises(error) as caught:
            await read_into(found, client)
        assert type(caught.value) is error
        assert server.url in str(caught.value)
        assert [request.path for request in server.received] == ["/v1/completions"]
    assert found == texts
    told = "".join(traceback.format_exception(caught.value)) + repr(client)
    assert KEY not in told
    assert "secret_name" not in str(caught.value)


async def test_nothing_listens() -> None:
    """Where nothing listens the sentence names the address and what to do."""
    address = free_address()
    client = OpenAICompatible(address, "m", api_key=KEY)
    with pytest.raises(ServerUnreachable) as caught:
        await client.stream(REQUEST)
    assert str(caught.value) == (
        f"Nothing answers at {address}/v1: start it, or correct the address."
    )
    assert (await client.probe()).state is State.UNREACHABLE
    await client.aclose()


@pytest.mark.parametrize("url", ["", "h", "ftp://h", "http://", "http://[::1", "http://h:99999"])
async def test_wrong_address(url: str) -> None:
    """What is no http address is refused by a request, and a state of a probe."""
    client = OpenAICompatible(url, "m")
    with pytest.raises(RequestRefused, match="needs an http or https address"):
        await client.stream(REQUEST)
    assert (await client.probe()).state is State.NOT_A_SERVER
    await client.aclose()


@pytest.mark.parametrize("key", [f"{KEY}\nX-More: 1", f"{KEY}\x00", f"{KEY}é"])
async def test_key_that_http_cannot_carry(key: str) -> None:
    """A key with a line break or the like is refused without being repeated or sent."""
    async with ReplayServer({}) as server:
        client = OpenAICompatible(server.url, "m", api_key=key)
        with pytest.raises(KeyRefused) as caught:
            await client.stream(REQUEST)
        assert KEY not in "".join(traceback.format_exception(caught.value))
        probe = await client.probe()
        await client.aclose()
        assert server.connections == 0
    assert probe.state is State.KEY_REFUSED
    assert KEY not in probe.message


async def test_key_of_a_proxy_before_ollama() -> None:
    """Ollama's client sends the key of a proxy in front of it, and shows it nowhere."""
    async with ReplayServer({"GET /api/version": scripted(b"", status=401)}) as server:
        client = Ollama(server.url, "m", api_key=KEY)
        probe = await client.probe()
        await client.aclose()
        assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert probe.state is State.KEY_REFUSED
    assert KEY not in f"{probe} {client!r}"


async def test_password_in_the_address_is_not_shown() -> None:
    """User and password of an address are sent to the server, and stand in no text."""
    async with ReplayServer({ROUTE: scripted(b"", status=500)}) as server:
        client = OpenAICompatible(server.url.replace("//", "//me:hidden@"), "m")
        with pytest.raises(ServerFault) as caught:
            await client.stream(REQUEST)
        await client.aclose()
        assert server.received[0].headers["authorization"].startswith("Basic ")
    assert "hidden" not in f"{caught.value} {client!r} {client.address}"


async def test_closing_hangs_up_at_once() -> None:
    """Closing a stream closes the connection; closing it twice is safe."""
    async with client_of(events([event("a")], then="hang")) as (client, server):
        stream = await client.stream(REQUEST)
        assert await anext(stream) == Token("a")
        begun = time.monotonic()
        await stream.aclose()
        await server.hung_up.wait()
        assert time.monotonic() - begun < 1
        await stream.aclose()
        assert [token async for token in stream] == []
        assert stream.finish is None


async def test_closing_discards_what_has_arrived() -> None:
    """A stream closed early has no end of its own, though its last byte may be here already."""
    parts = event("a") + event("b", "stop") + b"data: [DONE]\n\n"
    async with client_of(events([parts])) as (client, _):
        stream = await client.stream(REQUEST)
        assert await anext(stream) == Token("a")
        await stream.aclose()
        assert [token async for token in stream] == []
        assert stream.finish is None


async def test_endless_error_is_not_read_to_its_end() -> None:
    """Of an error without end a part is read, and the connection is closed."""
    answer = scripted([b"x" * 50_000] * 4, status=500, kind="text/plain", then="hang")
    async with client_of(answer) as (client, server):
        with pytest.raises(ServerFault):
            await client.stream(REQUEST)
        await server.hung_up.wait()


async def test_closing_from_another_task_ends_the_wait() -> None:
    """A task that waits for a token sees the end of the stream when another one closes it."""
    async with client_of(events([event("a")], then="hang")) as (client, server):
        stream = await client.stream(REQUEST)
        texts: list[str] = []
        waiting = asyncio.ensure_future(collect(stream, texts))
        async with asyncio.timeout(10):
            while not texts:
                await asyncio.sleep(0)
        await stream.aclose()
        await waiting
        await server.hung_up.wait()
    assert texts == ["a"]


async def collect(stream: TokenStream, texts: list[str]) -> None:
    """Add the texts of a stream's tokens as they come."""
    async for token in stream:
        texts.append(token.text)  # noqa: PERF401 - another task looks on


async def test_deadline_while_tokens_are_missing() -> None:
    """A caller's deadline ends the wait for a token, hangs up, and leaves no half stream."""
    async with client_of(events([event("a")], then="hang")) as (client, server):
        stream = await client.stream(REQUEST)
        assert await anext(stream) == Token("a")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await anext(stream)
        await server.hung_up.wait()
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        assert stream.finish is None
        await stream.aclose()


async def test_cancelling_before_the_answer_begins() -> None:
    """A request that is cancelled while the prompt is evaluated hangs up too."""
    async with client_of(Answer((), "hang")) as (client, server):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await client.stream(REQUEST)
        await server.hung_up.wait()


async def test_cancelling_the_close_hangs_up_all_the_same() -> None:
    """A task cancelled in the middle of closing leaves no open connection."""
    async with client_of(events([event("a")], then="hang")) as (client, server):
        stream = await client.stream(REQUEST)
        closing = asyncio.ensure_future(stream.aclose())
        await asyncio.sleep(0)
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)
        await server.hung_up.wait()


async def test_dripping_answer_has_no_time_limit_of_its_own() -> None:
    """Slow tokens are waited for; only the caller decides how long."""
    parts = [event("a"), b": still thinking\n\n", event("b", "stop"), b"data: [DONE]\n\n"]
    async with client_of(events(parts)) as (client, _):
        assert [token.text for token in await all_of(client)] == ["a", "b"]


async def test_finished_answers_share_a_connection() -> None:
    """A connection whose answer ended by itself serves the next request."""
    body = event("a", "stop") + b"data: [DONE]\n\n"
    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
    async with client_of(Answer((head, body))) as (client, server):
        for _ in range(3):
            assert [token.text for token in await all_of(client)] == ["a"]
        assert server.connections == 1


async def test_server_that_does_not_end_its_answer() -> None:
    """After the last event nobody waits for a server that keeps the answer open."""
    parts = [event("a", "stop"), b"data: [DONE]\n\n"]
    async with client_of(events(parts, then="hang")) as (client, server):
        begun = time.monotonic()
        assert [token.text for token in await all_of(client)] == ["a"]
        assert time.monotonic() - begun < 1
        await server.hung_up.wait()


async def test_silent_server_is_unreachable_to_a_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A probe waits a limited time for a server that accepts and says nothing."""
    monkeypatch.setattr("synconfroute.clients.openai.client.PROBE_SECONDS", 0.1)
    async with ReplayServer({"GET /v1/models": Answer((), "hang")}) as server:
        client = OpenAICompatible(server.url)
        probe = await client.probe()
        await client.aclose()
    assert probe.state is State.UNREACHABLE
    assert "did not answer within 0.1 s" in probe.message


async def test_lone_surrogate_in_a_prompt_is_sent_as_a_question_mark() -> None:
    """A buffer with half a character, as an editor may send, does not fail the request."""
    async with client_of(events([event("a", "stop"), b"data: [DONE]\n\n"])) as (client, server):
        request = GenerationRequest(TextPrompt("x = '\ud800'"), max_tokens=1)
        async with await client.stream(request) as stream:
            assert [token.text async for token in stream] == ["a"]
        assert server.body()["prompt"] == "x = '?'"

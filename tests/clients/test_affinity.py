"""What keeps a session on one replica: its name, and what routers hand out, on real sockets."""

import logging
import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.affinity import LONGEST_TOKEN, Affinity
from synconfroute.clients.model import GenerationRequest, TextPrompt
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.errors import RequestRefused, ServerBusy
from tests.clients.replay import Answer, ReplayServer, case, recorded, scripted

ROUTE = "POST /v1/completions"
RECORDED = recorded(case("vllm-0.32.0", "completions-request-id"))
REQUEST = GenerationRequest(TextPrompt("x"), 4, request_id="r1")
BODY = b'data: {"choices":[{"index":0,"text":"a","finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


def answer(*headers: tuple[str, str], status: int = 200) -> Answer:
    """A short answer with these headers, some perhaps twice."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers)
    head = f"HTTP/1.1 {status} Scripted\r\nContent-Length: {len(BODY)}\r\n{lines}\r\n"
    return Answer((head.encode(), BODY))


async def asked(
    server: ReplayServer, client: OpenAICompatible, times: int
) -> list[Mapping[str, str]]:
    """Ask so many times; the headers that came there."""
    begun = len(server.received)
    for _ in range(times):
        async with await client.stream(REQUEST) as stream:
            async for _token in stream:
                pass
    return [received.headers for received in server.received[begun:]]


async def test_a_session_has_one_name_and_the_next_one_another() -> None:
    """32 digits by chance, the same with each request of a client; another client has others."""
    async with ReplayServer({ROUTE: RECORDED}) as server:
        names = set()
        for _ in range(3):
            client = OpenAICompatible(server.url, "qwen", affinity=Affinity("x-session-id"))
            (name,) = {sent["x-session-id"] for sent in await asked(server, client, 3)}
            assert re.fullmatch("[0-9a-f]{32}", name)
            names.add(name)
            await client.aclose()
        assert len(names) == 3


async def test_several_headers_carry_the_same_name() -> None:
    """A gateway hashes one, the router behind it another."""
    affinity = Affinity("X-User-Id, x-aibrix-session-key")
    async with ReplayServer({ROUTE: RECORDED}) as server:
        client = OpenAICompatible(server.url, "qwen", affinity=affinity)
        (sent,) = await asked(server, client, 1)
        await client.aclose()
    assert sent["x-user-id"] == sent["x-aibrix-session-key"]
    assert "x-session-id" not in sent


async def test_nothing_names_the_session_where_nothing_is_to() -> None:
    """The off switch: neither name nor token nor cookie goes out."""
    handed = answer(("x-session-token", "cG9k"), ("x-session-id", "b"), ("Set-Cookie", "GCLB=1"))
    async with ReplayServer({ROUTE: handed}) as server:
        for affinity in (None, Affinity()):
            client = OpenAICompatible(server.url, "qwen", affinity=affinity)
            for sent in await asked(server, client, 2):
                assert not {"x-session-id", "x-session-token", "cookie"} & set(sent)
            await client.aclose()


async def test_headers_of_the_settings_come_first() -> None:
    """Whoever sets the header has a reason to."""
    async with ReplayServer({ROUTE: answer(("x-session-id", "theirs"))}) as server:
        client = OpenAICompatible(
            server.url,
            "qwen",
            headers={"X-Session-ID": "mine"},
            affinity=Affinity("x-session-id", "x-session-id"),
        )
        assert [sent["x-session-id"] for sent in await asked(server, client, 2)] == ["mine"] * 2
        await client.aclose()


async def test_a_router_s_token_goes_along_with_the_next_request() -> None:
    """The newest one; an answer without leaves the one before."""
    answers = [
        answer(("x-session-token", "cG9kLTE=")),
        answer(),
        answer(("X-Session-Token", "cG9kLTI=")),
        answer(),
    ]
    async with ReplayServer({ROUTE: answers}) as server:
        affinity = Affinity("x-session-id", "x-session-token")
        client = OpenAICompatible(server.url, "qwen", affinity=affinity)
        sent = await asked(server, client, 4)
        await client.aclose()
    assert [each.get("x-session-token") for each in sent] == [
        None, "cG9kLTE=", "cG9kLTE=", "cG9kLTI=",
    ]  # fmt: skip
    assert len({each["x-session-id"] for each in sent}) == 1


async def test_a_gateway_s_own_session_takes_the_place_of_ours() -> None:
    """AIBrix answers with an opaque x-session-id and knows no other."""
    async with ReplayServer({ROUTE: answer(("x-session-id", "MTAuMC4wLjE="))}) as server:
        affinity = Affinity("x-session-id", "x-session-id")
        client = OpenAICompatible(server.url, "qwen", affinity=affinity)
        first, second = await asked(server, client, 2)
        await client.aclose()
    assert first["x-session-id"] != "MTAuMC4wLjE="
    assert second["x-session-id"] == "MTAuMC4wLjE="


@pytest.mark.parametrize(
    "value", ["a" * (LONGEST_TOKEN + 1), "a\tb", "é", "", "a\x1b[0m"], ids=repr
)
async def test_what_is_too_long_or_no_plain_text_is_not_carried_back(value: str) -> None:
    """The request goes without, and is answered."""
    raw = answer(("x-session-token", value))
    head = raw.pieces[0].decode().encode("latin-1")
    async with ReplayServer({ROUTE: Answer((head, raw.pieces[1]))}) as server:
        client = OpenAICompatible(server.url, "qwen", affinity=Affinity("", "x-session-token"))
        _, second = await asked(server, client, 2)
        await client.aclose()
    assert "x-session-token" not in second


async def test_a_server_sets_no_other_header_on_us() -> None:
    """Neither one that nobody named, nor a key or a frame where somebody did."""
    handed = answer(("x-other", "1"), ("authorization", "Bearer theirs"), ("host", "theirs"))
    async with ReplayServer({ROUTE: handed}) as server:
        affinity = Affinity("", "authorization, host, cookie")
        client = OpenAICompatible(server.url, "qwen", api_key="k-1", affinity=affinity)
        _, second = await asked(server, client, 2)
        await client.aclose()
    assert second["authorization"] == "Bearer k-1"
    assert second["host"] == server.url.removeprefix("http://")
    assert not {"x-other", "cookie"} & set(second)


async def test_of_cookies_the_named_ones_go_along_until_they_expire() -> None:
    """A load balancer's; whatever else wants to know us again is dropped."""
    answers = [
        answer(
            ("Set-Cookie", "INGRESSCOOKIE=replica-1; Path=/; HttpOnly"),
            ("Set-Cookie", "tracking=me; Path=/"),
        ),
        answer(),
        answer(("Set-Cookie", "INGRESSCOOKIE=gone; Path=/; Max-Age=0")),
        answer(("Set-Cookie", f"INGRESSCOOKIE={'a' * (LONGEST_TOKEN + 1)}; Path=/")),
        answer(),
    ]
    async with ReplayServer({ROUTE: answers}) as server:
        affinity = Affinity(cookies="GCLB, INGRESSCOOKIE")
        client = OpenAICompatible(server.url, "qwen", affinity=affinity)
        sent = await asked(server, client, 5)
        await client.aclose()
    assert [each.get("cookie") for each in sent] == [
        None, "INGRESSCOOKIE=replica-1", "INGRESSCOOKIE=replica-1", None, None,
    ]  # fmt: skip


async def test_a_server_cannot_fill_the_jar() -> None:
    """A cookie of a permitted name for each of a thousand paths."""
    many = [
        answer(*(("Set-Cookie", f"GCLB={n}; Path=/v1/{n}-{turn}") for n in range(50)))
        for turn in range(20)
    ]
    async with ReplayServer({ROUTE: many}) as server:
        affinity = Affinity(cookies="GCLB")
        client = OpenAICompatible(server.url, "qwen", affinity=affinity)
        await asked(server, client, 20)
        assert len(affinity.jar) <= 8
        await client.aclose()


async def test_a_closed_client_has_forgotten_what_it_was_told() -> None:
    """Token and cookie end with the session."""
    handed = answer(("x-session-token", "cG9k"), ("Set-Cookie", "GCLB=1; Path=/"))
    async with ReplayServer({ROUTE: handed}) as server:
        affinity = Affinity("", "x-session-token", "GCLB")
        client = OpenAICompatible(server.url, "qwen", affinity=affinity)
        _, second = await asked(server, client, 2)
        assert second["x-session-token"] == "cG9k"
        assert second["cookie"] == "GCLB=1"
        await client.aclose()
        (after,) = await asked(server, client, 1)
        await client.aclose()
    assert not {"x-session-token", "cookie"} & set(after)


async def test_a_token_goes_to_no_other_address() -> None:
    """Two servers of one session's settings; and a redirect, which nobody follows."""
    handed = answer(("x-session-token", "cG9k"), ("Set-Cookie", "GCLB=1; Path=/"))
    async with ReplayServer({ROUTE: RECORDED}) as other:
        away = scripted(b"", status=307, headers={"Location": f"{other.url}/v1/completions"})
        async with ReplayServer({ROUTE: [handed, away]}) as server:
            affinity = Affinity("x-session-id", "x-session-token", "GCLB")
            client = OpenAICompatible(server.url, "qwen", affinity=affinity)
            await asked(server, client, 1)
            with pytest.raises(RequestRefused):
                await asked(server, client, 1)
            await client.aclose()
        assert other.received == []


async def test_a_refusal_teaches_nothing() -> None:
    """What a gateway says while it turns us away leads to no replica."""
    busy = answer(("x-session-token", "busy"), ("Retry-After", "2"), status=429)
    async with ReplayServer({ROUTE: [busy, answer()]}) as server:
        client = OpenAICompatible(server.url, "qwen", affinity=Affinity("", "x-session-token"))
        with pytest.raises(ServerBusy):
            await asked(server, client, 1)
        (second,) = await asked(server, client, 1)
        await client.aclose()
    assert "x-session-token" not in second


async def test_no_log_and_no_text_of_an_object_holds_a_token(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Not even the most talkative log."""
    handed = answer(("x-session-token", "c2VjcmV0"), ("Set-Cookie", "GCLB=s3cr3t; Path=/"))
    affinity = Affinity("x-session-id", "x-session-token", "GCLB")
    with caplog.at_level(logging.DEBUG, logger="synconfroute"):
        async with ReplayServer({ROUTE: handed}) as server:
            client = OpenAICompatible(server.url, "qwen", affinity=affinity)
            sent = await asked(server, client, 2)
            told = f"{client!r} {affinity!r}"
            await client.aclose()
    for secret in ("c2VjcmV0", "s3cr3t", sent[0]["x-session-id"]):
        assert secret not in told
        assert secret not in "".join(
            record.getMessage() for record in caplog.records if record.name.startswith("synconf")
        )


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_list_of_names_is_read(headers: str, echoed: str, cookies: str) -> None:
    """Whatever the settings hold, a session can be made and asked for its headers."""
    affinity = Affinity(headers, echoed, cookies)
    affinity.learn({"x-session-token": "a"})
    assert all(isinstance(value, str) for value in affinity.headers.values())
    assert len(affinity.jar) == 0

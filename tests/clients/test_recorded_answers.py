"""The recorded answers of real servers, replayed over a socket."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synconfroute.clients.connection import Connection
from synconfroute.clients.engine.answer import CompletionReader
from synconfroute.clients.faults import Peer
from synconfroute.clients.model import (
    ChatPrompt,
    Finish,
    GenerationRequest,
    TextPrompt,
    Token,
)
from synconfroute.clients.ollama import Ollama
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.errors import ModelServerError
from tests.clients.not_called import NOT_CALLED
from tests.clients.outcomes import STREAMS, Fails, Outcome, Says
from tests.clients.probes import PROBES, Probing
from tests.clients.replay import (
    RECORDED,
    Case,
    Cut,
    ReplayServer,
    all_cases,
    case,
    every,
    recorded,
    scripted,
)

STREAMED = [case(server, name) for server, cases in STREAMS.items() for name in cases]
ENGINE_CASE = ("llama.cpp-server", "native-completion")


@asynccontextmanager
async def replayed(source: Case, cut: Cut | None = None) -> AsyncIterator[ReplayServer]:
    """A server that gives the recorded answer, and says that the model is there."""
    answers = {f"{source.method} {source.path}": recorded(source, cut)}
    if source.path.startswith("/api/"):
        answers["POST /api/show"] = recorded(case(source.server, "show-qwen"))
    if source.path == "/api/chat":  # a ChatML model would be asked by /api/generate
        answers["POST /api/show"] = scripted(b'{"template": "{{ .Prompt }}"}')
    async with ReplayServer(answers) as server:
        yield server


def client_for(source: Case, url: str) -> Ollama | OpenAICompatible:
    """The client that makes the recorded call, for the recorded model."""
    model = source.body.get("model", "qwen") if isinstance(source.body, dict) else "qwen"
    if source.path == "/v1/completions":
        return OpenAICompatible(url, model, api_key="k")
    return Ollama(url, model)


def request_like(source: Case) -> GenerationRequest:
    """The request that our client makes such a call for."""
    if source.path == "/api/chat":
        chat = ChatPrompt("Complete", prefill="def", system="You complete code.")
        return GenerationRequest(chat, max_tokens=24)
    prompt = source.body.get("prompt", "x") if isinstance(source.body, dict) else "x"
    return GenerationRequest(TextPrompt(prompt), max_tokens=24)


async def outcome_of(source: Case, server: ReplayServer) -> tuple[list[Token], Finish | None]:
    """All tokens; of an answer that was cut off, as many as there are before hanging up."""
    client = client_for(source, server.url)
    tokens = []
    try:
        stream = await client.stream(request_like(source))
        async with stream:
            async for token in stream:
                tokens.append(token)
                if source.closed_by_client and len(tokens) == 3:
                    break
    finally:
        await client.aclose()
    return tokens, stream.finish


async def check(source: Case, expected: Outcome, cut: Cut | None = None) -> None:
    """The replayed answer becomes what the table says."""
    async with replayed(source, cut) as server:
        if isinstance(expected, Fails):
            with pytest.raises(expected.error) as caught:
                await outcome_of(source, server)
            assert type(caught.value) is expected.error
            assert expected.says in str(caught.value)
            check_silence(source, caught.value)
            return
        tokens, finish = await outcome_of(source, server)
    check_tokens(expected, tokens, finish)


def check_tokens(expected: Says, tokens: list[Token], finish: Finish | None) -> None:
    """Text, counts, log-probs and end are those of the table."""
    scored = [token.logprob for token in tokens if token.logprob is not None]
    assert "".join(token.text for token in tokens) == expected.text
    assert len(tokens) == expected.tokens
    assert len(scored) == (expected.tokens if expected.scored is None else expected.scored)
    assert tuple(round(value, 3) for value in scored[:3]) == expected.first
    assert (finish.reason if finish else None) == expected.reason
    if finish is not None:
        assert finish.generated == expected.generated
        assert finish.logprobs_lost is expected.lost


def check_silence(source: Case, error: ModelServerError) -> None:
    """The sentence names the server and repeats nothing of the prompt."""
    assert "http://127.0.0.1:" in str(error)
    prompt = source.body.get("prompt", "") if isinstance(source.body, dict) else ""
    assert not [line for line in prompt.split("\n") if len(line) > 5 and line in str(error)]


@pytest.mark.parametrize("source", STREAMED, ids=str)
async def test_recorded_answer_becomes_tokens_or_an_error(source: Case) -> None:
    """Each recorded answer, at its recorded chunk borders, becomes what the table says."""
    await check(source, STREAMS[source.server][source.name])


@pytest.mark.parametrize("source", STREAMED, ids=str)
async def test_recorded_answer_cut_into_small_pieces(source: Case) -> None:
    """Short answers sent byte by byte, long ones 101 bytes at a time, become the same."""
    size = 1 if sum(map(len, source.chunks)) < 2500 else 101
    await check(source, STREAMS[source.server][source.name], every(size))


DELICATE = [
    source
    for source in STREAMED
    if source.name
    in {"generate-cjk", "generate-emoji", "generate-split-utf8", "completions-split-utf8"}
]


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(source=st.sampled_from(DELICATE), borders=st.lists(st.integers(0, 9000), max_size=40))
async def test_recorded_answer_cut_anywhere(source: Case, borders: list[int]) -> None:
    """Answers with characters of several bytes, cut at any bytes, become the same."""

    def cut(data: bytes) -> list[bytes]:
        places = [0, *sorted({border for border in borders if border < len(data)}), len(data)]
        return [data[a:b] for a, b in pairwise(places)]

    await check(source, STREAMS[source.server][source.name], cut)


@pytest.mark.parametrize("source", [s for s in STREAMED if s.closed_by_client], ids=str)
async def test_closing_after_three_tokens_hangs_up(source: Case) -> None:
    """The server of an answer that is not wanted any more sees the connection close."""
    async with replayed(source) as server:
        tokens, finish = await outcome_of(source, server)
        await server.hung_up.wait()
    assert len(tokens) == 3
    assert finish is None


@pytest.mark.parametrize("probing", PROBES, ids=str)
async def test_probe_of_recorded_server(probing: Probing) -> None:
    """A probe of each recorded server finds what the table says."""
    answers = {
        route: recorded(case(probing.server, name)) for route, name in probing.routes.items()
    }
    async with ReplayServer(answers) as server:
        client = (
            Ollama(server.url, probing.model)
            if probing.client == "ollama"
            else OpenAICompatible(server.url, probing.model, api_key="k")
        )
        probe = await client.probe()
        await client.aclose()
        asked = {f"{request.method} {request.path}" for request in server.received}
    found = {name: getattr(probe, name) for name in probing.finds}
    found["models"] = tuple(sorted(probe.models))
    assert found == {"models": found["models"], **probing.finds}
    assert probing.says in probe.message
    assert asked == set(probing.routes) - unasked(probing)


def unasked(probing: Probing) -> set[str]:
    """Routes offered that a probe need not ask, because it failed before."""
    if probing.model == "nope" and probing.client == "ollama":
        return {"GET /api/ps"}
    return {"GET /api/ps", "POST /api/show"} if probing.model == "" else set()


async def test_recorded_engine_answer() -> None:
    """llama.cpp's own /completion, which the embedded engine is asked by, becomes tokens too."""
    source = case(*ENGINE_CASE)
    peer = Peer("The engine", "embedded", "qwen")
    async with ReplayServer({"POST /completion": recorded(source)}) as server:
        connection = Connection(server.url)
        reader = CompletionReader(peer, max_tokens=24)
        stream = await connection.stream(peer, "/completion", {}, reader)
        tokens = [token async for token in stream]
        await connection.aclose()
    expected = STREAMS["llama.cpp-server"]["completions-fim-python"]
    assert isinstance(expected, Says)
    check_tokens(expected, tokens, stream.finish)


def test_every_recorded_case_is_accounted_for() -> None:
    """Each of the 170 recordings has an expected outcome, or a reason why its call is not made."""
    expected = {(server, name) for server, cases in STREAMS.items() for name in cases}
    probed = {(probing.server, name) for probing in PROBES for name in probing.routes.values()}
    left_out = {(server, name) for server, cases in NOT_CALLED.items() for name in cases}
    every_case = {(source.server, source.name) for source in all_cases()}
    assert len(every_case) == 170
    assert expected | probed | left_out | {ENGINE_CASE} == every_case
    assert not left_out & (expected | probed | {ENGINE_CASE})


def test_recordings_hold_no_key() -> None:
    """No recording carries the key that it was made with."""
    for file in RECORDED.glob("*/*.json"):
        headers = json.loads(file.read_text(encoding="utf-8"))["request"]["headers"]
        assert headers.get("Authorization", "Bearer …") == "Bearer …"

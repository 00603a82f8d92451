"""Scripted models, asked over real sockets by our own clients, beside recorded answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from http.client import HTTPConnection
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.model.http import Request, Requests
from benchmarks.model.pace import Pace, Steady
from benchmarks.model.record import Came, Generation, event_of, line_of
from benchmarks.model.script import SUM, Asked, Fixed, Script, Token, split
from benchmarks.model.serving import Model, listen
from benchmarks.model.shapes import SHAPES
from synconfroute.clients.model import GenerationRequest, ModelClient, State, TextPrompt
from synconfroute.clients.ollama import Ollama
from synconfroute.clients.openai import OpenAICompatible
from tests.clients.replay import case

AT_ONCE = Steady(0.0, 0.0)
PROMPT = TextPrompt("<|fim_prefix|>a = <|fim_suffix|>\nb\n<|fim_middle|>")
CLIENTS = {"ollama": Ollama, "vllm": OpenAICompatible}


class _Served:
    """A server in this process, and what it told."""

    def __init__(self, url: str, shape: str, told: list[Came | Generation]) -> None:
        self.url = url
        self.told = told
        self.client: ModelClient = CLIENTS[shape](url)

    @property
    def over(self) -> list[Generation]:
        return [event for event in self.told if isinstance(event, Generation)]


@asynccontextmanager
async def served(shape: str, script: Script = SUM, pace: Pace = AT_ONCE) -> AsyncIterator[_Served]:
    """A scripted model on loopback."""
    told: list[Came | Generation] = []
    server = await listen(Model(SHAPES[shape](), script, pace, told.append))
    port = server.sockets[0].getsockname()[1]
    found = _Served(f"http://127.0.0.1:{port}", shape, told)
    try:
        yield found
    finally:
        await found.client.aclose()
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("shape", ["ollama", "vllm"])
async def test_our_client_reads_the_script_with_its_log_probs(shape: str) -> None:
    """Texts and log-probs come as the script has them, whatever the protocol."""
    script = Fixed((Token("x", -0.25), Token(" +", -1.5), Token(" é\n", -0.5)))
    async with (
        served(shape, script) as model,
        await model.client.stream(GenerationRequest(PROMPT, 50)) as stream,
    ):
        tokens = [token async for token in stream]
    assert "".join(token.text for token in tokens) == "x + é\n"
    assert [token.logprob for token in tokens if token.text] == [-0.25, -1.5, -0.5]


@pytest.mark.parametrize("shape", ["ollama", "vllm"])
async def test_our_client_finds_a_model_that_completes(shape: str) -> None:
    """The probe finds the model ready, with log-probs and its format."""
    async with served(shape) as model:
        probe = await model.client.probe()
    assert probe.state is State.READY
    assert probe.fim_family == "qwen"


@pytest.mark.parametrize("shape", ["ollama", "vllm"])
async def test_a_generation_says_what_was_written_and_when(shape: str) -> None:
    """Number of tokens, text, and moments; no token is written before it is due."""
    async with (
        served(shape, pace=Steady(0.02, 0.01)) as model,
        await model.client.stream(GenerationRequest(PROMPT, 50)) as stream,
    ):
        assert len([token async for token in stream if token.text]) == len(SUM.tokens)
    (made,) = model.over
    assert (made.tokens, made.whole, made.text) == (5, True, "total = alpha + beta")
    assert made.first is not None
    assert made.third is not None
    assert made.came + 0.019 <= made.first
    assert made.came + 0.039 <= made.third
    assert made.came + 0.069 <= made.ended


@pytest.mark.parametrize("shape", ["ollama", "vllm"])
async def test_a_closed_connection_ends_the_generation(shape: str) -> None:
    """What was written until then is told, and nothing is written after it."""
    script = Fixed(SUM.tokens, endless=True)
    async with served(shape, script, Steady(0.0, 0.001)) as model:
        async with await model.client.stream(GenerationRequest(PROMPT, 10_000)) as stream:
            seen = 0
            async for _ in stream:
                seen += 1
                if seen == 7:
                    break
        async with asyncio.timeout(5):
            while not model.over:
                await asyncio.sleep(0.001)
        (made,) = model.over
        assert not made.whole
        assert made.tokens >= seen
        await asyncio.sleep(0.02)
        assert model.over == [made]


@pytest.mark.parametrize("shape", ["ollama", "vllm"])
async def test_the_most_tokens_asked_for_end_an_answer(shape: str) -> None:
    """An endless script stops at the limit, for the reason "length"."""
    async with (
        served(shape, Fixed(SUM.tokens, endless=True)) as model,
        await model.client.stream(GenerationRequest(PROMPT, 12)) as stream,
    ):
        texts = [token.text async for token in stream]
        assert stream.finish is not None
    assert len(texts) == 12
    assert stream.finish.reason == "length"


@pytest.mark.parametrize(
    ("shape", "path", "body"),
    [
        ("ollama", "/api/generate", {"prompt": "x", "options": {"stop": ["\n"]}}),
        ("vllm", "/v1/completions", {"prompt": "x", "max_tokens": 50, "stop": "\n"}),
    ],
)
async def test_a_stop_text_ends_an_answer_before_itself(
    shape: str, path: str, body: dict[str, Any]
) -> None:
    """Not streamed: one object, with the text up to the stop."""
    script = Fixed((Token("one"), Token(" two\nthree"), Token(" four")))
    async with served(shape, script) as model:
        answer = await asyncio.to_thread(_post, model.url, path, {**body, "stream": False})
    text = answer["response"] if shape == "ollama" else answer["choices"][0]["text"]
    assert text == "one two"
    assert model.over[0].text == "one two"


def _post(url: str, path: str, body: dict[str, Any]) -> Any:
    connection = HTTPConnection(url.removeprefix("http://"), timeout=5)
    try:
        connection.request("POST", path, json.dumps(body))
        return json.load(connection.getresponse())
    finally:
        connection.close()


def _events(chunks: tuple[bytes, ...] | list[bytes]) -> list[dict[str, Any]]:
    lines = b"".join(chunks).splitlines()
    payloads = [line.removeprefix(b"data: ") for line in lines if line.strip()]
    return [json.loads(payload) for payload in payloads if payload != b"[DONE]"]


def _form(value: Any) -> Any:
    """The shape of a JSON value: members with theirs, the first item of a list, else a type."""
    if isinstance(value, dict):
        named = {"token_logprobs", "tokens", "text_offset", "top_logprobs"} & set(value)
        return {name: (name if name in named else _form(each)) for name, each in value.items()}
    if isinstance(value, list):
        return [_form(value[0])] if value else []
    return "number" if isinstance(value, int | float) else type(value).__name__


@pytest.mark.parametrize(
    ("shape", "server", "name"),
    [
        ("ollama", "ollama-0.33.0-rc2", "generate-fim-python"),
        ("vllm", "vllm-0.32.0", "completions-usage"),
    ],
)
def test_events_have_the_form_of_recorded_ones(shape: str, server: str, name: str) -> None:
    """The first token's event has the members that the real server's has, and no others."""
    (real, *_) = _events(case(server, name).chunks)
    writing = SHAPES[shape]().begin(Asked("x", usage=True))
    (made,) = _events([writing.event(Token("total", -0.09), None)])
    assert _form(made) == _form(real)


def test_vllm_counts_tokens_at_the_end_where_that_is_asked() -> None:
    """The last event but the end has no choice, and the recorded one's members of usage."""
    real = _events(case("vllm-0.32.0", "completions-usage").chunks)[-1]
    writing = SHAPES["vllm"]().begin(Asked("x", usage=True))
    writing.event(Token("a"), None)
    *_, made = _events([writing.event(Token("b"), "length")])
    assert made["choices"] == real["choices"] == []
    assert set(made["usage"]) == set(real["usage"])
    assert made["usage"]["completion_tokens"] == 2


def test_a_prompt_is_split_at_its_marks() -> None:
    """Prefix and suffix of Qwen's format; any other prompt is all prefix."""
    assert split(PROMPT.text) == ("a = ", "\nb\n")
    assert split("def f") == ("def f", "")


@given(
    bodies=st.lists(st.binary(max_size=200), min_size=1, max_size=4),
    cuts=st.lists(st.integers(0, 1500), max_size=8),
)
def test_requests_are_found_however_their_bytes_are_cut(
    bodies: list[bytes], cuts: list[int]
) -> None:
    """One after the other, each whole, with the body that its length says."""
    data = b"".join(
        b"POST /a?b=c HTTP/1.1\r\nHost: x\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
        for body in bodies
    )
    edges = sorted({0, len(data), *(min(cut, len(data)) for cut in cuts)})
    requests = Requests()
    found: list[Request] = []
    for start, end in pairwise(edges):
        requests.feed(data[start:end])
        found += _drained(requests)
    assert [each.body for each in found] == bodies
    assert {(each.method, each.path, each.headers["host"]) for each in found} == {
        ("POST", "/a", "x")
    }


def _drained(requests: Requests) -> Iterator[Request]:
    while (request := requests.next()) is not None:
        yield request


_MOMENTS = st.floats(0, 1e9)
_GENERATIONS = st.builds(
    Generation,
    number=st.integers(1),
    came=_MOMENTS,
    first=st.none() | _MOMENTS,
    third=st.none() | _MOMENTS,
    ended=_MOMENTS,
    tokens=st.integers(0),
    text=st.text(),
    whole=st.booleans(),
    request=st.text(),
    sent=st.integers(0),
)


@given(st.builds(Came, st.integers(1), _MOMENTS) | _GENERATIONS)
def test_an_event_is_one_line_and_comes_back(event: Came | Generation) -> None:
    """Whatever the text holds, line breaks too."""
    line = line_of(event)
    assert "\n" not in line
    assert event_of(line) == event

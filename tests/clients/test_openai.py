"""OpenAI-compatible servers: base addresses, what is sent, and shapes of answers."""

import json
from dataclasses import replace
from typing import Any

import pytest

from synconfroute.clients.model import (
    ChatPrompt,
    GenerationRequest,
    ModelClient,
    State,
    TextPrompt,
    Token,
)
from synconfroute.clients.openai import OpenAICompatible, Precedence, api_base
from synconfroute.clients.openai.address import server_root
from synconfroute.errors import ModelMissing, ServerBusy
from tests.clients.replay import Answer, ReplayServer, case, recorded, scripted

ROUTE = "POST /v1/completions"
RECORDED = recorded(case("vllm-0.32.0", "completions-request-id"))
REQUEST = GenerationRequest(
    TextPrompt("<|fim_prefix|>x"),
    4,
    stop_token_ids=(151643, 151645),
    request_id="req-7",
    traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
)


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://h", "https://h/v1"),
        ("https://h/", "https://h/v1"),
        ("https://h/v1", "https://h/v1"),
        (" https://h/v1/ ", "https://h/v1"),
        ("https://h/openai/v1", "https://h/openai/v1"),
        ("https://h/openai", "https://h/openai/v1"),
        ("https://h/v1beta/openai", "https://h/v1beta/openai"),
        ("https://v1.example/team", "https://v1.example/team/v1"),
        ("https://h:8000/v1/completions", "https://h:8000/v1"),
        ("https://h/v1/chat/completions/", "https://h/v1"),
    ],
)
def test_base_address(url: str, base: str) -> None:
    """With or without version and below any path, requests find the API."""
    assert api_base(url) == base
    assert api_base(base) == base


def test_server_root() -> None:
    """What is not part of the API is asked above its version."""
    assert server_root("https://h/openai/v1") == "https://h/openai"
    assert server_root("https://h/v1beta/openai") == "https://h/v1beta/openai"


async def test_request_as_sent() -> None:
    """A request carries the prompt, both ways of ending, key, extra headers and request id."""
    async with ReplayServer({"POST /openai/v1/completions": RECORDED}) as server:
        client = OpenAICompatible(
            f"{server.url}/openai/v1", "qwen", api_key=" k-1\n", headers={"X-Team": "blue"}
        )
        async with await client.stream(REQUEST) as stream:
            assert len([token async for token in stream]) == 4
            assert stream.finish is not None
            assert stream.finish.model == "qwen"
        await client.aclose()
        assert server.body() == {
            "model": "qwen",
            "prompt": "<|fim_prefix|>x",
            "max_tokens": 4,
            "temperature": 0.0,
            "stream": True,
            "stream_options": {"include_usage": True},
            "logprobs": 1,
            "stop_token_ids": [151643, 151645],
        }
        sent = server.received[0].headers
    assert sent["authorization"] == "Bearer k-1"
    assert sent["x-request-id"] == "req-7"
    assert sent["traceparent"] == "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    assert sent["x-team"] == "blue"
    assert sent["accept-encoding"] == "identity"


async def test_nothing_optional_is_sent_unasked() -> None:
    """Without key, ids and request id, neither header nor field for them goes out."""
    async with ReplayServer({ROUTE: RECORDED}) as server:
        client: ModelClient = OpenAICompatible(server.url, "qwen")
        async with await client.stream(GenerationRequest(TextPrompt("x"), 4)):
            pass
        await client.aclose()
        assert "stop_token_ids" not in server.body()
        assert "stop" not in server.body()
        assert not {"authorization", "x-request-id", "traceparent"} & set(
            server.received[0].headers
        )


async def test_a_drawn_answer_can_be_drawn_again() -> None:
    """Its temperature and seed are sent; without a seed none is."""
    async with ReplayServer({ROUTE: RECORDED}) as server:
        client = OpenAICompatible(server.url, "qwen")
        for seed in (7, None):
            asked = GenerationRequest(TextPrompt("x"), 4, temperature=0.8, seed=seed)
            async with await client.stream(asked):
                pass
        await client.aclose()
        assert (server.body(0)["temperature"], server.body(0)["seed"]) == (0.8, 7)
        assert "seed" not in server.body(1)


async def test_own_authorization_header_takes_precedence() -> None:
    """A gateway's own scheme in the extra headers is not overwritten by the key."""
    async with ReplayServer({ROUTE: RECORDED}) as server:
        client = OpenAICompatible(
            server.url, "qwen", api_key="k", headers={"authorization": "Basic abc"}
        )
        async with await client.stream(REQUEST):
            pass
        await client.aclose()
        assert server.received[0].headers["authorization"] == "Basic abc"


async def test_first_model_is_taken_where_none_is_set() -> None:
    """Without a model the first that the server offers is asked, and looked up once."""
    models = recorded(case("vllm-0.32.0", "models"))
    async with ReplayServer({ROUTE: RECORDED, "GET /v1/models": models}) as server:
        client = OpenAICompatible(server.url)
        assert client.model == ""
        for _ in range(2):
            async with await client.stream(REQUEST):
                pass
        await client.aclose()
        assert client.model == "qwen"
        assert [request.path for request in server.received] == [
            "/v1/models",
            "/v1/completions",
            "/v1/completions",
        ]


async def test_server_without_models() -> None:
    """A server that offers nothing is missing its model, in a request and in a probe."""
    async with ReplayServer({"GET /v1/models": scripted(b'{"data": []}')}) as server:
        client = OpenAICompatible(server.url)
        with pytest.raises(ModelMissing, match="offers no model"):
            await client.stream(REQUEST)
        assert (await client.probe()).state is State.MODEL_MISSING
        await client.aclose()


@pytest.mark.parametrize("server_name", ["vllm-0.32.0", "llama.cpp-server"])
@pytest.mark.parametrize("name", ["chat-logprobs", "chat-prefilled"])
async def test_a_chat_is_asked_as_recorded(server_name: str, name: str) -> None:
    """A chat goes to its own path with the recorded turns, and comes back with log-probs."""
    source = case(server_name, name)
    texts = {turn["role"]: turn["content"] for turn in source.body["messages"]}
    chat = ChatPrompt(texts["user"], prefill=texts.get("assistant", ""), system=texts["system"])
    async with ReplayServer({"POST /v1/chat/completions": recorded(source)}) as server:
        client = OpenAICompatible(server.url, "qwen")
        stream = await client.stream(GenerationRequest(chat, source.body["max_tokens"]))
        tokens = [token async for token in stream]
        await client.aclose()
        sent = server.received[0].json()
    assert {key: sent[key] for key in source.body} == source.body
    assert "".join(token.text for token in tokens).endswith(" a + b")
    assert all(token.logprob is not None for token in tokens)
    assert stream.finish is not None
    assert stream.finish.reason == "stop"


@pytest.mark.parametrize(
    ("answer", "chats"),
    [
        (recorded(case("vllm-0.32.0", "chat-not-streamed")), True),
        (scripted(b'{"error":{"message":"no chat template","code":400}}', status=400), False),
    ],
)
async def test_a_model_without_fim_is_asked_whether_its_chat_goes_on(
    answer: Answer, chats: bool
) -> None:
    """With an answer begun and no code; a base model, which has no chat, is not asked by chat."""
    answers = {
        "GET /v1/models": recorded(case("vllm-0.32.0", "models")),
        "GET /version": recorded(case("vllm-0.32.0", "version")),
        "POST /v1/chat/completions": answer,
    }
    async with ReplayServer(answers) as server:
        client = OpenAICompatible(server.url)
        assert (await client.probe()).chats == chats
        await client.aclose()
        sent = server.body()
    assert [turn["role"] for turn in sent["messages"]] == ["user", "assistant"]
    assert (sent["continue_final_message"], sent["max_tokens"]) == (True, 1)


@pytest.mark.parametrize(
    ("server_name", "software", "grammar"),
    [
        ("llama.cpp-server", "GET /props", 'root ::= " ret" [^\\x00]*'),
        ("vllm-0.32.0", "GET /version", None),
    ],
)
async def test_only_servers_that_can_are_made_to_begin_with_what_was_typed(
    server_name: str, software: str, grammar: str | None
) -> None:
    """llama.cpp follows a grammar to the model's own end; vLLM's would keep it from ending."""
    answers = {
        "GET /v1/models": recorded(case(server_name, "models")),
        software: recorded(case(server_name, software.rpartition("/")[2])),
        ROUTE: recorded(case(server_name, "completions-fim-python")),
    }
    async with ReplayServer(answers) as server:
        client = OpenAICompatible(server.url)
        assert (await client.probe()).heals == (grammar is not None)
        request = GenerationRequest(TextPrompt("x ="), 4, heal=" ret", plain=TextPrompt("x = ret"))
        async with await client.stream(request) as stream:
            assert [token async for token in stream]
        await client.aclose()
        assert server.body().get("grammar") == grammar
        assert server.body()["prompt"] == "x ="


def sse(*events: Any, end: str = "\n\n") -> Answer:
    """A stream of events."""
    lines = [event if isinstance(event, str) else f"data: {json.dumps(event)}" for event in events]
    return scripted([f"{line}{end}".encode() for line in lines], kind="text/event-stream")


def choice(text: str, finish: str | None = None, **members: Any) -> dict[str, Any]:
    """One event of a completion."""
    return {"choices": [{"index": 0, "text": text, "finish_reason": finish, **members}]}


CONTENT = {"content": [{"token": " b", "logprob": -0.5}]}
ARRAYS = {"tokens": [" b"], "token_logprobs": [-0.5], "top_logprobs": [{}], "text_offset": [0]}
SHAPES: dict[str, tuple[Answer, list[Token], str, bool]] = {
    "llama.cpp": (
        sse(choice(" b", logprobs=CONTENT), choice("", "stop"), "data: [DONE]"),
        [Token(" b", -0.5)],
        "stop",
        False,
    ),
    "vLLM": (
        sse(choice(" b", "length", logprobs=ARRAYS), "data: [DONE]"),
        [Token(" b", -0.5)],
        "length",
        False,
    ),
    "carriage returns": (
        sse(choice("a", "stop"), "data: [DONE]", end="\r\n\r\n"),
        [Token("a")],
        "stop",
        True,
    ),
    "no space after data": (
        sse(f"data:{json.dumps(choice('a', 'stop'))}", "data:[DONE]"),
        [Token("a")],
        "stop",
        True,
    ),
    "comments and event names": (
        sse(": ping", "event: completion", "id: 7", "retry: 10", choice("a", "stop")),
        [Token("a")],
        "stop",
        True,
    ),
    "no closing event": (sse(choice("a"), choice("", "length")), [Token("a")], "length", True),
    "no finish reason": (sse(choice("a"), "data: [DONE]"), [Token("a")], "stop", True),
    "line breaks of other scripts": (
        sse("data: " + json.dumps(choice("a\u2028b\x85c", "stop"), ensure_ascii=False)),
        [Token("a\u2028b\x85c")],
        "stop",
        True,
    ),
    "half a character": (sse(choice("\ud83d", "stop")), [Token("\ufffd")], "stop", True),
    "logprobs of null": (
        sse(
            choice("a", logprobs={"tokens": ["a"], "token_logprobs": [None]}),
            choice("b", "stop", logprobs=None),
        ),
        [Token("a"), Token("b")],
        "stop",
        True,
    ),
    "an end token with its log-prob": (
        sse(
            choice("a", logprobs={"tokens": ["a"], "token_logprobs": [-1]}),
            choice("", "stop", logprobs={"tokens": ["<|im_end|>"], "token_logprobs": [-2]}),
        ),
        [Token("a", -1.0)],
        "stop",
        False,
    ),
    "usage beside no choice": (
        sse(choice("a", "stop"), {"choices": [], "usage": {"completion_tokens": 1}}),
        [Token("a")],
        "stop",
        False,
    ),
}


@pytest.mark.parametrize("name", SHAPES)
async def test_shapes_of_answers(name: str) -> None:
    """Every shape that servers send becomes the same tokens."""
    answer, tokens, reason, lost = SHAPES[name]
    async with ReplayServer({ROUTE: answer}) as server:
        client = OpenAICompatible(server.url, "m")
        async with await client.stream(REQUEST) as stream:
            assert [token async for token in stream] == tokens
            assert stream.finish is not None
            assert stream.finish.reason == reason
            assert stream.finish.logprobs_lost is lost
        await client.aclose()


async def test_busy_server_says_how_long() -> None:
    """Retry-After of a busy gateway reaches the caller in seconds."""
    answer = scripted(b"slow down", status=429, kind="text/plain", headers={"Retry-After": "12"})
    async with ReplayServer({ROUTE: answer}) as server:
        client = OpenAICompatible(server.url, "m")
        with pytest.raises(ServerBusy) as caught:
            await client.stream(REQUEST)
        await client.aclose()
    assert caught.value.retry_after == 12.0


async def test_loading_server() -> None:
    """A server that still loads its model is loading, not broken."""
    body = b'{"error":{"message":"Loading model","type":"unavailable_error","code":503}}'
    async with ReplayServer({"GET /v1/models": scripted(body, status=503)}) as server:
        client = OpenAICompatible(server.url, "m")
        assert (await client.probe()).state is State.LOADING
        await client.aclose()


async def test_gateway_that_says_nothing_of_itself() -> None:
    """A gateway's model is found by name; what nobody said stays unknown."""
    listing = {"data": [{"id": "team/qwen2.5-coder-32b", "owned_by": "openai"}, {"id": 5}, "x"]}
    async with ReplayServer({"GET /v1/models": scripted(json.dumps(listing).encode())}) as server:
        client = OpenAICompatible(server.url)
        probe = await client.probe()
        await client.aclose()
    assert probe.ready
    assert (probe.server, probe.logprobs, probe.context_tokens) == ("", None, None)
    assert (probe.model, probe.fim_family) == ("team/qwen2.5-coder-32b", "qwen")


async def test_page_instead_of_a_server() -> None:
    """A web page at the address is no model server."""
    page = scripted(b"<!doctype html><title>Welcome</title>", kind="text/html")
    async with ReplayServer({"GET /v1/models": page}) as server:
        client = OpenAICompatible(server.url, "m")
        probe = await client.probe()
        await client.aclose()
    assert probe.state is State.NOT_A_SERVER


async def test_what_nobody_asked_for_lets_others_pass() -> None:
    """It carries a priority that comes after all who name none, and its own headers."""
    precedence = Precedence(10, {"x-gateway-inference-objective": "later"})
    async with ReplayServer({ROUTE: RECORDED}) as server:
        client = OpenAICompatible(server.url, "qwen", precedence=precedence)
        for automatic in (True, False):
            async with await client.stream(replace(REQUEST, automatic=automatic)):
                pass
        await client.aclose()
        later, first = server.received
    assert later.json()["priority"] == 10
    assert later.headers["x-gateway-inference-objective"] == "later"
    assert "priority" not in first.json()
    assert "x-gateway-inference-objective" not in first.headers


async def test_nothing_is_marked_unless_settings_say_so() -> None:
    """A local server of one user has nobody to let pass."""
    async with ReplayServer({ROUTE: RECORDED}) as server:
        client = OpenAICompatible(server.url, "qwen")
        async with await client.stream(replace(REQUEST, automatic=True)):
            pass
        await client.aclose()
        assert "priority" not in server.body()


@pytest.mark.parametrize(
    ("status", "headers", "seconds"),
    [
        (429, {"Retry-After": "7"}, 7.0),
        (503, {"Retry-After": "7"}, 7.0),
        (503, {"Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        (429, {"x-ratelimit-reset": "12"}, 12.0),
        (429, {"Retry-After": "7", "RateLimit-Reset": "12"}, 7.0),
        (429, {"x-ratelimit-reset": "1796000000"}, None),
        (429, {"x-ratelimit-reset": "1s"}, None),
        (503, {}, None),
    ],
)
async def test_a_streamed_request_that_is_turned_away_knows_how_long(
    status: int, headers: dict[str, str], seconds: float | None
) -> None:
    """Seconds, a date, or when a gateway's count begins anew; a point in time is no wait."""
    busy = scripted(b"slow down", status=status, kind="text/plain", headers=headers)
    async with ReplayServer({ROUTE: busy}) as server:
        client = OpenAICompatible(server.url, "qwen")
        with pytest.raises(ServerBusy) as caught:
            await client.stream(REQUEST)
        await client.aclose()
    assert caught.value.retry_after == seconds


async def test_a_gateway_that_drops_log_probs_and_counts_nothing() -> None:
    """LiteLLM 1.108.7 before a vLLM: the text is whole, and the tokens are those that came."""
    usage = '"usage":{"completion_tokens":0,"prompt_tokens":0,"total_tokens":0}'
    head = '{"id":"cmpl-1","object":"text_completion","created":1,"model":"qwen","choices":[{'
    events = [f'{head}"index":0,"text":"{text}"}}],{usage}}}' for text in (" a", " +", " b", "\\n")]
    events.append(f'{head}"finish_reason":"stop","index":0}}],{usage}}}')
    body = "".join(f"data: {event}\n\n" for event in [*events, "[DONE]"])
    answer = scripted(body.encode(), kind="text/event-stream; charset=utf-8")
    async with ReplayServer({ROUTE: answer}) as server:
        client = OpenAICompatible(server.url, "qwen")
        async with await client.stream(REQUEST) as stream:
            tokens = [token async for token in stream]
        await client.aclose()
    assert "".join(token.text for token in tokens) == " a + b\n"
    assert {token.logprob for token in tokens} == {None}
    assert stream.finish is not None
    assert (stream.finish.reason, stream.finish.generated) == ("stop", 4)

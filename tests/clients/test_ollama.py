"""Ollama: where it listens, what is sent to it, which model is taken, and pulls."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.http import base_address
from synconfroute.clients.model import (
    ChatPrompt,
    GenerationRequest,
    ModelClient,
    State,
    TextPrompt,
)
from synconfroute.clients.ollama import (
    Ollama,
    PullProgress,
    choose_code_model,
    ollama_address,
)
from synconfroute.clients.ollama.models import device_of, gives_logprobs, is_cloud
from synconfroute.errors import (
    BadAnswer,
    ModelMissing,
    RequestRefused,
    ServerFault,
    ServerUnreachable,
)
from tests.clients.replay import Answer, ReplayServer, case, recorded, scripted

SERVER = "ollama-0.33.0-rc2"
SHOW = recorded(case(SERVER, "show-qwen"))
GENERATE = recorded(case(SERVER, "generate-length-cut"))
CHAT = recorded(case(SERVER, "chat-prefilled"))
ROUTES: dict[str, Any] = {
    "POST /api/show": SHOW,
    "POST /api/generate": GENERATE,
    "POST /api/chat": CHAT,
}


@pytest.mark.parametrize(
    ("value", "address"),
    [
        (None, "http://127.0.0.1:11434"),
        ("", "http://127.0.0.1:11434"),
        ("  '127.0.0.1' ", "http://127.0.0.1:11434"),
        ('"localhost:1234"', "http://localhost:1234"),
        (":11435", "http://127.0.0.1:11435"),
        ("myhost", "http://myhost:11434"),
        ("myhost:80", "http://myhost:80"),
        ("10.0.0.5", "http://10.0.0.5:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104 - nothing is bound here
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("::", "http://[::1]:11434"),
        ("[::]:8080", "http://[::1]:8080"),
        ("::1", "http://[::1]:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("[2001:db8::1]:99", "http://[2001:db8::1]:99"),
        ("http://myhost", "http://myhost:80"),
        ("https://myhost", "https://myhost:443"),
        ("https://myhost:8443", "https://myhost:8443"),
        ("https://myhost/ollama/", "https://myhost:443/ollama"),
        ("myhost/ollama", "http://myhost:11434/ollama"),
        ("myhost:99999", "http://myhost:11434"),
        ("myhost:x", "http://myhost:11434"),
        ("https://myhost:x", "https://myhost:443"),
        ("HTTP://myhost:1", "http://myhost:1"),
    ],
)
def test_ollama_host_conventions(value: str | None, address: str) -> None:
    """OLLAMA_HOST names an address as Ollama's own client reads it."""
    assert ollama_address({} if value is None else {"OLLAMA_HOST": value}) == address


@given(st.text(max_size=30))
def test_any_ollama_host(value: str) -> None:
    """Every value of OLLAMA_HOST gives some text, and a plain one an http address."""
    address = ollama_address({"OLLAMA_HOST": value})
    if value.isascii() and value.isalnum():
        assert base_address(address) == address.lower()


async def test_raw_request_as_sent() -> None:
    """A text prompt goes raw, without stop strings, and forbids silent cuts."""
    async with ReplayServer(ROUTES) as server:
        client = Ollama(server.url, "qwen", keep_alive="10m", context_tokens=2048)
        request = GenerationRequest(TextPrompt("<|fim_prefix|>x"), 3, stop_token_ids=(1, 2))
        async with await client.stream(request) as stream:
            assert [token.text async for token in stream] == ["total", " /", " len"]
        await client.aclose()
        assert server.body() == {
            "model": "qwen",
            "prompt": "<|fim_prefix|>x",
            "raw": True,
            "stream": True,
            "think": False,
            "logprobs": True,
            "truncate": False,
            "shift": False,
            "keep_alive": "10m",
            "options": {
                "num_ctx": 2048,
                "num_predict": 3,
                "temperature": 0.0,
                "repeat_penalty": 1.0,
                "stop": [],
            },
        }


async def test_a_drawn_answer_can_be_drawn_again() -> None:
    """Its temperature and seed are among the options."""
    async with ReplayServer(ROUTES) as server:
        client = Ollama(server.url, "qwen", keep_alive="10m", context_tokens=2048)
        request = GenerationRequest(TextPrompt("x"), 3, temperature=0.8, seed=7)
        async with await client.stream(request):
            pass
        await client.aclose()
        options = server.body()["options"]
        assert (options["temperature"], options["seed"]) == (0.8, 7)


async def test_chat_request_as_sent() -> None:
    """Without ChatML a chat goes to /api/chat, the begun answer as its last message."""
    other = scripted(b'{"template": "[INST] {{ .Prompt }} [/INST]"}')
    async with ReplayServer({**ROUTES, "POST /api/show": other}) as server:
        client = Ollama(server.url, "other", keep_alive="-1")
        request = GenerationRequest(ChatPrompt("Go on", prefill="def f", system="Be brief"), 8)
        async with await client.stream(request) as stream:
            assert len([token async for token in stream]) == 8
        short = GenerationRequest(ChatPrompt("Go on"), 8)
        async with await client.stream(short):
            pass
        await client.aclose()
        assert [request.path for request in server.received] == [
            "/api/show",
            "/api/chat",
            "/api/chat",
        ]
        assert server.body(1)["messages"] == [
            {"role": "system", "content": "Be brief"},
            {"role": "user", "content": "Go on"},
            {"role": "assistant", "content": "def f"},
        ]
        assert server.body(1)["keep_alive"] == -1
        assert "raw" not in server.body(1)
        assert server.body(2)["messages"] == [{"role": "user", "content": "Go on"}]


async def test_a_chatml_chat_is_sent_raw() -> None:
    """Ollama would close the turn of a begun answer, and the model start anew."""
    show = recorded(case(SERVER, "show-smollm2"))
    async with ReplayServer({**ROUTES, "POST /api/show": show}) as server:
        client = Ollama(server.url, "smollm2")
        question = ChatPrompt("Go on: <|im_end|>", prefill="def f", system="Be brief")
        async with await client.stream(GenerationRequest(question, 8)):
            pass
        await client.aclose()
        assert server.received[1].path == "/api/generate"
        assert server.body(1)["raw"] is True
        assert server.body(1)["prompt"] == (
            "<|im_start|>system\nBe brief<|im_end|>\n"
            "<|im_start|>user\nGo on: < |im_end|><|im_end|>\n<|im_start|>assistant\ndef f"
        )


async def test_options_that_reload_the_model_never_change() -> None:
    """Requests differ in nothing that makes Ollama load the model anew."""
    async with ReplayServer(ROUTES) as server:
        client: ModelClient = Ollama(server.url, "qwen")
        for prompt, most in ((TextPrompt("a"), 3), (TextPrompt("b"), 64), (ChatPrompt("c"), 9)):
            async with await client.stream(GenerationRequest(prompt, most, temperature=0.2)):
                pass
        await client.aclose()
        bodies = [server.body(index) for index in (1, 2, 3)]
    kept = [{**body["options"], "shift": body["shift"]} for body in bodies]
    for options in kept:
        options.pop("num_predict")
    assert kept[0] == kept[1] == kept[2]


def tags(*entries: dict[str, Any]) -> Answer:
    """A list of models."""
    return scripted(json.dumps({"models": entries}).encode())


async def test_model_is_chosen_where_none_is_set() -> None:
    """Without a model the best code model that Ollama has is taken, once."""
    listing = tags(
        {"name": "llama3.2:3b"},
        {"name": "qwen3-coder:480b-cloud"},
        {"name": "mine:latest", "remote_host": "https://ollama.com"},
        {"name": "qwen2.5-coder:7b"},
        {"name": "qwen2.5-coder:1.5b"},
    )
    async with ReplayServer({**ROUTES, "GET /api/tags": listing}) as server:
        client = Ollama(server.url)
        for _ in range(2):
            async with await client.stream(GenerationRequest(TextPrompt("x"), 3)):
                pass
        assert client.model == "qwen2.5-coder:1.5b"
        assert [request.path for request in server.received].count("/api/tags") == 1
        await client.aclose()


async def test_no_code_model_is_an_error_with_its_remedy() -> None:
    """Without any code model a request says what to pull."""
    async with ReplayServer({"GET /api/tags": tags({"name": "llama3.2:3b"})}) as server:
        client = Ollama(server.url)
        with pytest.raises(ModelMissing, match=r"`ollama pull qwen2\.5-coder:1\.5b`"):
            await client.stream(GenerationRequest(TextPrompt("x"), 3))
        await client.aclose()


REMOTE_SHOW = scripted(b'{"model_info": {}, "remote_host": "https://ollama.com:443"}')


async def test_cloud_model_gets_no_code() -> None:
    """A model that Ollama runs in its cloud is sent nothing, whatever it is called."""
    answers = {**ROUTES, "POST /api/show": REMOTE_SHOW}
    async with ReplayServer(answers) as server:
        client = Ollama(server.url, "mine")
        with pytest.raises(RequestRefused, match="runs in Ollama's cloud"):
            await client.stream(GenerationRequest(TextPrompt("x"), 3))
        await client.aclose()
        assert [request.path for request in server.received] == ["/api/show"]
        allowed = Ollama(server.url, "mine", allow_remote=True)
        async with await allowed.stream(GenerationRequest(TextPrompt("x"), 3)):
            pass
        await allowed.aclose()
        assert server.received[-1].path == "/api/generate"


async def test_other_machine_gets_nothing_unless_allowed() -> None:
    """An address that is not this machine is not even connected to."""
    client = Ollama("http://ollama.example:11434", "qwen")
    with pytest.raises(RequestRefused, match="is not on this machine"):
        await client.stream(GenerationRequest(TextPrompt("x"), 3))
    probe = await client.probe()
    await client.aclose()
    assert probe.state is State.NOT_A_SERVER
    assert "local.allow_remote" in probe.message


async def test_old_version_has_no_logprobs() -> None:
    """A version from before log-probs is ready, and its sentence says what is missing."""
    answers = {
        "GET /api/version": scripted(b'{"version": "0.12.10"}'),
        "GET /api/tags": tags({"name": "qwen2.5-coder:3b"}),
        "POST /api/show": scripted(b'{"model_info": {"general.architecture": "qwen2"}}'),
        "GET /api/ps": scripted(b'{"models": []}'),
    }
    async with ReplayServer(answers) as server:
        client = Ollama(server.url)
        probe = await client.probe()
        await client.aclose()
    assert probe.ready
    assert probe.logprobs is False
    assert "update it to 0.12.11" in probe.message
    assert (probe.model, probe.fim_family) == ("qwen2.5-coder:3b", "qwen")


@pytest.mark.parametrize("content", [b"<html>", b"[]", b"{}", b'{"version": 5}', b"\xff"])
async def test_something_else_at_the_address(content: bytes) -> None:
    """What does not answer like Ollama is told to be none."""
    async with ReplayServer({"GET /api/version": scripted(content)}) as server:
        client = Ollama(server.url, "qwen")
        probe = await client.probe()
        await client.aclose()
    assert probe.state is State.NOT_A_SERVER


@pytest.mark.parametrize(
    ("version", "logprobs"),
    [
        ("0.12.11", True),
        ("0.33.0-rc2", True),
        ("1.0.0", True),
        ("0.12.10", False),
        ("0.3.6", False),
        ("0.0.0", None),
        ("dev", None),
        ("", None),
    ],
)
def test_versions_with_logprobs(version: str, logprobs: bool | None) -> None:
    """Log-probs came with 0.12.11; a plain source build does not tell."""
    assert gives_logprobs(version) is logprobs


@pytest.mark.parametrize(
    ("models", "chosen"),
    [
        (["qwen2.5-coder:7b", "qwen2.5-coder:3b", "qwen2.5-coder:1.5b"], "qwen2.5-coder:3b"),
        (["qwen2.5-coder:32b", "qwen2.5-coder:0.5b"], "qwen2.5-coder:0.5b"),
        (["qwen2.5-coder:latest", "qwen2.5-coder:14b"], "qwen2.5-coder:latest"),
        (["qwen2.5-coder:3b-base-q2_K", "starcoder2:3b"], "starcoder2:3b"),
        (["starcoder2:7b", "starcoder2:3b", "deepseek-coder:6.7b"], "deepseek-coder:6.7b"),
        (["codestral:22b", "qwen3-coder:30b"], "qwen3-coder:30b"),
        (
            ["hf.co/Qwen/Qwen2.5-Coder-3B-Instruct-GGUF:Q4_K_M", "codestral:22b"],
            "hf.co/Qwen/Qwen2.5-Coder-3B-Instruct-GGUF:Q4_K_M",
        ),
        (["qwen3-coder:480b-cloud", "granite-code:3b"], "granite-code:3b"),
        (["qwen3-coder:cloud", "llama3.2", "yi-coder:9b"], None),
        ([], None),
    ],
)
def test_choice_of_a_code_model(models: list[str], chosen: str | None) -> None:
    """The choice follows the documented order, and never falls on a cloud or chat model."""
    assert choose_code_model(models) == chosen
    assert choose_code_model(reversed(models)) == chosen


@pytest.mark.parametrize(
    ("name", "cloud"),
    [
        ("gpt-oss:120b-cloud", True),
        ("kimi-k2:cloud", True),
        ("me/qwen3-coder:480b-cloud", True),
        ("my-cloud-model", False),
        ("my-cloud:3b", False),
        ("qwen2.5-coder:3b", False),
    ],
)
def test_cloud_names(name: str, cloud: bool) -> None:
    """A tag of `cloud`, or one that ends in `-cloud`, is a model elsewhere."""
    assert is_cloud(name) is cloud


@pytest.mark.parametrize(
    ("size", "vram", "device"),
    [(100, 0, "cpu"), (100, 100, "gpu"), (100, 40, "mixed"), (0, 0, None), (100, None, "cpu")],
)
def test_device(size: int, vram: int | None, device: str | None) -> None:
    """How much of a loaded model lies in the accelerator's memory tells the device."""
    entry = {"name": "qwen:latest", "model": "qwen:latest", "size": size, "size_vram": vram}
    assert device_of({"models": [entry]}, "qwen") == device
    assert device_of({"models": [entry]}, "qwen:3b") is None


async def test_repetition_ends_an_answer() -> None:
    """After 31 equal pieces Ollama ends the stream without a last line: the model has stopped."""
    line = b'{"model":"qwen","response":"a","done":false,"logprobs":[{"token":"a","logprob":-1}]}\n'
    kind = "application/x-ndjson"
    async with ReplayServer(
        {
            **ROUTES,
            "POST /api/generate": [scripted(line * 31, kind=kind), scripted(line * 9, kind=kind)],
        }
    ) as server:
        client = Ollama(server.url, "qwen")
        async with await client.stream(GenerationRequest(TextPrompt("x"), 99)) as stream:
            assert len([token async for token in stream]) == 31
            assert stream.finish is not None
            assert stream.finish.reason == "stop"
        stream = await client.stream(GenerationRequest(TextPrompt("x"), 99))
        with pytest.raises(BadAnswer, match="ended before it was complete"):
            await drain(stream)
        await client.aclose()


async def drain(stream: Any) -> None:
    """Read a stream to its end."""
    async with stream:
        async for _ in stream:
            pass


async def test_error_in_the_middle_of_an_answer() -> None:
    """An error line after tokens is an error after these tokens."""
    lines = b'{"response":"a","done":false}\n{"error":"model runner has unexpectedly stopped"}\n'
    async with ReplayServer({**ROUTES, "POST /api/generate": scripted(lines)}) as server:
        client = Ollama(server.url, "qwen")
        stream = await client.stream(GenerationRequest(TextPrompt("x"), 9))
        assert (await anext(stream)).text == "a"
        with pytest.raises(ServerFault):
            await anext(stream)
        await stream.aclose()
        await client.aclose()


PULL: list[dict[str, Any]] = [
    {"status": "pulling manifest"},
    {"status": "pulling 0123456789ab", "digest": "sha256:0", "total": 10, "completed": 4},
    {"status": "pulling 0123456789ab", "digest": "sha256:0", "total": 10, "completed": 10},
    {"status": "verifying sha256 digest"},
    {"status": "success"},
]


def report(*lines: dict[str, Any]) -> Answer:
    """A pull's answer."""
    return scripted([json.dumps(line).encode() + b"\n" for line in lines])


async def test_pull_reports_progress() -> None:
    """A pull reports each step with its bytes, and ends with success."""
    seen: list[PullProgress] = []
    async with ReplayServer({"POST /api/pull": report(*PULL)}) as server:
        client = Ollama(server.url)
        await client.pull("qwen2.5-coder:1.5b", seen.append)
        await client.aclose()
        assert server.body() == {"model": "qwen2.5-coder:1.5b", "stream": True}
    assert [(step.completed, step.total) for step in seen] == [
        (0, 0),
        (4, 10),
        (10, 10),
        (0, 0),
        (0, 0),
    ]
    assert seen[-1].status == "success"


@pytest.mark.parametrize(
    ("answer", "error", "says"),
    [
        (
            report(PULL[0], {"error": "pull model manifest: file does not exist"}),
            ModelMissing,
            "There is no model 'nope'",
        ),
        (report(PULL[0], {"error": "max retries exceeded: EOF"}), ServerFault, "failed"),
        (report(*PULL[:2]), ServerUnreachable, "ended the pull of 'nope' too early"),
        (scripted(b"{"), BadAnswer, "not the answer of a model server"),
    ],
)
async def test_pull_that_fails(answer: Answer, error: type[Exception], says: str) -> None:
    """A pull that fails or is cut short is an error that says so."""
    async with ReplayServer({"POST /api/pull": answer}) as server:
        client = Ollama(server.url)
        with pytest.raises(error, match=says):
            await client.pull("nope", lambda _: None)
        await client.aclose()

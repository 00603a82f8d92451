"""What probes must find on the recorded servers. A route is answered by a recorded case."""

from dataclasses import dataclass, field
from typing import Any

from synconfroute.clients.model import State

OLLAMA_VERSIONS = ("ollama-0.24.0", "ollama-0.33.0-rc2")


@dataclass(frozen=True)
class Probing:
    """One probe.

    Attributes:
        server: whose recordings answer.
        client: "ollama" or "openai".
        model: the model asked for.
        routes: recorded case by route.
        finds: fields of the probe.
        says: what its sentence must contain.
    """

    server: str
    client: str
    model: str
    routes: dict[str, str]
    finds: dict[str, Any] = field(default_factory=dict)
    says: str = ""

    def __str__(self) -> str:
        return f"{self.server}-{self.model or 'any'}-{self.finds['state']}"


def _ollama(show: str, running: str) -> dict[str, str]:
    return {
        "GET /api/version": "version",
        "GET /api/tags": "tags",
        "POST /api/show": show,
        "GET /api/ps": running,
    }


_QWEN = {
    "state": State.READY,
    "server": "Ollama 0.0.0",
    "model": "qwen",
    "models": ("qwen:latest", "smollm2:latest"),
    "logprobs": None,
    "fim_family": "qwen",
    "grammar": False,
    "context_tokens": 4096,
}

PROBES = [
    probing
    for server in OLLAMA_VERSIONS
    for probing in (
        Probing(
            server,
            "ollama",
            "qwen",
            _ollama("show-qwen", "ps-loaded"),
            {**_QWEN, "device": "cpu"},
            says="serves qwen",
        ),
        Probing(
            server,
            "ollama",
            "qwen:latest",
            _ollama("show-qwen", "ps-nothing-loaded"),
            {**_QWEN, "model": "qwen:latest", "device": None},
        ),
        Probing(
            server,
            "ollama",
            "smollm2",
            _ollama("show-smollm2", "ps-after-unload"),
            {**_QWEN, "model": "smollm2", "fim_family": None, "device": "cpu"},
        ),
        Probing(
            server,
            "ollama",
            "nope",
            _ollama("show-missing", "ps-loaded"),
            {
                "state": State.MODEL_MISSING,
                "server": "Ollama 0.0.0",
                "model": "nope",
                "models": ("qwen:latest", "smollm2:latest"),
            },
            says="`ollama pull nope`",
        ),
        Probing(
            server,
            "ollama",
            "",
            _ollama("show-qwen", "ps-loaded"),
            {"state": State.MODEL_MISSING, "model": "", "server": "Ollama 0.0.0"},
            says="`ollama pull qwen2.5-coder:1.5b`",
        ),
        Probing(
            server,
            "ollama",
            "qwen",
            {"GET /api/version": "generate-wrong-host-header"},
            {"state": State.UNREACHABLE, "server": "", "model": "qwen"},
            says="does not take requests under this host name",
        ),
        Probing(
            server,
            "openai",
            "smollm2:latest",
            {"GET /v1/models": "v1-models"},
            {
                "state": State.READY,
                "server": "Ollama",
                "logprobs": False,
                "fim_family": None,
                "context_tokens": None,
            },
            says="use the provider `ollama`",
        ),
    )
] + [
    Probing(
        "vllm-0.32.0",
        "openai",
        "",
        {
            "GET /v1/models": "models",
            "GET /version": "version",
            "POST /v1/chat/completions": "chat-not-streamed",
        },
        {
            "state": State.READY,
            "server": "vLLM 0.32.0",
            "model": "qwen",
            "chats": True,
            "models": ("qwen",),
            "logprobs": True,
            "context_tokens": 2048,
            "fim_family": None,
        },
        says="serves qwen",
    ),
    Probing(
        "vllm-0.32.0",
        "openai",
        "nope",
        {"GET /v1/models": "models", "GET /version": "version"},
        {"state": State.MODEL_MISSING, "server": "vLLM 0.32.0", "model": "nope"},
        says="does not have the model 'nope', but qwen",
    ),
    Probing(
        "vllm-0.32.0",
        "openai",
        "qwen",
        {"GET /v1/models": "wrong-key"},
        {"state": State.KEY_REFUSED, "server": "", "model": "qwen"},
        says="refuses the key",
    ),
    Probing(
        "llama.cpp-server",
        "openai",
        "qwen2.5-coder",
        {"GET /v1/models": "models", "GET /props": "props"},
        {
            "state": State.READY,
            "server": "llama.cpp b1-0c1e570",
            "model": "qwen2.5-coder",
            "logprobs": True,
            "context_tokens": 2048,
            "fim_family": "qwen",
        },
    ),
    Probing(
        "llama.cpp-server",
        "openai",
        "qwen",
        {"GET /v1/models": "models", "GET /props": "wrong-key"},
        {"state": State.KEY_REFUSED, "model": "qwen"},
        says="refuses the key",
    ),
]

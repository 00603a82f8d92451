"""A scripted model as the local tier, in each shape, and a plain client of the same model."""

import http.client
import json
import time
from dataclasses import dataclass
from typing import Any

from benchmarks.model import ollama, vllm
from benchmarks.processes import ScriptedModel

SHAPES = ("Ollama", "vLLM")
"""By the names of the tables. vLLM is the local tier by the provider `openai`, so that a request
takes the same way through our server in both shapes."""

_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """Where a shape is asked, and with what beside the prompt."""

    provider: str
    model: str
    path: str
    body: dict[str, Any]


_ASKED = {
    "Ollama": _Asked(
        "ollama",
        ollama.MODEL,
        "/api/generate",
        {"model": ollama.MODEL, "raw": True, "logprobs": True, "options": {"temperature": 0}},
    ),
    "vLLM": _Asked(
        "openai",
        vllm.MODEL,
        "/v1/completions",
        {
            "model": vllm.MODEL, "logprobs": 1, "temperature": 0, "max_tokens": 50,
            "stream": True, "stream_options": {"include_usage": True},
        },
    ),
}  # fmt: skip


def module(shape: str) -> str:
    """What `benchmarks.model` calls it."""
    return shape.lower()


def settings(shape: str, model: ScriptedModel) -> tuple[str, ...]:
    """The settings that make it our server's local tier."""
    asked = _ASKED[shape]
    return (
        f"local.provider={asked.provider}",
        f"local.url={model.url}",
        f"local.model={asked.model}",
    )


class PlainClient:
    """Reads whole answers by http.client over one connection, and does nothing else."""

    def __init__(self, shape: str, model: ScriptedModel) -> None:
        """Connect to the model."""
        self._asked = _ASKED[shape]
        self._connection = http.client.HTTPConnection("127.0.0.1", model.port, timeout=_SECONDS)

    def read(self, size: int) -> float:
        """Ask with a body of about so many bytes and read the answer; seconds."""
        empty = len(json.dumps({**self._asked.body, "prompt": ""}))
        body = json.dumps({**self._asked.body, "prompt": "x" * max(1, size - empty)})
        started = time.perf_counter()
        self._connection.request("POST", self._asked.path, body)
        self._connection.getresponse().read()
        return time.perf_counter() - started

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

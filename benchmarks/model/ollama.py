"""Ollama 0.33: its own protocol, a JSON object a line."""

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from benchmarks.model.http import Reply, Request
from benchmarks.model.script import Asked, Token, split

MODEL = "qwen2.5-coder:1.5b"

_REPLIES: dict[str, Any] = {
    "/api/version": {"version": "0.33.0"},
    "/api/tags": {"models": [{"name": MODEL, "model": MODEL}]},
    "/api/ps": {"models": [{"name": MODEL, "model": MODEL, "size": 1, "size_vram": 0}]},
    "/api/show": {
        "details": {"family": "qwen2"},
        "model_info": {"general.architecture": "qwen2", "qwen2.context_length": 32768},
        "capabilities": ["completion", "insert"],
        "template": "<|fim_prefix|>{{ .Prompt }}<|fim_suffix|>{{ .Suffix }}<|fim_middle|>",
    },
}


class Ollama:
    """Answers as Ollama does."""

    kind = "application/x-ndjson"

    def asked(self, request: Request) -> Asked | None:
        """A prompt of /api/generate; one without a prompt only loads the model."""
        if request.path != "/api/generate":
            return None
        body = request.json()
        options = body.get("options") or {}
        prompt = body.get("prompt") or ""
        if not prompt:
            return None
        prefix, suffix = split(prompt)
        most = options.get("num_predict", -1)
        return Asked(
            prefix,
            body.get("suffix") or suffix,
            most=most if most > 0 else None,
            stop=tuple(options.get("stop") or ()),
            stream=body.get("stream", True),
            logprobs=bool(body.get("logprobs")),
        )

    def begin(self, asked: Asked) -> "_Lines":
        """Begin an answer."""
        return _Lines(asked)

    def reply(self, request: Request) -> Reply:
        """What models there are, and what is loaded."""
        if request.path == "/api/generate":
            done = {"model": MODEL, "created_at": _now(), "response": "", "done": True}
            return Reply({**done, "done_reason": "load"})
        found = _REPLIES.get(request.path)
        return Reply(b"404 page not found", 404, "text/plain") if found is None else Reply(found)


class _Lines:
    """One answer; counts its tokens."""

    def __init__(self, asked: Asked) -> None:
        self._logprobs = asked.logprobs
        self._begun = time.perf_counter_ns()
        self._count = 0

    def event(self, token: Token | None, reason: str | None) -> bytes:
        """A line for the token, and one with the counts behind the last."""
        head = b'{"model":"%s","created_at":"%s",' % (MODEL.encode(), _now().encode())
        lines = b""
        if token is not None:
            self._count += 1
            lines = head + _members(token, self._logprobs)
        if reason is not None:
            lines += head + json.dumps({"response": "", **self._end(reason)})[1:].encode() + b"\n"
        return lines

    def whole(self, tokens: Sequence[Token], reason: str) -> bytes:
        """One object with all texts and all log-probs."""
        self._count = len(tokens)
        text = "".join(token.text for token in tokens)
        body = {"model": MODEL, "created_at": _now(), "response": text, **self._end(reason)}
        if self._logprobs:
            body["logprobs"] = [_logprob(token) for token in tokens]
        return json.dumps(body).encode()

    def _end(self, reason: str) -> dict[str, Any]:
        took = time.perf_counter_ns() - self._begun
        return {
            "done": True,
            "done_reason": reason,
            "total_duration": took,
            "prompt_eval_count": 9,
            "eval_count": self._count,
            "eval_duration": took,
        }


@lru_cache(maxsize=4096)
def _members(token: Token, logprobs: bool) -> bytes:
    members: dict[str, Any] = {"response": token.text, "done": False}
    if logprobs:
        members["logprobs"] = [_logprob(token)]
    return json.dumps(members)[1:].encode() + b"\n"


def _logprob(token: Token) -> dict[str, Any]:
    data = token.text.encode()
    return {"token": token.text, "logprob": token.logprob, "bytes": list(data)}


def _now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")

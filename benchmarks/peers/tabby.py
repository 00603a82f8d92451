"""Tabby's server 0.30, as far as its agents ask it: completions by segments, whole answers."""

from collections.abc import Sequence
from typing import Any

from benchmarks.model.http import Reply, Request
from benchmarks.model.script import Asked, Token

MODEL = "Qwen2.5-Coder-1.5B"
MOST_TOKENS = 64
"""What the server asks its model for, if its owner sets nothing else."""
_STOP = ("\n\n",)
"""A part of what its languages end an answer with: the blank line."""

_REPLIES: dict[str, Any] = {
    "/v1/health": {
        "model": MODEL,
        "models": {"completion": {"local": {"model_id": MODEL, "device": "cpu"}}},
        "device": "cpu",
        "arch": "x86_64",
        "cpu_info": "scripted",
        "cpu_count": 2,
        "version": {"build_date": "", "build_timestamp": "", "git_sha": "", "git_describe": "0.30"},
    },
    "/v1beta/server_setting": {"disable_client_side_telemetry": True},
}


class Tabby:
    """Answers as Tabby's server does."""

    kind = "application/json"

    def asked(self, request: Request) -> Asked | None:
        """The segments around the cursor."""
        if request.path != "/v1/completions":
            return None
        segments = request.json().get("segments") or {}
        return Asked(
            str(segments.get("prefix") or ""),
            str(segments.get("suffix") or ""),
            most=MOST_TOKENS,
            stop=_STOP,
            stream=False,
            logprobs=False,
        )

    def begin(self, asked: Asked) -> "_Choice":
        """Begin an answer."""
        return _Choice()

    def reply(self, request: Request) -> Reply:
        """How the server is; what its agents report is taken and dropped."""
        if request.path == "/v1/events":
            return Reply(b"")
        found = _REPLIES.get(request.path)
        return Reply(b"", 404, "text/plain") if found is None else Reply(found)


class _Choice:
    """One answer; it is never streamed."""

    def event(self, token: Token | None, reason: str | None) -> bytes:
        """Nothing: whole answers only."""
        return b""

    def whole(self, tokens: Sequence[Token], reason: str) -> bytes:
        """One choice."""
        text = "".join(token.text for token in tokens)
        body = {"id": "cmpl-scripted", "choices": [{"index": 0, "text": text}], "mode": "standard"}
        return Reply(body).encoded().partition(b"\r\n\r\n")[2]

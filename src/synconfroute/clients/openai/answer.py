"""The events of a streamed answer, completion or chat: one JSON object a `data:` line."""

from typing import Any

from synconfroute.clients.documents import (
    count_of,
    json_object,
    object_of,
    objects_of,
    text_of,
    word_of,
)
from synconfroute.clients.faults import Peer, from_error, incomplete, not_json
from synconfroute.clients.model import Finish, Token
from synconfroute.clients.tokens import Scored, TokenRun, logprob_of
from synconfroute.errors import ServerFault

_DONE = b"[DONE]"


class CompletionReader:
    """Reads one answer of vLLM, llama.cpp, or anything that speaks like them.

    Log-probs come as parallel arrays (`tokens`, `token_logprobs`: vLLM) or as a list of objects
    (`content`: llama.cpp). Where a server ignores `stream` the whole answer is one event.
    """

    def __init__(self, peer: Peer) -> None:
        """`peer` is named in errors."""
        self._peer = peer
        self._run = TokenRun()
        self._reason: str | None = None
        self._model = ""
        self._counted: int | None = None
        self._prompt_tokens: int | None = None
        self.finish: Finish | None = None

    def read(self, line: bytes) -> list[Token]:
        """The tokens of one line; the closing event sets `finish`."""
        payload = _payload(line, self._peer)
        if not payload:
            return []
        if payload == _DONE:
            self._reason = self._reason or "stop"
            return self.end()
        event = json_object(payload, self._peer)
        if event.get("error") is not None:
            raise from_error(event["error"], self._peer)
        self._model = word_of(event, "model") or self._model
        usage = object_of(event, "usage")
        if usage:
            # LiteLLM sends a count of 0 with every event, and never another one.
            self._counted = count_of(usage, "completion_tokens") or self._counted
            self._prompt_tokens = count_of(usage, "prompt_tokens")
        elif "choices" not in event:
            raise not_json(self._peer)
        # One choice was asked for; a server that sends more mixes them.
        first = [choice for choice in objects_of(event, "choices") if not choice.get("index")]
        return [token for choice in first for token in self._choice(choice)]

    def end(self) -> list[Token]:
        """End the answer, if a finish reason or the closing event came."""
        if self._reason is None:
            raise incomplete(self._peer)
        tokens = self._run.close(self._reason)
        self.finish = self._run.finish(
            self._reason,
            counted=self._counted,
            model=self._model,
            prompt_tokens=self._prompt_tokens,
        )
        return tokens

    def _choice(self, choice: dict[str, Any]) -> list[Token]:
        tokens = self._run.add(_text_of(choice, self._peer), _scored(object_of(choice, "logprobs")))
        reason = choice.get("finish_reason")
        if reason is None:
            return tokens
        if reason in {"abort", "error"}:
            raise ServerFault(f"{self._peer} gave up in the middle of its answer: try again.")
        self._reason = "length" if reason == "length" else "stop"
        return tokens


def _payload(line: bytes, peer: Peer) -> bytes:
    """What an event line carries; nothing for comments, event names and blank lines."""
    line = line.strip()
    for field in (b"data:", b"error:"):
        if line.startswith(field):
            payload = line[len(field) :].strip()
            return payload if field == b"data:" else b'{"error":%s}' % payload
    if line.startswith(b"{"):
        return line
    if not line or line.startswith((b":", b"event:", b"id:", b"retry:")):
        return b""
    raise not_json(peer)


def _text_of(choice: dict[str, Any], peer: Peer) -> str:
    """The text of a completion, of a piece of a chat, or of a chat that came at once."""
    for member in ("delta", "message"):
        if member in choice:
            return text_of(object_of(choice, member), "content", peer)
    return text_of(choice, "text", peer)


def _scored(logprobs: dict[str, Any]) -> list[Scored]:
    content = objects_of(logprobs, "content")
    if content:
        return [(_own_text(item.get("token")), logprob_of(item.get("logprob"))) for item in content]
    texts, values = logprobs.get("tokens"), logprobs.get("token_logprobs")
    if not isinstance(texts, list) or not isinstance(values, list):
        return []
    return [
        (_own_text(text), logprob_of(value)) for text, value in zip(texts, values, strict=False)
    ]


def _own_text(value: object) -> str:
    return value if isinstance(value, str) else ""

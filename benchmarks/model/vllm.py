"""vLLM 0.32: OpenAI's completions, a `data:` event a token, log-probs as parallel arrays."""

import json
import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any

from benchmarks.model.http import Reply, Request
from benchmarks.model.script import Asked, Token, split

MODEL = "qwen2.5-coder-7b"
CONTEXT = 32_768
_END = Token("<|im_end|>")
_DONE = b"data: [DONE]\n\n"
_PIECE = 4
"""Characters of a token of a prompt; vLLM has a vocabulary."""

_numbers = count(1)


class VLLM:
    """Answers as vLLM does."""

    kind = "text/event-stream; charset=utf-8"

    def asked(self, request: Request) -> Asked | None:
        """A prompt of /v1/completions."""
        if request.path != "/v1/completions":
            return None
        body = request.json()
        prefix, suffix = split(str(body.get("prompt") or ""))
        stop = body.get("stop") or ()
        return Asked(
            prefix,
            suffix,
            most=int(body.get("max_tokens") or 16),
            stop=(stop,) if isinstance(stop, str) else tuple(stop),
            stream=bool(body.get("stream")),
            logprobs=body.get("logprobs") is not None,
            usage=bool((body.get("stream_options") or {}).get("include_usage")),
        )

    def begin(self, asked: Asked) -> "_Events":
        """Begin an answer."""
        return _Events(asked)

    def reply(self, request: Request) -> Reply:
        """Which model there is, and what its tokens are."""
        match request.path:
            case "/v1/models":
                return Reply({"object": "list", "data": [_served()]})
            case "/version":
                return Reply({"version": "0.32.0"})
            case "/health":
                return Reply(b"")
            case "/tokenize":
                return Reply(_tokenized(str(request.json().get("prompt") or "")))
        return Reply({"detail": "Not Found"}, 404)


class _Events:
    """One answer; knows how far its text is."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._name = f"cmpl-{next(_numbers):016x}"
        self._created = int(time.time())
        head = f'data: {{"id":"{self._name}","object":"text_completion",'
        self._head = f'{head}"created":{self._created},"model":"{MODEL}",'.encode()
        self._offset = self._count = 0

    def event(self, token: Token | None, reason: str | None) -> bytes:
        """An event for the token; behind the last the counts, if they are wanted, and the end."""
        event = self._head + _choices(token, self._offset, reason, self._asked.logprobs)
        self._count += 1
        self._offset += len(token.text) if token is not None else 0
        if reason is None:
            return event
        if self._asked.usage:
            usage = _json(_usage(self._asked, self._count))
            event += self._head + b'"choices":[],"usage":%s}\n\n' % usage
        return event + _DONE

    def whole(self, tokens: Sequence[Token], reason: str) -> bytes:
        """One object with all texts and all log-probs."""
        text = "".join(token.text for token in tokens)
        return _json(
            {
                "id": self._name,
                "object": "text_completion",
                "created": self._created,
                "model": MODEL,
                "choices": [_choice(text, tokens, 0, reason, self._asked.logprobs)],
                "usage": _usage(self._asked, len(tokens)),
            }
        )


@lru_cache(maxsize=8192)
def _choices(token: Token | None, offset: int, reason: str | None, logprobs: bool) -> bytes:
    text = "" if token is None else token.text
    choice = _choice(text, [token or _END], offset, reason, logprobs)
    return b'"choices":[%s]}\n\n' % _json(choice)


def _choice(
    text: str,
    tokens: Sequence[Token],
    offset: int,
    reason: str | None,
    logprobs: bool,
) -> dict[str, Any]:
    offsets = []
    for token in tokens:
        offsets.append(offset)
        offset += len(token.text)
    scored = {
        "text_offset": offsets,
        "token_logprobs": [token.logprob for token in tokens],
        "tokens": [token.text for token in tokens],
        "top_logprobs": [{token.text: token.logprob} for token in tokens],
    }
    return {
        "index": 0,
        "text": text,
        "logprobs": scored if logprobs else None,
        "finish_reason": reason,
        "stop_reason": None,
        "prompt_token_ids": None,
        "token_ids": None,
    }


def _usage(asked: Asked, tokens: int) -> dict[str, int]:
    prompt = max(1, -(-len((asked.prefix + asked.suffix).encode()) // _PIECE))
    return {
        "prompt_tokens": prompt,
        "total_tokens": prompt + tokens,
        "completion_tokens": tokens,
    }


def _served() -> dict[str, Any]:
    return {
        "id": MODEL,
        "object": "model",
        "created": int(time.time()),
        "owned_by": "vllm",
        "root": "Qwen/Qwen2.5-Coder-7B",
        "parent": None,
        "max_model_len": CONTEXT,
    }


def _tokenized(text: str) -> dict[str, Any]:
    """Pieces of a fixed length; `token_strs` has a character a byte, as byte vocabularies do."""
    data = text.encode()
    pieces = [data[at : at + _PIECE] for at in range(0, len(data), _PIECE)]
    return {
        "count": len(pieces),
        "max_model_len": CONTEXT,
        "tokens": list(range(len(pieces))),
        "token_strs": [piece.decode("latin-1") for piece in pieces],
    }


def _json(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()

"""llama.cpp's server, as far as its editor plugins ask it: /infill, with its limits of time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.model.http import Reply, Request
from benchmarks.model.script import Asked, Token


@dataclass(frozen=True, slots=True)
class Infill(Asked):
    """A request to /infill.

    Attributes:
        budget: seconds that may be written for, from the first token on; over, the answer ends
            once it has a line break. None where nothing is said.
        indent: a line that is indented less ends the answer; 0: none does.
    """

    budget: float | None = None
    indent: int = 0


class LlamaCpp:
    """Answers as llama.cpp's server does."""

    kind = "text/event-stream"

    def asked(self, request: Request) -> Infill | None:
        """The text around the cursor; one of no tokens only reads the prompt."""
        if request.path != "/infill":
            return None
        body = request.json()
        if body.get("n_predict") == 0:
            return None
        most = int(body.get("n_predict", -1))
        budget = int(body.get("t_max_predict_ms", -1))
        return Infill(
            str(body.get("input_prefix") or "") + str(body.get("prompt") or ""),
            str(body.get("input_suffix") or ""),
            most=most if most > 0 else None,
            stop=tuple(body.get("stop") or ()),
            stream=bool(body.get("stream")),
            logprobs=False,
            budget=budget / 1000 if budget > 0 else None,
            indent=int(body.get("n_indent") or 0),
        )

    def begin(self, asked: Asked) -> "_Content":
        """Begin an answer."""
        return _Content()

    def reply(self, request: Request) -> Reply:
        """It is well; a prompt that was only read is answered with nothing."""
        match request.path:
            case "/infill":
                return Reply(_body("", 0))
            case "/health":
                return Reply({"status": "ok"})
        return Reply({"error": {"code": 404, "message": "File Not Found"}}, 404)


class _Content:
    """One answer."""

    def event(self, token: Token | None, reason: str | None) -> bytes:
        """A `data:` line with the token's text."""
        text = "" if token is None else token.text
        return b"data: %s\n\n" % _compact({"content": text, "stop": reason is not None})

    def whole(self, tokens: Sequence[Token], reason: str) -> bytes:
        """One object without blanks, as clients that do not read JSON want it."""
        return _body("".join(token.text for token in tokens), len(tokens))


def _body(text: str, tokens: int) -> bytes:
    timings = {"timings/predicted_n": tokens, "truncated": False, "tokens_cached": 0}
    return _compact({"content": text, **timings})


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()

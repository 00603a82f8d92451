"""The lines of Ollama's answers: /api/generate and /api/chat, one JSON object a line."""

from typing import Any

from synconfroute.clients.documents import count_of, json_object, objects_of, text_of, word_of
from synconfroute.clients.faults import Peer, from_error, incomplete
from synconfroute.clients.model import Finish, Token
from synconfroute.clients.tokens import Scored, TokenRun, logprob_of

# Ollama gives up on a model that repeats itself: after 31 equal pieces the stream ends without
# its last line. The piece that broke the limit is not sent on.
_REPEATS_AT_LEAST = 30


class OllamaReader:
    """Reads one answer, of every Ollama from 0.12 to 0.33.

    Up to 0.24 a chunk may carry several log-probs (text held back, characters in pieces). From
    0.30 on tokens held back lose theirs, and one log-prob stands for the merged text.
    """

    def __init__(self, peer: Peer) -> None:
        """`peer` is named in errors."""
        self._peer = peer
        self._run = TokenRun()
        self._piece = ""
        self._repeats = 0
        self._model = ""
        self.finish: Finish | None = None

    def read(self, line: bytes) -> list[Token]:
        """The tokens of one line; the last line sets `finish`."""
        if not line.strip():
            return []
        document = json_object(line, self._peer)
        if "error" in document:
            raise from_error(document["error"], self._peer)
        answer = document.get("message") if "message" in document else document
        if not isinstance(answer, dict):
            raise incomplete(self._peer)
        text = text_of(answer, "content" if answer is not document else "response", self._peer)
        self._model = word_of(document, "model") or self._model
        self._count_repeats(text)
        tokens = self._run.add(text, _scored(document))
        if document.get("done") is not True:
            return tokens
        reason = "length" if document.get("done_reason") == "length" else "stop"
        return tokens + self._close(
            reason, count_of(document, "eval_count"), count_of(document, "prompt_eval_count")
        )

    def end(self) -> list[Token]:
        """End an answer without a last line: the model repeated itself, or it was cut."""
        if self._repeats < _REPEATS_AT_LEAST:
            raise incomplete(self._peer)
        return self._close("stop", None, None)

    def _close(self, reason: str, counted: int | None, prompt_tokens: int | None) -> list[Token]:
        tokens = self._run.close(reason)
        self.finish = self._run.finish(
            reason, counted=counted, model=self._model, prompt_tokens=prompt_tokens
        )
        return tokens

    def _count_repeats(self, text: str) -> None:
        piece = text.strip()
        self._repeats = self._repeats + 1 if piece == self._piece else 1
        self._piece = piece


def _scored(document: dict[str, Any]) -> list[Scored]:
    return [
        (str(item.get("token", "")), logprob_of(item.get("logprob")))
        for item in objects_of(document, "logprobs")
    ]

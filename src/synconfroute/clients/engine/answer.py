"""The lines of llama.cpp's /completion stream, read into tokens.

One event a token: `{"content", "tokens": [id], "tokens_predicted", "completion_probabilities":
[{"token", "logprob", …}]}`, and a last one with `stop: true`. The pieces of a character that is
not whole yet are counted in `tokens_predicted`, but neither sent nor given a log-prob.
"""

from typing import Any

from synconfroute.clients.documents import count_of, json_object, objects_of, text_of
from synconfroute.clients.engine.line import LineTrimmer
from synconfroute.clients.faults import Peer, from_error
from synconfroute.clients.model import Finish, Token
from synconfroute.clients.tokens import logprob_of
from synconfroute.errors import BadAnswer, ServerUnreachable

_DATA = b"data:"


class CompletionReader:
    """Reads one answer of the engine; an `AnswerReader`."""

    def __init__(
        self,
        peer: Peer,
        *,
        max_tokens: int,
        lead: str | None = None,
        stop_token_ids: tuple[int, ...] = (),
    ) -> None:
        """Read an answer.

        Args:
            peer: named in errors.
            max_tokens: the most tokens of the answer proper, without the lead.
            lead: what a forced line begins with; None where no line is forced.
            stop_token_ids: tokens that end the answer.
        """
        self._peer = peer
        self._max_tokens = max_tokens
        self._line = None if lead is None else LineTrimmer(lead)
        self._stop_token_ids = frozenset(stop_token_ids)
        self._given = 0
        self._scored = 0
        self._finish: Finish | None = None

    @property
    def finish(self) -> Finish | None:
        """How the answer ended, once that is known."""
        return self._finish

    def read(self, line: bytes) -> list[Token]:
        """The tokens that this line brings.

        Raises:
            ModelServerError: the line is an error, or not the protocol.
        """
        if not line.startswith(_DATA):
            return []
        event = self._event(line.removeprefix(_DATA))
        tokens = self._tokens(event)
        if event.get("stop") is True:
            reason = "length" if event.get("stop_type") == "limit" else "stop"
            self._end(reason, event)
        return tokens

    def end(self) -> list[Token]:
        """Never complete: the last event was missing.

        Raises:
            ServerUnreachable: always.
        """
        raise ServerUnreachable(f"{self._peer} ended before its answer was complete.")

    def _event(self, data: bytes) -> dict[str, Any]:
        event = json_object(data, self._peer)
        if "error" in event:
            raise from_error(event["error"], self._peer)
        return event

    def _tokens(self, event: dict[str, Any]) -> list[Token]:
        if self._ends_answer(event.get("tokens")):
            self._end("stop", event)
            return []
        text = text_of(event, "content", self._peer)
        scored = objects_of(event, "completion_probabilities")
        self._scored += len(scored)
        if not text:  # the end of the answer
            return []
        # Where pieces of a character were merged, only the last one has a log-prob.
        token = Token(text, logprob_of(scored[-1].get("logprob")) if scored else None)
        return self._within_limit(self._proper(token, event), event)

    def _ends_answer(self, ids: object) -> bool:
        return isinstance(ids, list) and any(one in self._stop_token_ids for one in ids)

    def _proper(self, token: Token, event: dict[str, Any]) -> list[Token]:
        """The token without what was forced."""
        if self._line is None:
            return [token]
        tokens = self._line.trim(token)
        if self._line.broken:
            raise BadAnswer(f"{self._peer} did not keep to the line that was asked of it.")
        if self._line.complete:
            self._end("stop", event)
        return tokens

    def _within_limit(self, tokens: list[Token], event: dict[str, Any]) -> list[Token]:
        """A forced lead does not count, so the limit is kept here."""
        self._given += len(tokens)
        if self._given >= self._max_tokens:
            self._end("length", event)
        return tokens

    def _end(self, reason: str, event: dict[str, Any]) -> None:
        if self._finish is not None:
            return
        generated = count_of(event, "tokens_predicted")
        self._finish = Finish(
            reason=reason,
            generated=self._given if generated is None else generated,
            model=self._peer.model,
            prompt_tokens=count_of(event, "tokens_evaluated"),
            logprobs_lost=generated is not None and self._scored < generated,
        )

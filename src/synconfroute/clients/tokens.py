"""Texts and log-probs of an answer's chunks, joined into tokens."""

import math
from collections.abc import Sequence
from typing import Any

from synconfroute.clients.model import Finish, Token

Scored = tuple[str, float | None]
"""One token as a server lists it: its text and its log-prob."""


def logprob_of(value: Any) -> float | None:
    """The log-prob in a JSON value, at most 0; None where there is none."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(float(value), 0.0)


def chunk_tokens(text: str, scored: Sequence[Scored]) -> list[Token]:
    """The tokens of one chunk. Their texts, joined, are `text`.

    Tokens keep their own texts where these, joined, are the chunk's text; tokens listed beyond it
    (an end token, a piece of a character) have none. Where a server's texts and tokens are out of
    step (a text held back, several tokens merged into one character) the last one carries it all.
    """
    if not scored:
        return [Token(text)] if text else []
    joined = ""
    for count, (own, _) in enumerate(scored, 1):
        joined += own
        if joined == text:
            head = [Token(own, logprob) for own, logprob in scored[:count]]
            return head + [Token("", logprob) for _, logprob in scored[count:]]
    texts = ["" for _ in scored[1:]] + [text]
    return [Token(own, logprob) for own, (_, logprob) in zip(texts, scored, strict=True)]


class TokenRun:
    """The tokens of one answer.

    A token without text waits for the text that it is a piece of. What still waits when the
    model stops was no part of the text: the end token, which only some servers report.
    """

    def __init__(self) -> None:
        """Begin an answer."""
        self._waiting: list[Token] = []
        self._generated = 0
        self._scored = 0
        self._end_token = False

    def add(self, text: str, scored: Sequence[Scored]) -> list[Token]:
        """The tokens that are complete with this chunk."""
        fresh = chunk_tokens(text, scored)
        self._generated += len(fresh)
        self._scored += sum(token.logprob is not None for token in fresh)
        tokens = self._waiting + fresh
        complete = len(tokens)
        while complete and not tokens[complete - 1].text:
            complete -= 1
        self._waiting = tokens[complete:]
        return tokens[:complete]

    def close(self, reason: str) -> list[Token]:
        """The tokens still waiting when the answer ends for this reason."""
        waiting, self._waiting = self._waiting, []
        if reason != "stop":
            return waiting
        self._end_token = bool(waiting)
        return []

    def finish(
        self, reason: str, *, counted: int | None, model: str, prompt_tokens: int | None
    ) -> Finish:
        """How the answer ended; `counted` is the server's own count of tokens."""
        generated = self._generated if counted is None else counted
        # A server that keeps quiet about the end token counts it all the same.
        unseen = 1 if counted is not None and reason == "stop" and not self._end_token else 0
        return Finish(
            reason=reason,
            generated=generated,
            model=model,
            prompt_tokens=prompt_tokens,
            logprobs_lost=generated - self._scored > unseen,
        )

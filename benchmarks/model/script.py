"""What a scripted model is asked, and what it writes."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

_MARKS = ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>")


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer.

    Attributes:
        text: what it adds.
        logprob: its natural logarithm of probability.
    """

    text: str
    logprob: float = -0.01


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for text, whatever its protocol.

    Attributes:
        prefix: the code before the cursor; the whole prompt where it has no marks.
        suffix: the code behind the cursor.
        most: the most tokens that are wanted; None where nothing is said.
        stop: texts that end the answer.
        stream: a token at a time.
        logprobs: with log-probs.
        usage: vLLM's own: are tokens counted in an event at the end?
    """

    prefix: str
    suffix: str = ""
    most: int | None = None
    stop: tuple[str, ...] = ()
    stream: bool = True
    logprobs: bool = True
    usage: bool = False


class Script(Protocol):
    """Says what is written."""

    def answer(self, asked: Asked) -> Iterator[Token]:
        """The tokens for a request, in order; the model's own end is where they end."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The same tokens whatever is asked.

    Attributes:
        tokens: in order.
        endless: again and again.
    """

    tokens: tuple[Token, ...]
    endless: bool = False

    def answer(self, asked: Asked) -> Iterator[Token]:
        """All tokens; no request changes them."""
        return itertools.cycle(self.tokens) if self.endless else iter(self.tokens)


SUM = Fixed(tuple(Token(text) for text in ("total", " =", " alpha", " +", " beta")))
"""A line that is code wherever a statement may stand."""


def split(prompt: str) -> tuple[str, str]:
    """Prefix and suffix of a prompt in Qwen's format; (prompt, "") where it is in no format."""
    before, marked, behind = prompt.partition(_MARKS[1])
    if not marked:
        return prompt, ""
    return before.partition(_MARKS[0])[2], behind.partition(_MARKS[2])[0]


def tokens_of(pairs: Iterable[tuple[str, float]]) -> tuple[Token, ...]:
    """Tokens from texts with their log-probs."""
    return tuple(Token(text, logprob) for text, logprob in pairs)

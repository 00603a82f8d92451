"""Servers that tell how their models cut a text into tokens: llama.cpp and vLLM."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

from synconfroute.clients.connection import Connection
from synconfroute.clients.faults import Peer
from synconfroute.clients.token_counts import TokenCounts
from synconfroute.errors import ModelServerError

_SECONDS = 5.0
_PATH = "/tokenize"

Lengths = Callable[[str], Awaitable[Sequence[int]]]
"""Lengths of a text's tokens, in order, in bytes of UTF-8."""


async def llama_lengths(connection: Connection, peer: Peer, text: str) -> list[int]:
    """What llama.cpp says; empty where it says something else.

    Raises:
        ModelServerError: it says nothing.
    """
    body = {"content": text, "add_special": False, "with_pieces": True}
    answer = await connection.ask_json(peer, _PATH, body, seconds=_SECONDS)
    tokens = answer.get("tokens")
    pieces = [_piece(token) for token in tokens] if isinstance(tokens, list) else []
    return _fitted([len(piece) for piece in pieces], text)


async def vllm_lengths(connection: Connection, peer: Peer, model: str, text: str) -> list[int]:
    """What vLLM says; empty where it says something else.

    Raises:
        ModelServerError: it says nothing.
    """
    body = {
        "model": model,
        "prompt": text,
        "add_special_tokens": False,
        "return_token_strs": True,
    }
    answer = await connection.ask_json(peer, _PATH, body, seconds=_SECONDS)
    pieces = answer.get("token_strs")
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        return []
    # Vocabularies of bytes have one character a byte; those of SentencePiece have the text itself.
    return _fitted([len(piece) for piece in pieces], text) or _fitted(
        [_sentence_piece_bytes(piece) for piece in pieces], text
    )


class Learning:
    """Asks a tokenizer beside the requests, one question at a time."""

    def __init__(self, counts: TokenCounts) -> None:
        """Take over what is known."""
        self._counts = counts
        self._asking: asyncio.Task[None] | None = None

    def begin(self, lengths: Lengths) -> None:
        """Ask about lines not told yet, if there are enough and no question is open.

        A server that does not answer is no fault: estimates hold.
        """
        if self._asking is not None and not self._asking.done():
            return
        lines = self._counts.question()
        if lines:
            self._asking = asyncio.ensure_future(self._ask(lines, lengths))

    async def aclose(self) -> None:
        """Give up the open question."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.wait([self._asking])

    async def _ask(self, lines: Sequence[str], lengths: Lengths) -> None:
        with suppress(ModelServerError):
            self._counts.learn(lines, await lengths("".join(lines)))


def _piece(token: Any) -> bytes:
    """The bytes of a token: a text, or a list of bytes where it is half a character."""
    piece = token.get("piece") if isinstance(token, dict) else None
    if isinstance(piece, str):
        return piece.encode("utf-8", "replace")
    if isinstance(piece, list) and all(isinstance(one, int) for one in piece):
        return bytes(one & 0xFF for one in piece)
    return b""


def _sentence_piece_bytes(piece: str) -> int:
    byte = len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">")
    return 1 if byte else len(piece.replace("▁", " ").encode("utf-8", "replace"))


def _fitted(lengths: list[int], text: str) -> list[int]:
    """The lengths if they make up the text, perhaps behind a blank of the tokenizer's own."""
    beyond = sum(lengths) - len(text.encode("utf-8", "replace"))
    if beyond == 1 and lengths[0] > 0:
        lengths = [lengths[0] - 1, *lengths[1:]]
    return lengths if beyond in {0, 1} else []

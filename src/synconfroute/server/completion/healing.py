"""Token healing: where the cursor is within a word, the model writes the word anew.

A text that is cut within a word ends in tokens that hardly any text ended in when the model learnt:
`ret` was always one token with what follows it. So the prompt ends before the word, and an answer
that spells what was typed goes on behind it. Where it does not, the model is asked plainly.
"""

import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from types import TracebackType
from typing import Self

from synconfroute.clients.model import (
    Finish,
    GenerationRequest,
    ModelClient,
    Token,
    TokenStream,
)
from synconfroute.server.completion.hole import Hole

_LONGEST = 48
_WITHIN_WORD = re.compile(r"[^\w\n]?[^\W\d]\w*\Z")
"""A word, and the one character before it that tokens of words begin with: `.`, `(`, a blank."""
_WORD = re.compile(r"\w")


def typed_part(hole: Hole) -> str:
    """What is to be written anew: the word that the cursor stands behind, or ""."""
    match = _WITHIN_WORD.search(hole.left[-_LONGEST:])
    if match is None or _WORD.match(hole.right) or match.start() == 0 < len(hole.left) - _LONGEST:
        return ""
    return match[0]


async def stream_of(
    client: ModelClient,
    request: GenerationRequest,
    on_send: Callable[[GenerationRequest], None] = lambda _: None,
) -> TokenStream:
    """The answer's tokens, what was typed taken off; asked again plainly if it is not there.

    Args:
        client: of the model.
        request: what to ask.
        on_send: told each request before it leaves.

    Raises:
        ModelServerError: the server refused or cannot be reached.
        EngineError: the embedded engine does not start.
    """
    on_send(request)
    stream = await client.stream(request)
    if not request.heal or request.plain is None:
        return stream
    healed = _Healed(stream)
    try:
        if await healed.spells(request.heal):
            return healed
    except BaseException:
        await stream.aclose()
        raise
    await stream.aclose()
    plain = replace(request, prompt=request.plain, heal="", plain=None)
    on_send(plain)
    return await client.stream(plain)


class _Healed:
    """A stream without what was typed."""

    def __init__(self, stream: TokenStream) -> None:
        self._stream = stream
        self._first: Token | None = None

    async def spells(self, typed: str) -> bool:
        """Take what was typed off the stream; False if it does not begin so."""
        async for token in self._stream:
            if token.text.startswith(typed):
                rest = token.text[len(typed) :]
                # Most of it was known before it was written: it says nothing of the answer.
                self._first = replace(token, text=rest, forced=True) if rest else None
                return True
            if not typed.startswith(token.text):
                return False
            typed = typed[len(token.text) :]
        return False

    @property
    def finish(self) -> Finish | None:
        return None if self._first is not None else self._stream.finish

    def __aiter__(self) -> AsyncIterator[Token]:
        return self

    async def __anext__(self) -> Token:
        first, self._first = self._first, None
        return await anext(self._stream) if first is None else first

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

"""One tier's answer: tokens as they come, stopped when the answer is complete."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from synconfroute.clients.model import GenerationRequest, ModelClient, Token, TokenStream
from synconfroute.errors import BadAnswer, PromptTooLong, StaleConnection
from synconfroute.server.completion.cleaning.fences import fence_end
from synconfroute.server.completion.cleaning.first_line import line_end
from synconfroute.server.completion.cleaning.special_tokens import special_token_at
from synconfroute.server.completion.healing import stream_of
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import SHRINKS
from synconfroute.server.completion.stopping import Stop

_TOLERATED = 2
"""A server that sends more than so many times what it was asked for is none."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a model has sent, before cleaning.

    Attributes:
        tokens: its tokens, in order.
        text: the indentation that the model was given, and the texts of its tokens, joined.
        preamble: how many leading tokens belong to a fence; None while that cannot be told.
        finished: nothing more will come.
        model: the model that the server says answered, or "".
        ending: why nothing more comes: "stop" (the model ended), "length" (its limit of tokens),
            "closed" (the answer was complete); "" while it grows.
        redacted: so many texts that looked like secrets were replaced in the prompt.
    """

    tokens: tuple[Token, ...] = ()
    text: str = ""
    preamble: int | None = None
    finished: bool = False
    model: str = ""
    ending: str = ""
    redacted: int = 0

    def grown(self, token: Token) -> "Draft":
        """The draft with one more token."""
        text = self.text + token.text
        tokens = (*self.tokens, token)
        preamble = _preamble(tokens, text) if self.preamble is None else self.preamble
        return replace(self, tokens=tokens, text=text, preamble=preamble)


class Generation:
    """A stream on its way to an answer: an iterator of drafts, one a token.

    The stream's closing begins once the answer is complete, so that nothing is generated for the
    bin; the last draft is `finished`. `aclose` waits until it is closed.
    """

    def __init__(
        self,
        stream: TokenStream,
        *,
        single_line: bool,
        block_at: Hole | None = None,
        on_text: Callable[[str], None] | None = None,
        given: str = "",
        asked_for: int | None = None,
        address: str = "the server",
    ) -> None:
        """Take over a stream.

        Args:
            stream: the tokens; closed by this object.
            single_line: the answer is complete at the line break after its first visible text.
            block_at: the hole of an answer of several lines, which is complete with the structure
                that it began there; None: such an answer ends where the model ends it.
            on_text: told the answer proper so far, as it grows.
            given: what the text begins with, as in `GenerationRequest`.
            asked_for: the most tokens that the server was asked for.
            address: of the server.
        """
        self._stream = stream
        self._single_line = single_line
        self._stop = None if single_line or block_at is None else Stop(block_at)
        self._on_text = on_text
        self._most = None if asked_for is None else _TOLERATED * asked_for
        self._address = address
        self._closing: asyncio.Future[None] | None = None
        self.draft = Draft(text=given)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Draft:
        """Wait for the next token and return the draft with it.

        Raises:
            ModelServerError: the server failed in the middle, or goes on for ever.
        """
        if self.draft.finished:
            raise StopAsyncIteration
        token = None if self._complete() else await anext(self._stream, None)
        if token is None:
            self._end()
        else:
            self.draft = self.draft.grown(token)
            if self._most is not None and len(self.draft.tokens) > self._most:
                await self.aclose()
                raise BadAnswer(
                    f"What answers at {self._address} sends more than it was asked for: check the"
                    " address."
                )
            self._tell()
        return self.draft

    async def finish(self) -> Draft:
        """Go on to the end and return the finished draft."""
        async for _ in self:
            pass
        return self.draft

    async def aclose(self) -> None:
        """Close the stream at once."""
        await asyncio.shield(self._hang_up())

    def _hang_up(self) -> "asyncio.Future[None]":
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._stream.aclose())
        return self._closing

    def _tell(self) -> None:
        begin = fence_end(self.draft.text)
        if self._on_text is not None and begin is not None:
            self._on_text(self.draft.text[begin:])

    def _complete(self) -> bool:
        """True if what comes next can only be cut off."""
        text = self.draft.text
        if special_token_at(text) >= 0:
            return True
        if self._stop is not None:
            return self._stop.complete(text)
        begin = fence_end(text)
        return self._single_line and begin is not None and line_end(text[begin:]) >= 0

    def _end(self) -> None:
        ending = self._stream.finish
        self._hang_up()
        self.draft = replace(
            self.draft,
            finished=True,
            preamble=self.draft.preamble or 0,
            model=ending.model if ending else "",
            ending=ending.reason if ending else "closed",
        )


async def begin(
    client: ModelClient,
    request: Callable[[int], GenerationRequest],
    *,
    single_line: bool,
    block_at: Hole | None = None,
    on_text: Callable[[str], None] | None = None,
) -> Generation:
    """Ask a model; a prompt that its server finds too long is cut and sent again.

    Args:
        client: of the model.
        request: the request with its budget divided by that number.
        single_line: see `Generation`.
        block_at: see `Generation`.
        on_text: see `Generation`.

    Raises:
        ModelServerError: the server refused or cannot be reached.
        EngineError: the embedded engine does not start.
    """
    for shrink in SHRINKS:
        asked = request(shrink)
        try:
            stream = await _stream(client, asked)
        except PromptTooLong:
            if shrink == SHRINKS[-1]:
                raise
        else:
            return Generation(
                stream,
                single_line=single_line,
                block_at=block_at,
                on_text=on_text,
                given=asked.given,
                asked_for=asked.max_tokens,
                address=client.address,
            )
    raise AssertionError("the last shrink returns or raises")


async def _stream(client: ModelClient, asked: GenerationRequest) -> TokenStream:
    """The stream; asked for anew, at once, where a connection was closed while it waited."""
    try:
        return await stream_of(client, asked)
    except StaleConnection:
        return await stream_of(client, asked)


def _preamble(tokens: tuple[Token, ...], text: str) -> int | None:
    """How many leading tokens end within an opening fence."""
    proper = fence_end(text)
    if not proper:
        return proper
    count, length = 0, len(text) - sum(len(token.text) for token in tokens)
    for token in tokens:
        length += len(token.text)
        if length > proper:
            break
        count += 1
    return count

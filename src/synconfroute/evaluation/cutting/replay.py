"""A stored answer sent once more, token by token, to what the server makes of a stream."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from synconfroute.clients.model import Finish, Token
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.server.completion.finishing import Finishing
from synconfroute.server.completion.generation import Generation
from synconfroute.server.completion.judging import Judging
from synconfroute.server.settings.tree import Limits
from synconfroute.validators import Validator

_VERDICT_SECONDS = 20.0
_CUT_SECONDS = 120.0
"""A busy machine must not change where a text is cut."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the server makes of an answer.

    Attributes:
        text: what it keeps, or sends to a larger model where that is invalid; "" for nothing.
        tokens: how many it reads before it closes the stream.
    """

    text: str
    tokens: int


class Replay:
    """The server's own way from a stream to a candidate, for answers of several lines."""

    def __init__(self) -> None:
        """Start nothing yet: the parser process starts with the first verdict."""
        self._validator = Validator()
        self.judging = Judging(self._validator, _VERDICT_SECONDS)
        self._finishing = Finishing(self.judging, _CUT_SECONDS, Limits(lines="multi"))

    async def structural(self, stored: Stored) -> Replayed:
        """Stream a stored answer's tokens until the server closes the stream, and finish."""
        prediction = stored.prediction
        hole = hole_of(stored.task)
        written = "".join(token.text for token in prediction.tokens)
        generation = Generation(
            _Recorded(prediction.tokens, str(prediction.provenance.get("finish", "stop"))),
            single_line=False,
            block_at=hole,
            given=prediction.text.removesuffix(written),
        )
        draft = await generation.finish()
        candidate = await self._finishing.candidate(hole, draft, "")
        return Replayed(candidate.text, len(draft.tokens))

    def close(self) -> None:
        """End the parser process."""
        self._validator.close()


class _Recorded:
    """A stream of tokens that were recorded."""

    def __init__(self, tokens: Sequence[Token], ending: str) -> None:
        self._left = list(tokens)
        self._ending = ending

    @property
    def finish(self) -> Finish | None:
        """How the recorded stream ended, once all of it was read."""
        return None if self._left else Finish(self._ending, 0)

    def __aiter__(self) -> AsyncIterator[Token]:
        return self

    async def __anext__(self) -> Token:
        if not self._left:
            raise StopAsyncIteration
        return self._left.pop(0)

    async def aclose(self) -> None:
        """Nothing to close."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

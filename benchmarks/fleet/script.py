"""What the two scripted models write: a line that says whose it is, and for which request."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.fleet.mark import last_mark
from benchmarks.model.script import Asked, Token

LOCAL, ORG = "alpha", "delta"
"""What the first name of an answer begins with."""
_SURE, _UNSURE = -0.01, -1.5
_LINE = 400
"""Characters before the cursor in which the mark is looked for."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A line of so many tokens.

    Attributes:
        name: `LOCAL` or `ORG`.
        tokens: how many, at least 3.
        always_sure: whatever the mark says.
    """

    name: str
    tokens: int
    always_sure: bool = False

    def answer(self, asked: Asked) -> Iterator[Token]:
        """The tokens; without a mark, the same."""
        mark = last_mark(asked.prefix[-_LINE:])
        sure = self.always_sure or mark is None or not mark.unsure
        logprob = _SURE if sure else _UNSURE
        yield Token(f"{self.name}{mark or ''}", logprob)
        for number in range((self.tokens - 1) // 2):
            yield Token(" +", logprob)
            yield Token(f" beta{number % 4}", logprob)

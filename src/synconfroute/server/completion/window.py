"""What goes into a prompt: the end of the prefix, the head of the suffix, pieces of other files."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from synconfroute.server.completion.budget import estimated_tokens, head_within, tail_within
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.hole import Hole

_STEPS = 8
"""The prefix takes its share in steps of an eighth of the budget: other files stand above it, and
what of them fits must stay the same while the user types."""
_LEAST_LINES = 2
"""One line of another file says too little."""


@dataclass(frozen=True, slots=True)
class Window:
    """What of a hole, and of other files, goes into a prompt.

    Attributes:
        prefix: the end of the hole's prefix.
        suffix: the head of its suffix.
        pieces: of other files, in an order that does not change with their rank.
    """

    prefix: str
    suffix: str
    pieces: tuple[Snippet, ...] = ()


def window_of(
    hole: Hole,
    budget: int,
    *,
    suffix_tokens: int,
    context: Sequence[Snippet] = (),
    written: Callable[[Snippet], str] = lambda snippet: snippet.text,
) -> Window:
    """Share a budget: first what is around the cursor, then other files.

    The suffix gets at most a quarter, and other files what is left over; where the prefix would
    take it all, they get what it has beyond half of the budget.

    Args:
        hole: where the completion goes.
        budget: tokens of all that goes into the prompt.
        suffix_tokens: of the suffix, at most.
        context: pieces of other files, the most useful first.
        written: a piece as it stands in the prompt.
    """
    suffix = head_within(hole.suffix, min(suffix_tokens, budget // 4))
    rest = budget - estimated_tokens(suffix)
    if not context:
        return Window(tail_within(hole.prefix, rest), suffix)
    step = max(1, budget // _STEPS)
    wanted = math.ceil(estimated_tokens(hole.prefix) / step) * step
    taken = math.ceil(estimated_tokens(suffix) / step) * step
    left = budget - taken - min(wanted, budget // 2)
    pieces = _fitting(context, left, written)
    rest -= sum(estimated_tokens(written(piece)) for piece in pieces)
    return Window(tail_within(hole.prefix, rest), suffix, pieces)


def _fitting(
    context: Sequence[Snippet], tokens: int, written: Callable[[Snippet], str]
) -> tuple[Snippet, ...]:
    """The most useful pieces that fit, the last one perhaps shortened, by path."""
    kept = []
    for snippet in context:
        whole = estimated_tokens(written(snippet))
        piece = snippet if whole <= tokens else _shortened(snippet, tokens, written)
        if piece is None:
            break
        kept.append(piece)
        if piece is not snippet:
            break
        tokens -= whole
    return tuple(sorted(kept, key=lambda piece: (piece.path, piece.text)))


def _shortened(snippet: Snippet, tokens: int, written: Callable[[Snippet], str]) -> Snippet | None:
    """The first lines of a snippet within a budget; None where not two of them fit."""
    lines = snippet.text.splitlines(keepends=True)
    count = len(lines) - 1
    while count >= _LEAST_LINES:
        piece = replace(snippet, text="".join(lines[:count]))
        if estimated_tokens(written(piece)) <= tokens:
            return piece
        count = min(count - 1, count * 3 // 4)
    return None

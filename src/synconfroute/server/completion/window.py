"""What goes into a prompt: the end of the prefix, the head of the suffix, pieces of other files."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from synconfroute.clients.token_counts import estimated_tokens
from synconfroute.server.completion.budget import Count, head_within, tail_within
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.hole import Hole

_STEPS = 8
"""The prefix takes its share in steps of an eighth of the budget: other files stand above it, and
what of them fits must stay the same while the user types."""
_SLACK = 6
"""A sixth of the budget may stay unused, for a beginning that stays while the user types."""
_MOST_CHARACTERS = 8
"""More characters than a token of code has on average: beyond, nothing needs to be counted."""
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
    count: Count = estimated_tokens,
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
        count: the most tokens that a text has.
    """
    suffix = head_within(hole.suffix, min(suffix_tokens, budget // 4), count)
    prefix = hole.prefix[-budget * _MOST_CHARACTERS :]
    rest = budget - count(suffix)
    slack = budget // _SLACK
    moves = len(prefix) < len(hole.prefix) or not _from_the_start(hole)
    if not context:
        return Window(tail_within(prefix, rest, count, slack=slack, moves=moves), suffix)
    step = max(1, budget // _STEPS)
    wanted = math.ceil(count(prefix) / step) * step
    taken = math.ceil(count(suffix) / step) * step
    left = budget - taken - min(wanted, budget // 2)
    pieces, used = _fitting(context, left, written, count)
    rest -= used
    cut = tail_within(prefix, rest, count, slack=slack, moves=moves)
    return Window(cut, suffix, pieces)


def _from_the_start(hole: Hole) -> bool:
    """True if the prefix begins where the document does: a window of it moves with the cursor."""
    return hole.whole or (hole.spot is not None and hole.spot.line <= hole.prefix.count("\n"))


def _fitting(
    context: Sequence[Snippet], tokens: int, written: Callable[[Snippet], str], count: Count
) -> tuple[tuple[Snippet, ...], int]:
    """The most useful pieces that fit, the last perhaps shortened, by path; and their tokens."""
    kept, used = [], 0
    for snippet in context:
        whole = count(written(snippet))
        if used + whole <= tokens:
            kept.append(snippet)
            used += whole
            continue
        part = _shortened(snippet, tokens - used, written, count)
        if part is not None:
            kept.append(part)
            used += count(written(part))
        break
    return tuple(sorted(kept, key=lambda piece: (piece.path, piece.text))), used


def _shortened(
    snippet: Snippet, tokens: int, written: Callable[[Snippet], str], count: Count
) -> Snippet | None:
    """The first lines of a snippet within a budget; None where not two of them fit."""
    lines = snippet.text.splitlines(keepends=True)
    most = len(lines) - 1
    while most >= _LEAST_LINES:
        piece = replace(snippet, text="".join(lines[:most]))
        if count(written(piece)) <= tokens:
            return piece
        most = min(most - 1, most * 3 // 4)
    return None

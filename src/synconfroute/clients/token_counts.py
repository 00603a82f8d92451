"""How many tokens a text has: as the model's tokenizer told of its lines, else by estimate.

A tokenizer is asked beside the requests, never before one: what it says of a line holds for every
later prompt with that line.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import islice

CHARACTERS_PER_TOKEN = 2.5
"""Source code has 3 to 4; fewer here, so that an estimate errs to the safe side."""
_MOST_LINES = 16_384
_WORTH_ASKING = 400
"""Characters of lines not told yet that are worth a question."""
_MOST_ASKED = 32_768
"""Characters of one question."""


def estimated_tokens(text: str) -> int:
    """A safe estimate of a text's tokens, above the true number for code."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return math.ceil(plain / CHARACTERS_PER_TOKEN) + 2 * (len(text) - plain)


class TokenCounts:
    """What one model's tokenizer has told of lines. Keeps the latest, in memory only."""

    def __init__(self) -> None:
        """Nothing is told yet."""
        self._known: dict[str, int] = {}
        self._unknown: dict[str, None] = {}

    def count(self, text: str) -> int:
        """The most tokens that a text has, line by line; lines not told are noted."""
        total = 0
        for line in text.splitlines(keepends=True):
            known = self._known.get(line)
            if known is None:
                if len(self._unknown) < _MOST_LINES:
                    self._unknown[line] = None
                known = estimated_tokens(line)
            total += known
        return total

    def forget(self) -> None:
        """Another model answers now."""
        self._known.clear()
        self._unknown.clear()

    def question(self) -> tuple[str, ...]:
        """The lines noted, to be told next; none while they are too few to be worth it."""
        if sum(map(len, self._unknown)) < _WORTH_ASKING:
            return ()
        lines, self._unknown = tuple(self._unknown), {}
        return tuple(_within(lines, _MOST_ASKED))

    def learn(self, lines: Sequence[str], lengths: Sequence[int]) -> None:
        """Take what a tokenizer made of lines, joined.

        A token across two lines counts for both: next to others they may have one each.

        Args:
            lines: as asked.
            lengths: of the tokens, in order, in bytes of UTF-8; of other texts nothing is learnt.
        """
        ends = [0]
        for length in lengths:
            ends.append(ends[-1] + length)
        sizes = [len(line.encode("utf-8", "replace")) for line in lines]
        if ends[-1] != sum(sizes):
            return
        begin, token = 0, 0
        for line, size in zip(lines, sizes, strict=True):
            end = begin + size
            while ends[token + 1] <= begin:
                token += 1
            last = token
            while ends[last + 1] < end:
                last += 1
            self._known[line] = last - token + 1
            begin = end
        for old in list(islice(self._known, max(0, len(self._known) - _MOST_LINES))):
            del self._known[old]


def _within(lines: Iterable[str], most: int) -> Iterable[str]:
    for line in lines:
        most -= len(line)
        if most < 0:
            return
        yield line

"""The names that a file binds outside functions, kept up to date at little cost while it is edited.

The text is cut at the lines that begin at the left margin. Of a function's or class's part only the
first line tells names; of another every word may be one. What has not changed is not read again.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

from synconfroute.validators.evidence.braces.scoping import Scoping

# The left margin, but for what goes on with the statement above.
_MARGIN = re.compile(r"^(?=[^\s})\]{.?:&|+*<>=,;-])(?!(?:else|catch|finally|where|while)\b)", re.M)
WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Part:
    """A statement at the left margin, to where the next one begins.

    Attributes:
        names: words that it may bind in the file.
        closed: nothing inside it is seen outside.
        doubtful: it may bring names unseen.
    """

    names: frozenset[str]
    closed: bool
    doubtful: bool


class Outline:
    """The parts of a file."""

    def __init__(self, scoping: Scoping) -> None:
        self._scoping = scoping
        self._text = ""
        self._starts = [0]
        self._parts = [self._read("")]
        self._count: dict[str, int] = {}
        self._doubtful = 0

    @property
    def doubtful(self) -> bool:
        """May names come and go unseen?"""
        return self._doubtful > 0

    def update(self, text: str) -> None:
        """Take note of what the buffer holds now; only the parts that were edited are read."""
        old = self._text
        head = _alike(old, text)
        tail = _alike(old[head:][::-1], text[head:][::-1])
        first = max(0, self.at(head) - 1)
        # What begins right behind the edit may have lost the line break before it.
        last = bisect_right(self._starts, len(old) - tail)
        start, shift = self._starts[first], len(text) - len(old)
        end = self._starts[last] + shift if last < len(self._starts) else len(text)
        cuts = [found.start() for found in _MARGIN.finditer(text, start, end)]
        if not cuts or cuts[0] > start:
            cuts.insert(0, start)
        parts = [self._read(text[a:b]) for a, b in pairwise([*cuts, end])]
        self._tally(self._parts[first:last], -1)
        self._tally(parts, 1)
        self._starts[first:] = [*cuts, *(each + shift for each in self._starts[last:])]
        self._parts[first:last] = parts
        self._text = text

    def _tally(self, parts: list[Part], by: int) -> None:
        for part in parts:
            self._doubtful += by * part.doubtful
            for name in part.names:
                self._count[name] = self._count.get(name, 0) + by

    def at(self, offset: int) -> int:
        """The index of the part that the offset stands in."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def part(self, index: int) -> tuple[int, int]:
        """Where a part begins and ends."""
        end = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._text)
        return self._starts[index], end

    def binds(self, name: str, *, but_for: int) -> bool:
        """May a part other than this one bind the name in the file?"""
        own = self._parts[but_for] if but_for < len(self._parts) else None
        return self._count.get(name, 0) > (own is not None and name in own.names)

    def others_with(self, name: str, *, but_for: int) -> list[str]:
        """The texts of the other parts in which the name stands as a word."""
        found: list[str] = []
        at = self._text.find(name)
        while at >= 0:
            index = self.at(at)
            start, end = self.part(index)
            own = self._text[start:end]
            if index != but_for and re.search(rf"\b{re.escape(name)}\b", own):
                found.append(own)
            at = self._text.find(name, end)
        return found

    def _read(self, text: str) -> Part:
        first = text.partition("\n")[0]
        closed = self._scoping.closes(text)
        doubtful = not closed and self._scoping.opens(text)
        return Part(frozenset(WORD.findall(first if closed else text)), closed, doubtful)


def _alike(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginnings."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low

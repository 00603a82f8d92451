"""The names that a file binds outside functions, kept up to date at little cost while it is edited.

The text is cut at the lines that begin at the left margin. Of a function's or class's part only the
first line tells names; of another every word may be one. What has not changed is not read again.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

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
    """The parts of a file.

    Attributes:
        doubtful: names may come and go unseen.
    """

    def __init__(self, scoping: Scoping) -> None:
        self.doubtful = False
        self._scoping = scoping
        self._text = ""
        self._starts = [0]
        self._parts: list[Part] = []
        self._known: dict[str, Part] = {}
        self._count: dict[str, int] = {}

    def update(self, text: str) -> None:
        """Take note of what the buffer holds now."""
        starts = [found.start() for found in _MARGIN.finditer(text)]
        if not starts or starts[0] > 0:
            starts.insert(0, 0)
        known: dict[str, Part] = {}
        parts: list[Part] = []
        count: dict[str, int] = {}
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            own = text[start:end]
            part = known.get(own) or self._known.get(own) or self._read(own)
            known[own] = part
            parts.append(part)
            for name in part.names:
                count[name] = count.get(name, 0) + 1
        self._text, self._starts, self._parts = text, starts, parts
        self._known, self._count = known, count
        self.doubtful = any(part.doubtful for part in parts)

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

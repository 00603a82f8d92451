"""The names that a module binds, kept up to date at little cost while it is edited.

The text is cut at the lines that begin at the left margin. A function's or class's chunk binds its
name, which its first line tells; the others are parsed. What has not changed is not read again.
"""

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from synconfroute.validators.evidence.python.reader import Reader

# The left margin, but for what goes on with the statement above.
_MARGIN = re.compile(
    r"^(?![ \t\n\f#)\]}]|(?:else|elif|except|finally)\b)(?=.)(?:@.*\n(?:[ \t#@)].*\n|\n)*.)?", re.M
)
_DEFINITION = re.compile(r"(?:[@# \t)].*\n|\n)*(?:async[ \t]+def|def|class)[ \t]+(\w+)")
HEADER = re.compile(r"^([ \t]*)(async[ \t]+def|def|class)\b", re.M)
_GLOBAL = re.compile(r"^[ \t]+global[ \t]+([\w \t,]+)", re.M)
_WORD = re.compile(r"\w+")
# Names may come and go unseen. Each begins with a literal: such are found fast.
_DYNAMIC = [
    re.compile(pattern)
    for pattern in (
        r"import\s*\(?\s*\*",
        r"exec(?:file)?\s*\(",
        r"globals\s*\(",
        r"locals\(\)",
        r"vars\(\)",
        r"modules\[__name__\]",
        r"builtin(?:s|__|s__)\s*(?:\[|\.\w+\s*=[^=])",
        r"setattr\(\s*(?:builtins|__builtin__)",
    )
]
_LONGEST_TEXT = 400
_MOST_READ = 80


class Header(NamedTuple):
    """Where a function or a class begins.

    Attributes:
        start: where in its chunk.
        white: the white space before it.
        function: it is no class.
    """

    start: int
    white: str
    function: bool


@dataclass(frozen=True, slots=True)
class Chunk:
    """A statement at the left margin, to where the next one begins.

    Attributes:
        text: all of it.
        names: what it binds in the module.
        definition: it is a function or a class, so that `names` hold whatever its body holds.
        doubtful: it may bring names unseen.
        headers: of the functions and classes in it, in order.
    """

    text: str
    names: frozenset[str]
    definition: bool
    doubtful: bool
    headers: tuple[Header, ...]


class Outline:
    """The chunks of a module.

    Attributes:
        starts: where each chunk begins; the first at 0.
        chunks: the chunks.
        doubtful: names may come and go unseen.
    """

    def __init__(self) -> None:
        self.starts: list[int] = [0]
        self.chunks: list[Chunk] = [_chunk("")]
        self.doubtful = False
        self._read: dict[str, frozenset[str]] = {}
        self._known: dict[str, Chunk] = {}
        self._count: dict[str, int] = {}

    def update(self, text: str) -> None:
        """Take note of what the buffer holds now."""
        known: dict[str, Chunk] = {}
        self.starts, self.chunks, self._count = [], [], {}
        for start, end in _spans(text):
            part = text[start:end]
            chunk = known.get(part) or self._known.get(part) or _chunk(part)
            known[part] = chunk
            self.starts.append(start)
            self.chunks.append(chunk)
            for name in chunk.names:
                self._count[name] = self._count.get(name, 0) + 1
        self._known = known
        self._read = {part: read for part, read in self._read.items() if part in known}
        self.doubtful = any(chunk.doubtful for chunk in self.chunks)

    def at(self, offset: int) -> int:
        """The index of the chunk that the offset stands in."""
        return max(0, bisect_right(self.starts, offset) - 1)

    def binds(self, name: str, *, but_for: int) -> bool:
        """Does the module bind this name, not counting a chunk that is being edited?"""
        chunk = self.chunks[but_for]
        besides = 0 if chunk.definition else name in chunk.names
        return self._count.get(name, 0) > besides

    def read_elsewhere(self, names: Iterable[str], but_for: int) -> set[str]:
        """Those that another chunk reads without binding them: they come from somewhere.

        Only some short chunks are read, since a user waits.
        """
        wanted, found, left = set(names), set[str](), _MOST_READ
        for index, chunk in enumerate(self.chunks):
            if index == but_for or not any(name in chunk.text for name in wanted):
                continue
            if chunk.text not in self._read:
                if wanted.isdisjoint(_WORD.findall(chunk.text)):
                    continue
                left -= chunk.text.count("\n")
                if left < 0:
                    break
                self._read[chunk.text] = _unbound(chunk.text)
            found |= wanted & self._read[chunk.text]
        return found


def _spans(text: str) -> list[tuple[int, int]]:
    """Where the chunks begin and end; a text in triple quotes is not cut."""
    cuts = [match.start() for match in _MARGIN.finditer(text)]
    if not cuts or cuts[0] != 0:
        cuts.insert(0, 0)
    cuts.append(len(text))
    spans: list[tuple[int, int]] = []
    start = doubles = singles = 0
    for cut, end in pairwise(cuts):
        doubles += text.count('"""', cut, end)
        singles += text.count("'''", cut, end)
        quoted = doubles % 2 or singles % 2
        if quoted and end < len(text) and text.count("\n", start, end) < _LONGEST_TEXT:
            continue
        spans.append((start, end))
        start, doubles, singles = end, 0, 0
    return spans or [(0, 0)]


def _chunk(text: str) -> Chunk:
    """Read one; where it does not parse, every word in it may be a name that it binds."""
    doubtful = text[:1] in ("%", "!") or any(pattern.search(text) for pattern in _DYNAMIC)
    headers = tuple(
        Header(found.start(), found[1], found[2] != "class") for found in HEADER.finditer(text)
    )
    defined = _DEFINITION.match(text)
    if defined is not None and len(_MARGIN.findall(text)) == 1:
        names = {defined[1]}
        for declared in _GLOBAL.findall(text):
            names.update(_WORD.findall(declared))
        return Chunk(text, frozenset(names), True, doubtful, headers)
    try:
        names = set(Reader(ast.parse(text)).top.bound)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        names = set(_WORD.findall(text))
    return Chunk(text, frozenset(names), False, doubtful, headers)


def _unbound(text: str) -> frozenset[str]:
    try:
        reader = Reader(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(use.name for use in reader.uses if use.binder() is None)

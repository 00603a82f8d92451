"""The lines of the block that a text is inserted into, found by indentation."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from synconfroute.validators.insertion import Insertion

# Above and below the text. A block that is longer is cut, which may leave it unreadable; it is cut
# where a statement begins, where one does behind enough lines.
_MOST_LINES = 40
_MOST_CHARACTERS = 3_000
_ENOUGH_ABOVE = 6
_ENOUGH_BELOW = 16
_STATEMENT = re.compile(r"[ \t]*(?!(?:else|catch|finally|while|case|default|where)\b)[\w@$]")

# Lines of a preprocessor, of a comment, of a class, of a file.
_OTHER = re.compile(
    r"^[ \t]*(?:#|\*|@(?:Override|Test)\b"
    r"|(?:public|private|protected|package|import|namespace|template|interface)\b)",
    re.M,
)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that are indented at least as deep as the text, without a gap.

    Attributes:
        text: the lines.
        own: those that the inserted text stands on.
        first: 1-based line in the buffer of the first of them.
        start: row in the lines and column in bytes where the inserted text begins.
        end: the same for where it ends.
    """

    text: str
    own: str
    first: int
    start: tuple[int, int]
    end: tuple[int, int]


def block(insertion: Insertion) -> Block | None:
    """The block, or None where that is too long or cannot be a function's statements.

    A parser takes ten times as long for what it cannot read; hence the look before.
    """
    own = f"{insertion.left}{insertion.text}".split("\n")
    below = insertion.suffix
    if insertion.line_end:
        own.pop()
    else:
        rest, _, below = insertion.suffix.partition("\n")
        own[-1] += rest
    depth = min((depth_of(line) for line in own if line.strip()), default=0)
    head = insertion.prefix[: len(insertion.prefix) - len(insertion.left)]
    upper = _upper(reversed(head[-_MOST_CHARACTERS:].split("\n")[:-1]), depth)
    lower = _lower(below[:_MOST_CHARACTERS].split("\n"), depth)
    lines = [*upper, *own, *lower]
    text = "\n".join(lines)
    if len(text) > 2 * _MOST_CHARACTERS or _OTHER.search(text) or not _balanced(text):
        return None
    rows = insertion.text.split("\n")
    left = _bytes(insertion.left)
    last = _bytes(rows[-1]) + (left if len(rows) == 1 else 0)
    row = len(upper)
    return Block(
        text=text,
        own="\n".join(own),
        first=insertion.row + 1 - row,
        start=(row, left),
        end=(row + len(rows) - 1, last),
    )


def depth_of(line: str) -> int:
    """The columns that a line is indented by."""
    bare = line.lstrip(" ")
    if bare[:1] == "\t":
        line = line.expandtabs(4)
        bare = line.lstrip()
    return len(line) - len(bare)


def _balanced(text: str) -> bool:
    """Are there as many closers as openers? A bracket in quotes may deceive, and silence, this."""
    return all(text.count(opener) == text.count(closer) for opener, closer in ("{}", "()", "[]"))


def _bytes(text: str) -> int:
    return len(text.encode(errors="replace"))


def _upper(lines: Iterable[str], depth: int) -> list[str]:
    """Of lines from the text upwards, those of its block, in the order of the buffer."""
    found: list[str] = []
    for line in lines:
        own = depth_of(line)
        if len(found) == _MOST_LINES or (own < depth and line.strip()):
            break
        found.append(line)
        if len(found) >= _ENOUGH_ABOVE and own == depth and _STATEMENT.match(line):
            break
    return found[::-1]


def _lower(lines: Iterable[str], depth: int) -> list[str]:
    """Of lines from the text downwards, those of its block."""
    found: list[str] = []
    for line in lines:
        own = depth_of(line)
        if len(found) == _MOST_LINES or (own < depth and line.strip()):
            break
        if len(found) >= _ENOUGH_BELOW and own == depth and _STATEMENT.match(line):
            break
        found.append(line)
    return found

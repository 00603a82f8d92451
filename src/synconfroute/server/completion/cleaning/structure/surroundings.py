"""What the code around a hole says about where a text of several lines ends."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from synconfroute.server.completion.hole import Hole
from synconfroute.validators.python.lexing import marks, open_at

_READ = 20_000
"""Characters on each side that are read."""
_LINES = 400
_BELOW = 3
"""Visible lines below that a text is compared with: it may say the first one in other words."""
_TAB = 4

_DEFINES = re.compile(
    r"\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|abstract\s+|final\s+|static\s+"
    r"|sealed\s+|data\s+)*(?:class|enum|extern|impl|interface|module|namespace|object|record"
    r"|struct|trait|union)\b"
)
"""A line that heads a definition in which others may stand."""
_PYTHON_DEFINITION = re.compile(r"\s*(?:async\s+def|def|class)\b")

_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_OPENERS = {closer: opener for opener, closer in _CLOSERS.items()}
_BRACKETS = frozenset(_CLOSERS) | frozenset(_OPENERS)
_LONG_QUOTES = frozenset({"javascript", "javascriptreact", "php", "typescript", "typescriptreact"})
_REST = r"|\"(?:[^\\\n\"]|\\.)*\"?|`(?:[^\\`]|\\.)*(?:`|\Z)|[()\[\]{}]"
_SHORT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|'(?:[^\\'\n]|\\[^\n]{1,9})'" + _REST, re.DOTALL)
_LONG = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*|'(?:[^\\\n']|\\.)*'?" + _REST, re.DOTALL)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a hole.

    Attributes:
        below: the next visible lines below it, each by its column and its visible characters.
        closable: brackets that are open before the hole and that nothing below closes, the
            innermost last: the text may.
        held: how many more are open before it, which the code below closes.
        quoted: what began the string or comment above that the hole is in, or "".
        level: column of the block that the hole's line is in.
        floor: the least column of a line that still belongs there (Python).
        defines: definitions stand where the hole is: in a file, a class or a namespace.
    """

    below: tuple[tuple[int, str], ...]
    closable: tuple[str, ...]
    held: int
    quoted: str
    level: int
    floor: int
    defines: bool


def surroundings(hole: Hole, first: str) -> Surroundings:
    """Read what stands around a hole.

    Args:
        hole: where the text goes.
        first: the first line of the text, as far as it is there.
    """
    below = _below(hole)
    closable, held, quoted = _brackets(hole)
    level = _level(hole, first)
    above = _above(hole)
    floor, defines = _blocks(above, level, below)
    return Surroundings(below, closable, held, quoted, level, floor, defines)


def bare(line: str) -> tuple[int, str]:
    """A line by its column and by its characters, but for white space, quotes and a last comma."""
    return column(line), "".join(line.split()).replace("'", '"').rstrip(",;")


def column(line: str) -> int:
    """Where the first visible character of a line stands, with four columns to a tab."""
    return len(line[: len(line) - len(line.lstrip())].expandtabs(_TAB))


def _below(hole: Hole) -> tuple[tuple[int, str], ...]:
    lines = hole.suffix[len(hole.right) : _READ].split("\n", _LINES)[:_LINES]
    return tuple(bare(line) for line in lines if line.strip())[:_BELOW]


def _above(hole: Hole) -> list[str]:
    """The visible lines above the hole, and its own where code stands there, the nearest first."""
    before = hole.prefix[-_READ:]
    if not hole.left.strip():
        before = before[: len(before) - len(hole.left)]
    return [line for line in reversed(before.split("\n")[-_LINES:]) if line.strip()]


def _level(hole: Hole, first: str) -> int:
    if not hole.left.strip():
        return column(hole.left + first)
    opens = hole.left.rstrip().endswith((":", "{"))
    return column(hole.left) + (1 if opens else 0)


def _blocks(above: list[str], level: int, below: tuple[tuple[int, str], ...]) -> tuple[int, bool]:
    """The floor, and whether definitions stand where the hole is, by indentation."""
    floor, least = 0, level
    defines = level == 0
    for line in above:
        begin = column(line)
        if begin >= least:
            continue
        if least == level:
            defines = _DEFINES.match(line) is not None
        least = begin
        if _PYTHON_DEFINITION.match(line) or not begin:
            floor = begin + 1
            break
    if below and floor <= below[0][0] <= level:
        # The code below goes on in the same function: a block that was just opened ends where its
        # own level does, any other hole where the code below stands.
        just_opened = above and column(above[0]) < level
        floor = level if just_opened else below[0][0]
    return floor, defines


def _brackets(hole: Hole) -> tuple[tuple[str, ...], int, str]:
    """See `Surroundings.closable`, `held` and `quoted`."""
    before, after = hole.prefix[-_READ:], hole.suffix[:_READ]
    if hole.language == "python":
        state = open_at(before, 0, len(before))
        if state.quote:
            return (), 0, state.quote
        opened = [before[at] for at in state.brackets]
        marked = (kind for kind, _ in marks(after, 0, len(after)) if kind in _BRACKETS)
        closed = _unmatched(marked)[1]
    else:
        pattern = _LONG if hole.language in _LONG_QUOTES else _SHORT
        found = list(pattern.finditer(before))
        if found and found[-1].end() == len(before) and _unended(found[-1][0]):
            return (), 0, "/*" if found[-1][0][0] == "/" else "`"
        opened = _unmatched(match[0] for match in found if match[0] in _BRACKETS)[0]
        below = (match[0] for match in pattern.finditer(after))
        closed = _unmatched(each for each in below if each in _BRACKETS)[1]
        if len(hole.prefix) > _READ or len(hole.suffix) > _READ or not hole.whole:
            return (), len(opened), ""
    left = max(0, len(opened) - closed)
    return tuple(opened[len(opened) - left :]), len(opened) - left, ""


def _unended(piece: str) -> bool:
    """True if a piece of code is a comment or a string that goes on in the next line."""
    if piece.startswith("/*"):
        return len(piece) < 4 or not piece.endswith("*/")
    return piece.startswith("`") and (len(piece) < 2 or not piece.endswith("`"))


def _unmatched(brackets: Iterable[str]) -> tuple[list[str], int]:
    """What these brackets leave open, the innermost last, and how many close nothing of them."""
    stack: list[str] = []
    surplus = 0
    for each in brackets:
        if each in _CLOSERS:
            stack.append(each)
        elif _OPENERS[each] in stack:
            while stack.pop() != _OPENERS[each]:
                pass
        else:
            surplus += 1
    return stack, surplus

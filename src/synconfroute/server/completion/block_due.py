"""Whether one line is due at a hole, or as many as a block takes."""

import re
from dataclasses import dataclass

from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Limits

_CLOSERS = frozenset(")]}\"'`;,: \t")
_READ = 4_000
"""Characters on each side that are read."""
_TAB = 4
_PYTHON_HEADER = re.compile(
    r"\s*(?:async|case|class|def|elif|else|except|finally|for|if|match|try|while|with)\b.*:"
    r"[ \t]*(?:#.*)?\Z"
)
_DOCUMENTS = re.compile(r"\s*(?:///|//!)|.*\*/\s*\Z")
_DOC_QUOTES = ('"""', "'''")


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is asked for.

    Attributes:
        single_line: the answer is one line.
        max_tokens: the most tokens to generate.
    """

    single_line: bool
    max_tokens: int


def extent_of(hole: Hole, limits: Limits) -> Extent:
    """One line or several, by the setting `limits.lines`: where several are asked for or due.

    Never several where code stands right of the cursor: they would tear its line apart.
    """
    several = limits.lines != "single" and _CLOSERS.issuperset(hole.right)
    if several and limits.lines == "auto":
        several = hole.explicit or block_due(hole)
    if several:
        return Extent(single_line=False, max_tokens=limits.multi_line_tokens)
    return Extent(single_line=True, max_tokens=limits.single_line_tokens)


def block_due(hole: Hole) -> bool:
    """True where a block is missing whose beginning the user has written.

    That is the body behind a header that has none yet; what a comment of documentation or a
    docstring is about; and what goes on below a blank line within a block.
    """
    if not _CLOSERS.issuperset(hole.right):
        return False
    lines = hole.prefix[-_READ:].split("\n")
    left, above = lines[-1], lines[:-1]
    if left.strip():
        return _opens(left, hole.language) and _is_empty(left, hole)
    if not above or hole.right.strip():
        return False
    visible = [line for line in above if line.strip()]
    if not visible:
        return False
    last = visible[-1]
    if _opens(last, hole.language):
        return _is_empty(last, hole)
    if _documents(visible, hole):
        return True
    return not above[-1].strip() and _column(last) > 0 and _column(left) > 0


def _opens(line: str, language: str) -> bool:
    """True if a line heads a block."""
    if language == "python":
        return _PYTHON_HEADER.match(line) is not None
    return line.rstrip().endswith("{")


def _is_empty(header: str, hole: Hole) -> bool:
    """True if nothing stands in the block that a header opens."""
    below = hole.suffix[len(hole.right) : _READ].split("\n")
    after = next((line for line in below if line.strip()), "")
    return not after or _column(after) <= _column(header)


def _documents(visible: list[str], hole: Hole) -> bool:
    """True if what stands above says what is to come."""
    last = visible[-1].strip()
    if hole.language != "python":
        return _DOCUMENTS.match(last) is not None
    return last.endswith(_DOC_QUOTES) and _is_docstring(visible, hole)


def _is_docstring(visible: list[str], hole: Hole) -> bool:
    """True if the string that ends above begins right below a header, whose body it is so far."""
    quotes = visible[-1].strip()[-3:]
    begin = next(
        (at for at in range(len(visible) - 1, -1, -1) if _begins(visible[at], quotes, at, visible)),
        0,
    )
    header = visible[begin - 1] if begin else ""
    return _PYTHON_HEADER.match(header) is not None and _is_empty(header, hole)


def _begins(line: str, quotes: str, at: int, visible: list[str]) -> bool:
    """True if the string of several lines that ends above begins in this line."""
    own = line.strip().lstrip("rRuUbBfF")
    closes_too = at < len(visible) - 1 or (len(own) >= 6 and own.endswith(quotes))
    return own.startswith(quotes) and closes_too


def _column(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip())].expandtabs(_TAB))

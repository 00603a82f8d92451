"""The indentation that is due at a line's start, where the code around leaves no choice.

An editor leaves the cursor behind it; where it does not, models begin with a wrong one too often.
It is due only where one level is left. A line between two of its own level may as well open or end
a block: that is the model's to say.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from synconfroute.server.completion.hole import Hole

_BRACES = frozenset({"c", "cpp", "java"})
_LINES = 400
"""Lines on each side of which the nearest ones, and the unit of indentation, are read."""
_DEEPEST = 200
"""Characters of white space; what begins behind more is no code that anybody indents."""

_PYTHON_HEADER = re.compile(
    r"[ \t]*(?:async|case|class|def|elif|else|except|finally|for|if|match|try|while|with)\b.*:"
    r"[ \t]*(?:#.*)?\Z"
)
_BRACE_HEADER = re.compile(r".*\{[ \t]*\Z")
_LEAVES = re.compile(r"\s*(?:break|continue|goto|raise|return|throw)\b")
"""What follows such a line on its level is never run, so nobody writes it."""
_CPP_BLOCKS = re.compile(r"\b(?:class|enum|extern|namespace|struct|switch|union)\b")
_JAVA_BLOCKS = re.compile(r"\bswitch\b")
"""Blocks whose lines many write on the level of the block, or half a level deeper."""

_PYTHON_TOKEN = re.compile(
    r"'''(?:[^\\]|\\.)*?(?:'''|\Z)|\"\"\"(?:[^\\]|\\.)*?(?:\"\"\"|\Z)"
    r"|'(?:[^\\\n']|\\.)*'?|\"(?:[^\\\n\"]|\\.)*\"?|#[^\n]*|[()\[\]{}]",
    re.DOTALL,
)
_BRACES_TOKEN = re.compile(
    r"/\*.*?(?:\*/|\Z)|//[^\n]*|'(?:[^\\\n']|\\.)*'?|\"(?:[^\\\n\"]|\\.)*\"?|[{}]", re.DOTALL
)


def indentation_due(hole: Hole) -> str:
    """The white space that is missing between the cursor and where its line must begin.

    "" where nothing is missing, where more than white space stands on the line, where more than
    one level is possible, and in languages and buffers that are not read.
    """
    if hole.left.strip() or hole.right.strip() or not hole.whole:
        return ""
    level = None
    if hole.language == "python":
        level = _python_level(hole)
    elif hole.language in _BRACES:
        level = _braces_level(hole)
    if level is None or len(level) > _DEEPEST or not level.startswith(hole.left):
        return ""
    return level[len(hole.left) :]


def _python_level(hole: Hole) -> str | None:
    """Below a header, and where only a header fits, since the line below is one level deeper."""
    above, below = _above(hole), _below(hole)
    if not above:
        return None
    unit = _unit(above + below, _PYTHON_HEADER)
    last = above[-1]
    opened = _PYTHON_HEADER.match(last) is not None
    level = _indentation(last) + unit if opened else _indentation(last)
    if not opened:
        wants_header = bool(below) and _indentation(below[0]) == level + unit
        if not wants_header or _LEAVES.match(last) or _goes_on(last):
            return None
    return None if _within_python(hole.prefix) else level


def _braces_level(hole: Hole) -> str | None:
    """In a block that was just opened, and before the brace that closes one."""
    above, below = _above(hole), _below(hole)
    if not above or not below:
        return None
    unit = _unit(above + below, _BRACE_HEADER)
    last, begin, end = above[-1].strip(), _indentation(above[-1]), _indentation(below[0])
    closes = below[0].lstrip().startswith("}")
    level = None
    if last.endswith("{") and last.count("(") == last.count(")"):
        styled = _JAVA_BLOCKS if hole.language == "java" else _CPP_BLOCKS
        fits = end == begin + unit or (closes and end == begin)
        level = begin + unit if fits and not styled.search("".join(above[-2:])) else None
    elif last.endswith((";", "}")) and closes and begin == end + unit:
        level = None if _LEAVES.match(last) else begin
    return level if level is not None and _braces_match(hole) else None


def _above(hole: Hole) -> list[str]:
    lines = hole.prefix[: len(hole.prefix) - len(hole.left)].split("\n")[-_LINES:]
    return [line for line in lines if line.strip()]


def _below(hole: Hole) -> list[str]:
    lines = hole.suffix[len(hole.right) :].split("\n", _LINES)[:_LINES]
    return [line for line in lines if line.strip()]


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _unit(lines: list[str], header: re.Pattern[str]) -> str:
    """One level: the commonest step from a header to the line below it, else four blanks."""
    steps = Counter(_steps(lines, header))
    return steps.most_common(1)[0][0] if steps else "    "


def _steps(lines: list[str], header: re.Pattern[str]) -> Iterator[str]:
    for line, following in pairwise(lines):
        begin, deeper = _indentation(line), _indentation(following)
        if header.match(line) and len(deeper) > len(begin) and deeper.startswith(begin):
            yield deeper[len(begin) :]


def _goes_on(line: str) -> bool:
    """True if a Python line may be the later part of a statement that began on another level."""
    visible = line.strip()
    opened = sum(visible.count(each) for each in "([{")
    closed = sum(visible.count(each) for each in ")]}")
    return visible.endswith(":") or (opened < closed and visible[0] not in ")]}")


def _within_python(prefix: str) -> bool:
    """True if a text ends within brackets, or within a string of several lines."""
    depth = 0
    for match in _PYTHON_TOKEN.finditer(prefix):
        part = match[0]
        if part in "([{":
            depth += 1
        elif part in ")]}":
            depth = max(0, depth - 1)
        elif match.end() == len(prefix) and part[:3] in {"'''", '"""'}:
            return len(part) < 6 or not part.endswith(part[:3])
    return depth > 0


def _braces_match(hole: Hole) -> bool:
    """True if each brace that is opened is closed: none is missing where the line goes."""
    depth = 0
    for match in _BRACES_TOKEN.finditer(hole.prefix + hole.suffix):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return False
    return depth == 0

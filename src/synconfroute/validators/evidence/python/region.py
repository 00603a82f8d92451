"""The piece of a module that an insertion is judged in: the outermost function around it.

Nothing inside a function is visible outside it, so the rest of the module is known by the names it
binds. Code outside functions is judged in its statement at the left margin.
"""

import ast
import re
from dataclasses import dataclass

from synconfroute.validators.evidence.python.outline import Outline
from synconfroute.validators.insertion import Insertion

_HEADER = re.compile(r"^([ \t]*)(async[ \t]+def|def|class)\b", re.M)
# A list of names, or a line that goes on, which is no statement of its own.
_GOES_ON = re.compile(
    r"^[ \t]*(?:from|import|(?:async[ \t]+)?(?:def|with)|class|case)\b[^\n]*\([^)]*\Z|\\\n\Z", re.M
)
# Reading must not take longer than the user notices: a parser takes 10 µs a line, reading as much.
_MOST_LINES = 120
_MOST_CHARACTERS = 12_000
# How far back an unclosed list of names is looked for.
_FAR = 4_000


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of the buffer with the text inserted, parsed.

    Attributes:
        tree: what it parses to.
        shift: add it to a line of the tree for the line in the buffer.
        start: line in the tree and column in bytes where the inserted text begins.
        end: the same for where it ends.
        chunk: the index of the outline's chunk that it stands in.
        beside: text outside it, of which any word may be a name that is bound there.
    """

    tree: ast.Module
    shift: int
    start: tuple[int, int]
    end: tuple[int, int]
    chunk: int
    beside: str

    def begins(self, statement: ast.stmt) -> bool:
        """Does the statement begin in the inserted text, or left of it on the same line?"""
        place = (statement.lineno, statement.col_offset)
        return self.start[0] <= place[0] and place < self.end

    def reach(self) -> int:
        """The last line of the tree in which names that the inserted text binds count.

        That is where the function around its first statement ends, or without a function the
        statement itself; 0 where the text begins no statement and can bind nothing.
        """
        last = 0
        block: list[ast.AST] = list(self.tree.body)
        while block:
            node = block.pop()
            line = getattr(node, "lineno", 0)
            end = getattr(node, "end_lineno", None) or line
            if isinstance(node, ast.stmt) and self.begins(node):
                return last or end
            if line <= self.start[0] <= end + 1 or isinstance(node, ast.match_case):
                block.extend(child for child in ast.iter_child_nodes(node) if _holds(child))
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    last = end
        return 0


def _holds(node: ast.AST) -> bool:
    return isinstance(node, (ast.stmt, ast.ExceptHandler, ast.match_case))


def region(insertion: Insertion, outline: Outline) -> Region | None:
    """The smallest piece that parses and tells its own names, or None.

    In turn: the outermost function; all of the statement at the left margin; where these are long,
    from the text to the end of its block.
    """
    at = len(insertion.prefix)
    margin = _margin(insertion)
    index = outline.at(at)
    if outline.starts[index] == at and index > 0 and margin:
        index -= 1
    start = outline.starts[index]
    end = outline.starts[index + 1] if index + 1 < len(outline.starts) else None
    tail = insertion.suffix[: None if end is None else max(0, end - at)]
    cut = _Cutter(insertion, index, start, tail, outline.chunks[index].definition)
    line = at - len(insertion.left)
    header = _function(insertion.prefix, start, margin)
    found = None
    if header is not None:
        found = cut.piece(header.start(), header[1], len(header[1]))
    if found is None and (margin or line == start):
        found = cut.piece(start, "", -1)
    if (
        found is None
        and line > start
        and not _GOES_ON.search(insertion.prefix, max(start, line - _FAR), line)
    ):
        found = cut.piece(line, margin, len(margin) - 1)
    return found


def _margin(insertion: Insertion) -> str:
    """The indentation of the first line of the text that is not blank."""
    for line in (insertion.left + insertion.text).split("\n"):
        if line.strip():
            return line[: len(line) - len(line.lstrip())]
    return ""


def _function(prefix: str, start: int, margin: str) -> re.Match[str] | None:
    """The outermost function's header above, by indentation."""
    found: re.Match[str] | None = None
    deepest = len(margin)
    for header in reversed(list(_HEADER.finditer(prefix, start))):
        if len(header[1]) < deepest:
            deepest = len(header[1])
            found = header if header[2] != "class" else found
            if deepest == 0:
                break
    return found


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts pieces around an insertion.

    Attributes:
        insertion: the text inserted.
        chunk: the index of the outline's chunk.
        start: where the chunk begins.
        tail: what is left of the chunk below.
        closed: the chunk is a function or class: its own name is all that it binds outside.
    """

    insertion: Insertion
    chunk: int
    start: int
    tail: str
    closed: bool

    def piece(self, first: int, indent: str, depth: int) -> Region | None:
        """From an offset in the prefix to a line below that is indented no deeper than `depth`.

        None where that is long, does not parse, or is not one block.
        """
        end = self._end(depth)
        head = self.insertion.prefix[first:]
        tree = self._tree(head, self.tail[:end], indent)
        if tree is None:
            return None
        line = (2 if indent else 1) + head.count("\n")
        rows = self.insertion.text.split("\n")
        left = len(self.insertion.left.encode())
        last = len(rows[-1].encode()) + (left if len(rows) == 1 else 0)
        return Region(
            tree=tree,
            shift=self.insertion.prefix.count("\n") + 1 - line,
            start=(line, left),
            end=(line + len(rows) - 1, last),
            chunk=self.chunk,
            beside=self._beside(head, first, indent, end),
        )

    def _beside(self, head: str, first: int, indent: str, end: int) -> str:
        """What may bind names that the piece sees: the rest of a statement that is no definition.

        Where the piece is a part of a function or class, so is all around it there.
        """
        if self.closed and (not indent or _HEADER.match(head)):
            return ""
        return f"{self.insertion.prefix[self.start : first]}\0{self.tail[end:]}"

    def _end(self, depth: int) -> int:
        """Where the block ends below, but for what only looks like its end."""
        if depth < 0:
            return len(self.tail)
        first = 0 if self.insertion.line_end else self.tail.find("\n") + 1 or len(self.tail)
        below = re.compile(rf"^[ \t]{{0,{depth}}}(?![ \t\n#)\]}}\"'])", re.M)
        found = below.search(self.tail, first)
        return found.start() if found is not None else len(self.tail)

    def _tree(self, head: str, tail: str, indent: str) -> ast.Module | None:
        text = self.insertion.text
        lines = head.count("\n") + text.count("\n") + tail.count("\n")
        if lines > _MOST_LINES or len(head) + len(text) + len(tail) > _MOST_CHARACTERS:
            return None
        wrapper = "if 1:\n" if indent else ""
        tree = _parsed(f"{wrapper}{head}{text}{tail}")
        if tree is None and text.rstrip().endswith(":"):
            # The header of a block that the user is about to write.
            tree = _parsed(f"{wrapper}{head}{text.rstrip()} pass\n{tail.lstrip(' ')}")
        if tree is None or (indent and len(tree.body) != 1):
            return None
        return tree


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None

"""The piece of a module that an insertion is judged in: the outermost function around it.

Nothing inside a function is visible outside it, so the rest of the module is known by the names it
binds. Code outside functions is judged in its statement at the left margin.
"""

import ast
import re
from bisect import bisect_left
from dataclasses import dataclass

from synconfroute.validators.evidence.python.outline import HEADER, Header, Outline
from synconfroute.validators.insertion import Insertion

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
        beside: texts outside it, of which any word may be a name that is bound there.
        around: texts outside it in its class, of which any word may be a name that is seen by a
            function's decorators, defaults and annotations there.
    """

    tree: ast.Module
    shift: int
    start: tuple[int, int]
    end: tuple[int, int]
    chunk: int
    beside: tuple[str, ...]
    around: tuple[str, ...] = ()

    def beside_it(self, name: str, *, in_class: bool) -> bool:
        """Is this a word of the text beside it, or, for code in a class, around it there?"""
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        texts = self.beside + self.around if in_class else self.beside
        return any(name in text and word.search(text) is not None for text in texts)

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
    left = insertion.left
    margin = _margin(left + insertion.text)
    index = outline.at(at)
    if outline.starts[index] == at and index > 0 and margin:
        index -= 1
    start = outline.starts[index]
    chunk = outline.chunks[index]
    end = outline.starts[index + 1] if index + 1 < len(outline.starts) else None
    stop = len(insertion.suffix) if end is None else max(0, end - at)
    line = at - len(left)
    cut = _Cutter(insertion, line, index, start, stop, chunk.definition)
    header = _function(chunk.headers, line - start, margin)
    found = None
    if header is not None:
        found = cut.piece(start + header.start, header.white, len(header.white))
    if found is None and (margin or line == start):
        found = cut.piece(start, "", -1)
    if (
        found is None
        and line > start
        and not _GOES_ON.search(insertion.prefix, max(start, line - _FAR), line)
    ):
        found = cut.piece(line, margin, len(margin) - 1)
    return found


def _margin(text: str) -> str:
    """The indentation of its first line that is not blank."""
    code = text.lstrip()
    above = text[: len(text) - len(code)]
    return above[above.rfind("\n") + 1 :] if code else ""


def _function(headers: tuple[Header, ...], before: int, margin: str) -> Header | None:
    """The outermost function's header above a place of a chunk, by indentation."""
    found: Header | None = None
    deepest = len(margin)
    for at in range(bisect_left(headers, (before,)) - 1, -1, -1):
        header = headers[at]
        if len(header.white) < deepest:
            deepest = len(header.white)
            found = header if header.function else found
            if deepest == 0:
                break
    return found


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Cuts pieces around an insertion.

    Attributes:
        insertion: the text inserted.
        line: where its line begins.
        chunk: the index of the outline's chunk.
        start: where the chunk begins.
        stop: where it ends in the suffix.
        closed: the chunk is a function or class: its own name is all that it binds outside.
    """

    insertion: Insertion
    line: int
    chunk: int
    start: int
    stop: int
    closed: bool

    def piece(self, first: int, indent: str, depth: int) -> Region | None:
        """From an offset in the prefix to a line below that is indented no deeper than `depth`.

        None where that is long, does not parse, or is not one block.
        """
        prefix, text, suffix = self.insertion.prefix, self.insertion.text, self.insertion.suffix
        most = _MOST_CHARACTERS - (len(prefix) - first) - len(text)
        if most < 0 or (end := self._end(depth, most)) > most:
            return None
        head = prefix[first:]
        tree = _tree(head, text, suffix[:end], indent)
        if tree is None:
            return None
        line = (2 if indent else 1) + head.count("\n")
        rows = text.split("\n")
        left = len(prefix[self.line :].encode())
        last = len(rows[-1].encode()) + (left if len(rows) == 1 else 0)
        return Region(
            tree=tree,
            shift=self.insertion.lines.start - line,
            start=(line, left),
            end=(line + len(rows) - 1, last),
            chunk=self.chunk,
            beside=() if self._whole(first, indent) else self._rest(first, end),
            around=self._rest(first, end) if indent else (),
        )

    def _whole(self, first: int, indent: str) -> bool:
        """Does the code in the piece see no names of the statement that it is a part of?"""
        header = not indent or HEADER.match(self.insertion.prefix, first) is not None
        return self.closed and header

    def _rest(self, first: int, end: int) -> tuple[str, ...]:
        """What stands in the chunk outside the piece."""
        return self.insertion.prefix[self.start : first], self.insertion.suffix[end : self.stop]

    def _end(self, depth: int, most: int) -> int:
        """Where the block ends in the suffix, but for what only looks like its end.

        It is not looked for behind the first `most` characters.
        """
        if depth < 0:
            return self.stop
        suffix = self.insertion.suffix
        line_end = suffix.find("\n", 0, self.stop) + 1 or self.stop
        first = 0 if self.insertion.line_end else line_end
        below = re.compile(rf"^[ \t]{{0,{depth}}}(?![ \t\n#)\]}}\"'])", re.M)
        found = below.search(suffix, first, min(self.stop, most + depth + 2))
        return found.start() if found is not None else self.stop


def _tree(head: str, text: str, tail: str, indent: str) -> ast.Module | None:
    if head.count("\n") + text.count("\n") + tail.count("\n") > _MOST_LINES:
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

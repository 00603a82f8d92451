"""The little of a buffer that a parser needs to judge a text: heads of blocks, a few statements."""

from dataclasses import dataclass, replace

from synconfroute.validators.treesitter.edit import Edit
from synconfroute.validators.treesitter.skeleton import Opener, after
from synconfroute.validators.treesitter.tokens import Line, Mode, names_type

_FAR = 150
"""How many lines a statement is followed back."""

_LABEL = 10
"""How many lines a label may have."""

_ENDS = frozenset({";", "{", "}"})
"""What the line ends with that ends a head of a type, or begins its body."""


@dataclass(frozen=True, slots=True)
class Region:
    """What is parsed around the lines that a text stands on.

    Attributes:
        above: heads and statements.
        heads: heads of blocks are among them.
        outside: how many brackets are open around it that are not in it.
        below: what closes it.
        torn: it begins within a statement, whose line above goes on.
    """

    above: str
    heads: bool
    outside: int
    below: str = ""
    torn: bool = False

    def within(self, wrapper: str) -> "Region":
        """The same in a block, if blocks around it were left out.

        Args:
            wrapper: head, a blank, and what closes the block.
        """
        if not self.outside or not wrapper:
            return self
        head, _, tail = wrapper.rpartition(" ")
        return replace(self, above=f"{head}\n{self.above}", below=tail)


class Regions:
    """The regions of one place."""

    def __init__(self, edit: Edit) -> None:
        self._frame = edit.frame
        self._row = edit.row
        self._first = edit.lines[0]
        self._language = edit.language
        self._closers = edit.closers

    def region(self, heads: int, *, alone: bool = False) -> Region:
        """Take what is above the place of its statement, and heads of blocks.

        Args:
            heads: at most so many, from the inside out.
            alone: the line above may have lost its end: begin a statement here.
        """
        block = _block(self._frame.opened[self._row])
        alone = alone and block is self._frame.opened[self._row]
        first = self._row if alone else self._statement(self._row, block)
        torn = alone and self._tears()
        parts: list[str] = [self._label(first, block) + self._lines(first, self._row, block)]
        left = heads
        while block is not None and left:
            outer = _block(block.outer)
            head = self._head(block, outer)
            parts.append(head + self._list_end(head, block, first))
            first = block.line
            block, left = outer, left - 1
        outside = block.depth if block else 0
        return Region("".join(reversed(parts)), heads > 0, outside, torn=torn)

    def _tears(self) -> bool:
        """Does the line above the place end with a comma?"""
        above = self._above(self._row)
        return above is not None and above.tokens[-1].text == ","

    def _label(self, first: int, block: Opener | None) -> str:
        """The nearest label in the block above a line, without which the line means nothing."""
        floor = block.line if block else 0
        for at in range(first - 1, max(floor, first - _FAR), -1):
            tokens = self._frame.lines[at].tokens
            if not tokens or self._frame.opened[at] is not block:
                continue
            if tokens[-1].text == ";;":
                return ""
            if tokens[0].text in self._language.labels or self._patterned(at, block):
                return "".join(f"{text}\n" for text in self._frame.texts[at : self._ended(at)])
        return ""

    def _patterned(self, row: int, block: Opener | None) -> bool:
        """Does a line of a block begin with a pattern that a parenthesis ends?"""
        words = self._language.words
        if words is None or block is None or block.text != words.patterned:
            return False
        tokens = self._frame.lines[row].tokens
        return sum((token.text == ")") - (token.text == "(") for token in tokens) > 0

    def _ended(self, row: int) -> int:
        """The line behind the one on which a label ends, or behind its first."""
        for at in range(row, min(row + _LABEL, len(self._frame.lines))):
            tokens = self._frame.lines[at].tokens
            if tokens and tokens[-1].text not in {",", "|", "||", "&&"}:
                return at + 1
        return row + 1

    def _list_end(self, head: str, block: Opener, first: int) -> str:
        """What ends the list that some blocks begin with, if it ends above a line."""
        if not any(word in self._language.listed for word in head.split()):
            return ""
        for row in range(block.line, first):
            tokens = self._frame.lines[row].tokens
            if tokens and tokens[-1].text == ";" and _block(self._frame.opened[row]) is block:
                return ";\n"
        return ""

    def _head(self, block: Opener, outer: Opener | None) -> str:
        """A block's statement, up to its brace."""
        inner = block
        while inner.outer is not outer and inner.outer is not None:
            inner = inner.outer
        first = self._statement(inner.line, outer)
        line = self._frame.texts[block.line]
        if self._worded(block):
            head = self._frame.texts[block.line : self._head_end(block) + 1]
            return self._lines(first, block.line, outer) + "".join(f"{text}\n" for text in head)
        end = line[: block.column + len(block.text)]
        if first == block.line:
            start = outer.column + len(outer.text) if outer and outer.line == first else 0
            return end[start:] + "\n"
        return f"{self._lines(first, block.line, outer)}{end}\n"

    def _lines(self, first: int, last: int, block: Opener | None) -> str:
        """Lines of a block, from the first up to before the last, without what is folded."""
        chain = set()
        cell = self._frame.opened[self._row]
        while cell is not None:
            chain.add(id(cell))
            cell = cell.outer
        found = []
        for row in range(first, last):
            start, end = self._shown(row, block)
            if block is not None and row == block.line:
                start = max(start, block.column + len(block.text))
            if start < end and not self._frame.lines[row].directive:
                found.append(self._frame.texts[row][start:end] + "\n")
        return "".join(found)

    def _shown(self, row: int, block: Opener | None) -> tuple[int, int]:
        """The columns of a line that stand in the block itself, not only in blocks in it."""
        if self._frame.dead.get(row, self._row + 1) <= self._row:
            return 0, 0
        depth = _braces(block)
        top = self._frame.opened[row]
        line, width = self._frame.lines[row], len(self._frame.texts[row])
        if self._frame.modes[row] != self._mode(block):
            return 0, width
        start, end = (0, width) if _braces(top) <= depth else (width, width)
        if not line.brackets:
            return start, end
        for token in line.brackets:
            before, top = top, after(top, token, row, line.indent, self._closers)
            if _braces(top) <= depth:
                start, end = min(start, token.start), width
            elif _braces(before) <= depth and token.text not in self._language.worded:
                end = token.end
        return start, end

    def _statement(self, row: int, block: Opener | None) -> int:
        """The line on which the statement begins that a line belongs to."""
        floor = self._floor(block)
        at = row
        for _ in range(_FAR):
            if at <= floor:
                return floor
            if self._begins(at, block):
                return at
            inner = self._frame.opened[at]
            while inner is not None and inner is not block and inner.outer is not block:
                inner = inner.outer
            # What is open within the block was opened by the statement, or by one above it.
            at = inner.line if inner is not None and inner is not block else at - 1
        return row

    def _floor(self, block: Opener | None) -> int:
        """The first line that a statement of a block may begin on."""
        if block is None:
            return 0
        return self._head_end(block) + 1 if self._worded(block) else block.line

    def _worded(self, block: Opener) -> bool:
        """Does a word open it, so that its head goes on behind?"""
        words = self._language.words
        return words is not None and block.text not in "({[" and block.text in words.heads

    def _head_end(self, block: Opener) -> int:
        """The last line of the head of a block that a word opens, above the text."""
        words = self._language.words
        end = words.heads[block.text] if words else ""
        last = min(block.line + _LABEL, self._row)
        for row in range(block.line, last):
            tokens = self._frame.lines[row].tokens
            if end and any(token.text == end for token in tokens):
                return row
            whole = not end and self._frame.opened[row + 1] is block
            if whole and tokens and self._ends(self._frame.lines[row]):
                return row
        return max(block.line, last - 1) if not end else block.line

    def _begins(self, row: int, block: Opener | None) -> bool:
        if self._frame.opened[row] is not block or self._frame.modes[row] != self._mode(block):
            return False
        line = self._first if row == self._row else self._frame.lines[row]
        above = self._above(row)
        if not line.tokens or self._goes_on(line, above):
            return False
        if line.tokens[0].kind == "close" and self._mode(block):
            return False
        return above is None or self._ends(above)

    def _mode(self, block: Opener | None) -> Mode:
        """What the statements of a block are in: nothing, or code in quotes or markup."""
        below = block.line + 1 if block else len(self._frame.modes)
        mode = self._frame.modes[below] if below < len(self._frame.modes) else ()
        return mode if mode and mode[-1].hole else ()

    def _goes_on(self, line: Line, above: Line | None) -> bool:
        token = line.tokens[0]
        if token.text in self._language.loops:
            return above is not None and above.tokens[-1].text == "}"
        if token.text in self._language.modifiers and len(line.tokens) > 1:
            return line.tokens[1].text in self._language.joiners
        return token.text in self._language.joiners or (
            token.kind == "sign" and token.text not in self._language.starters
        )

    def _ends(self, line: Line) -> bool:
        token = line.tokens[-1]
        if token.text == ":" and line.tokens[0].text in self._language.labels:
            return True
        if token.text == ")" and line.tokens[0].text in self._language.controls - {"}"}:
            return False
        if token.text not in _ENDS and names_type(line.tokens, self._language.types):
            return False
        if token.text in self._language.enders or token.kind in {"open", "close"}:
            return token.text not in "([" and (
                self._language.newline_ends or token.text not in ")]"
            )
        if token.text in self._language.openers:
            return False
        return self._language.newline_ends and token.kind in {"word", "text"}

    def _above(self, row: int) -> Line | None:
        for at in range(row - 1, max(-1, row - 60), -1):
            line = self._frame.lines[at]
            if line.tokens or line.directive:
                return line if line.tokens else None
        return None


def _block(cell: Opener | None) -> Opener | None:
    while cell is not None and cell.text in "([":
        cell = cell.outer
    return cell


def _braces(cell: Opener | None) -> int:
    found = 0
    while cell is not None:
        found += cell.text not in "(["
        cell = cell.outer
    return found

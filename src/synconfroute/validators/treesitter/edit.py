"""A text in a buffer, as tokens: what stands left of it, its own, what stands right of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.treesitter.lexer import Lexer
from synconfroute.validators.treesitter.quotes import quotes
from synconfroute.validators.treesitter.skeleton import Need, Opener, Skeleton, after, before
from synconfroute.validators.treesitter.tokens import Line, Mode, Token

LEFT, OWN, RIGHT = -1, 0, 1


@dataclass(frozen=True, slots=True)
class Placed:
    """A token of the lines that the text stands on.

    Attributes:
        token: the token.
        row: its line, counted from the text's first.
        side: `LEFT`, `OWN` or `RIGHT`; a token that the text is part of is its own.
        indent: of its line.
    """

    token: Token
    row: int
    side: int
    indent: int


class Edit:
    """The lines that a text stands on, once it is in the buffer.

    Attributes:
        behind: what must follow blocks, by their places, as far as it has been asked.
    """

    def __init__(self, lexer: Lexer, frame: Skeleton, insertion: Insertion) -> None:
        self._lexer = lexer
        self.frame = frame
        self.language = lexer.language
        self.closers = lexer.language.closers
        self.row = insertion.row
        self.left = insertion.left
        self.right = insertion.right
        self.text = insertion.text
        self.mode: Mode = frame.modes[self.row]
        self.opened: Opener | None = frame.opened[self.row]
        self.behind: dict[tuple[int, int], str] = {}

    @cached_property
    def texts(self) -> list[str]:
        """The lines."""
        return f"{self.left}{self.text}{self.right}".split("\n")

    @cached_property
    def lines(self) -> list[Line]:
        """Their tokens."""
        found, mode = [], self.mode
        for text in self.texts:
            found.append(self._lexer.line(text, mode))
            mode = found[-1].mode
        return found

    @cached_property
    def placed(self) -> list[Placed]:
        """All tokens, in order."""
        last = len(self.texts) - 1
        end = len(self.texts[last]) - len(self.right)
        found = []
        for row, line in enumerate(self.lines):
            for token in line.tokens:
                side = OWN
                if row == 0 and token.end <= len(self.left):
                    side = LEFT
                elif row == last and token.start >= end:
                    side = RIGHT
                found.append(Placed(token, row, side, line.indent))
        return found

    @cached_property
    def old(self) -> Line:
        """The line without the text."""
        return self._lexer.line(self.left + self.right, self.mode)

    @cached_property
    def opened_left(self) -> Opener | None:
        """What is open at the text's beginning."""
        top = self.opened
        for each in self.brackets():
            if each.side == LEFT:
                top = after(top, each.token, self.row, each.indent, self.closers)
        return top

    @cached_property
    def need(self) -> Need | None:
        """What the code right of the text and below it wants opened."""
        need = self.frame.needs[self.row + 1]
        for token in reversed(self.old.tokens):
            if token.kind in {"open", "close"} and token.start >= len(self.left):
                need = before(need, token, self.row, self.old.indent, self.closers)
        return need

    @property
    def lacks_opener(self) -> bool:
        """More brackets are closed right of the text and below it than are open above."""
        wanted = self.need.depth if self.need else 0
        return wanted > (self.opened_left.depth if self.opened_left else 0)

    @cached_property
    def opened_right(self) -> Opener | None:
        """What is open at the end of the last line."""
        return self._walk[0]

    @cached_property
    def lowest(self) -> int:
        """How many brackets are open where the fewest are."""
        return self._walk[1]

    @property
    def closed(self) -> Opener | None:
        """What the last closing bracket closes."""
        return self._walk[2]

    @cached_property
    def ends_value(self) -> bool:
        """The last token closes a value in braces, not a block."""
        last, opener = self.placed[-1].token if self.placed else None, self.closed
        if last is None or last.kind != "close" or opener is None or last.text in ")]":
            return False
        return opener.value or (opener.named and opener.line == self.row + self.placed[-1].row)

    @property
    def leaves_open(self) -> bool:
        """The text opens what it does not close, or ends where a statement cannot."""
        last = self.placed[-1] if self.placed else None
        if last is not None and last.side == OWN and last.token.kind == "sign":
            ends = self.language.enders | self.language.postfix
            if last.token.text not in ends:
                return True
        top = self.opened_right
        own = top is not None and (top.line, top.column) >= (self.row, len(self.left))
        return own or len(self.lines[-1].mode) > len(self.mode)

    @cached_property
    def _walk(self) -> tuple[Opener | None, int, Opener | None]:
        top, closed = self.opened, None
        lowest = top.depth if top else 0
        for each in self.brackets():
            was = top
            top = after(top, each.token, self.row + each.row, each.indent, self.closers)
            closed = was if each.token.kind == "close" else closed
            lowest = min(lowest, top.depth if top else 0)
        return top, lowest, closed

    @property
    def unquoted(self) -> str:
        """What closes the quotes and comments that are open at the end of the last line."""
        last = self.lines[-1]
        if last.tokens and last.tokens[-1].kind == "bad":
            return last.tokens[-1].text[0]
        return quotes(last.mode, self.language).get(0, "")

    @property
    def in_comment(self) -> bool:
        """The last line ends in a comment."""
        mode = self.lines[-1].mode
        return bool(mode) and mode[-1].quoted >= 0 and self.language.quoted[mode[-1].quoted].comment

    @cached_property
    def above(self) -> Token | None:
        """The last token on the lines above the text."""
        rows = range(self.row - 1, max(-1, self.row - 40), -1)
        line = next((line for row in rows if (line := self.frame.lines[row]).tokens), None)
        return line.tokens[-1] if line else None

    def brackets(self) -> Iterator[Placed]:
        """The brackets among the tokens."""
        return (each for each in self.placed if each.token.kind in {"open", "close"})

    @property
    def in_code(self) -> bool:
        """The text begins in code, not in quotes, a comment or a directive."""
        return not self._lexer.line(self.left, self.mode).mode and not self.mode

    @cached_property
    def below(self) -> list[Line]:
        """The next lines below the text that hold code, at most three."""
        rows = range(self.row + 1, min(self.row + 40, len(self.frame.lines)))
        return [line for line in map(self.frame.lines.__getitem__, rows) if line.tokens][:3]

"""The lines of a text, read one after the other: where code is, and what is open."""

import re
from typing import NamedTuple, Protocol

from synconfroute.validators.python.lexing import tokens
from synconfroute.validators.treesitter.tokens import Mode, reads_code

_OPENERS = {")": "(", "]": "[", "}": "{"}
_ENDS = {
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*"""', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*'''", re.DOTALL),
}


class Closer(NamedTuple):
    """A bracket that closes nothing that the text opened.

    Attributes:
        column: where it stands in its line.
        bracket: which one; of a word such as `end`, what it stands for.
    """

    column: int
    bracket: str


class Row(NamedTuple):
    """One line.

    Attributes:
        code: it begins in code, not within a string or a comment.
        depth: how many brackets that the text opened are open where it begins.
        within: it begins within an expression, so that its indentation says nothing.
        closers: see `Closer`, in order.
        left: how many brackets that the text opened are open where it ends.
    """

    code: bool
    depth: int
    within: bool
    closers: tuple[Closer, ...]
    left: int


class Reader(Protocol):
    """Reads a text's lines in order."""

    @property
    def code(self) -> bool:
        """The next line begins in code."""
        ...

    @property
    def depth(self) -> int:
        """How many brackets that the text opened are open where the next line begins."""
        ...

    @property
    def within(self) -> bool:
        """The next line begins within an expression."""
        ...

    def read(self, line: str) -> Row:
        """Read the next line, without its break."""
        ...


class _Brackets:
    """What the text has open."""

    def __init__(self) -> None:
        self.open: list[str] = []

    def close(self, opener: str) -> bool:
        """Close the innermost bracket of a kind, and what is open in it; False if none is open."""
        if opener not in self.open:
            return False
        while self.open.pop() != opener:
            pass
        return True


class PythonReader:
    """Python, whose blocks have no brackets: whatever is open is an expression."""

    def __init__(self) -> None:
        self._brackets = _Brackets()
        self._quotes = ""
        self._continued = False

    @property
    def code(self) -> bool:
        """See `Reader.code`."""
        return not self._quotes

    @property
    def depth(self) -> int:
        """See `Reader.depth`."""
        return len(self._brackets.open)

    @property
    def within(self) -> bool:
        """See `Reader.within`."""
        return bool(self._quotes or self._brackets.open or self._continued)

    def read(self, line: str) -> Row:
        """See `Reader.read`."""
        begun = self.code, self.depth, self.within
        closers: list[Closer] = []
        at = 0
        if self._quotes:
            ended = _ENDS[self._quotes].match(line)
            if ended is None:
                return Row(*begun, (), self.depth)
            at, self._quotes = ended.end(), ""
        for token in tokens(line, at, len(line)):
            if token.kind in "([{":
                self._brackets.open.append(token.kind)
            elif token.kind in ")]}" and not self._brackets.close(_OPENERS[token.kind]):
                closers.append(Closer(token.start, token.kind))
            elif token.open_quote in _ENDS:
                self._quotes = token.open_quote
        self._continued = not self._quotes and line.endswith("\\")
        return Row(*begun, tuple(closers), self.depth)


class BracesReader:
    """A language whose blocks have brackets, or words that stand for them."""

    def __init__(self, language: str) -> None:
        """Read this language, one that has a lexer.

        Raises:
            KeyError: it has none.
        """
        # Imported here: what describes the languages is read where several lines are due only.
        from synconfroute.validators.treesitter.lexers import lexer_for

        lexer = lexer_for(language)
        if lexer is None:
            raise KeyError(language)
        self._lexer = lexer
        self._mode: Mode = ()
        self._brackets = _Brackets()

    @property
    def code(self) -> bool:
        """See `Reader.code`."""
        return reads_code(self._mode)

    @property
    def depth(self) -> int:
        """See `Reader.depth`."""
        return len(self._brackets.open)

    @property
    def within(self) -> bool:
        """See `Reader.within`."""
        return not self.code or self._brackets.open[-1:] in (["("], ["["])

    def read(self, line: str) -> Row:
        """See `Reader.read`."""
        begun = self.code, self.depth, self.within
        closers: list[Closer] = []
        found = self._lexer.line(line, self._mode)
        opener_of = self._lexer.language.closers
        for token in found.tokens:
            if token.kind == "open":
                self._brackets.open.append(token.text)
            elif token.kind == "close" and not self._brackets.close(opener_of[token.text]):
                closers.append(Closer(token.start, token.text))
        self._mode = found.mode
        return Row(*begun, tuple(closers), self.depth)


class PlainReader:
    """A language that nothing is known of: every line is code on its own."""

    code = True
    depth = 0
    within = False

    def read(self, line: str) -> Row:
        """See `Reader.read`."""
        return Row(code=True, depth=0, within=False, closers=(), left=0)


def reader_for(language: str) -> Reader:
    """The reader of a language by its LSP id."""
    if language == "python":
        return PythonReader()
    try:
        return BracesReader(language)
    except KeyError:
        return PlainReader()

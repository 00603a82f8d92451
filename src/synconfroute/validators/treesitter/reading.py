"""One pass over one line."""

import re
from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.markup import IN_CHILDREN, IN_TAG, element
from synconfroute.validators.treesitter.tokens import CHILDREN, TAG, Frame, Mode, Token

if TYPE_CHECKING:
    from synconfroute.validators.treesitter.lexer import Lexer


class Reading:
    """Splits a line that begins in some mode."""

    def __init__(self, lexer: "Lexer", text: str, mode: Mode) -> None:
        self._lexer = lexer
        self._text = text
        self._mode = list(mode)
        self._tokens: list[Token] = []
        self._late: list[Frame] = []
        self._at = 0
        self._from = 0

    def run(self) -> tuple[list[Token], Mode]:
        """The line's tokens, and what is open at its end."""
        while self._at < len(self._text):
            frame = self._mode[-1] if self._mode else None
            if frame is None or frame.hole:
                self._piece()
            elif frame.quoted == TAG:
                self._tag(frame)
            elif frame.quoted == CHILDREN:
                self._children(frame)
            else:
                self._quote(frame)
        self._close_lines()
        return self._tokens, (*self._mode, *reversed(self._late))

    def _add(self, kind: str, start: int) -> None:
        text = self._text[start : self._at]
        self._tokens.append(Token(kind, text, start, self._at, not self._tokens))

    def _open_hole(self, frame: Frame) -> None:
        """Code begins behind the bracket that was read last."""
        bracket = self._text[self._at - 1]
        self._mode[-1] = frame._replace(hole=bracket, depth=0, held=1)
        self._add("open", self._at - 1)

    def _quote(self, frame: Frame) -> None:
        quoted = self._lexer.quoted(frame)
        found = self._lexer.end_of(frame).search(self._text, self._at)
        if found is None:
            self._at = len(self._text)
            return
        self._at = found.end()
        if found.lastgroup == "end":
            self._mode.pop()
            if not quoted.comment:
                wrong = self._lexer.misquoted(self._text[self._from : self._at])
                self._add("bad" if wrong else "text", self._from)
        elif found.lastgroup == "hole":
            self._open_hole(frame)
        elif found.lastgroup == "again":
            self._mode.append(frame)

    def _tag(self, frame: Frame) -> None:
        found = IN_TAG.match(self._text, self._at)
        kind = self._passed(found)
        if kind == "hole":
            self._open_hole(frame)
        elif kind == "quick":
            self._mode.pop()
        elif kind == "end":
            self._mode[-1] = frame._replace(quoted=CHILDREN)

    def _children(self, frame: Frame) -> None:
        found = IN_CHILDREN.match(self._text, self._at)
        if found is not None and found.lastgroup == "element":
            inner = element(self._text, self._at)
            if inner is not None:
                self._enter(*inner)
                return
        kind = self._passed(found)
        if kind == "hole":
            self._open_hole(frame)
        elif kind == "end":
            self._mode.pop()

    def _passed(self, found: re.Match[str] | None) -> str:
        """Go behind a piece of markup, which is a token unless it opens code."""
        start, self._at = self._at, found.end() if found else self._at + 1
        kind = (found.lastgroup if found else None) or "text"
        if kind not in {"space", "hole"}:
            self._add(kind if kind in {"word", "sign"} else "text", start)
        return kind

    def _enter(self, end: int, frame: Frame) -> None:
        start, self._at = self._at, end
        self._mode.append(frame)
        self._add("sign", start)

    def _piece(self) -> None:
        before = self._tokens[-1] if self._tokens else None
        inner = self._lexer.element_at(self._text, self._at, before)
        if inner is not None:
            self._enter(*inner)
            return
        literal = self._lexer.literal_at(self._text, self._at, before)
        found = literal or self._lexer.code_at(self._text, self._at)
        if found is None:
            self._at += 1
            return
        start, self._at = self._at, found.end()
        kind = "text" if literal else found.lastgroup or ""
        if kind == "note":
            self._at = len(self._text)
        elif kind[0] == "q" and kind[1:].isdigit():
            self._begin_quote(int(kind[1:]), found, start)
        elif kind != "space":
            said = self._text[start : self._at]
            if kind == "word" and self._lexer.language.words is not None:
                kind, said = self._lexer.word_at(self._text, start, self._at, self._tokens)
            self._tokens.append(Token(kind, said, start, self._at, not self._tokens))
            if self._mode and kind in {"open", "close"}:
                self._count(said, 1 if kind == "open" else -1)

    def _begin_quote(self, number: int, found: re.Match[str], start: int) -> None:
        quoted = self._lexer.quoted(Frame(number, ""))
        # Patterns of delimiters have at most one group, next to the named one.
        inner = found[found.re.groupindex[f"q{number}"] + 1] if "{}" in quoted.end else ""
        frame = Frame(number, quoted.end.replace("{}", inner or ""))
        if quoted.late:
            self._late.append(frame)
            self._add("text", start)
        else:
            self._mode.append(frame)
            self._from = start

    def _count(self, bracket: str, by: int) -> None:
        """A bracket in code in quotes; the one that closes this code gives the line back."""
        frame = self._mode[-1]
        if bracket in {frame.hole, self._lexer.closing(frame.hole)}:
            frame = frame._replace(depth=frame.depth + by)
        frame = frame._replace(held=max(1, frame.held + by))
        if frame.depth < 0:
            frame = Frame(frame.quoted, frame.end)
            self._from = self._at
        self._mode[-1] = frame

    def _close_lines(self) -> None:
        """What may not go on in the next line ends here, badly."""
        while self._mode and not self._lexer.quoted(self._mode[-1]).lines:
            if self._text.endswith("\\") and self._lexer.quoted(self._mode[-1]).escapes:
                return
            self._at = len(self._text)
            self._add("bad", self._from)
            self._mode.pop()

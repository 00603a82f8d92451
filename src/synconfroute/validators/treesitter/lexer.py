"""Splits lines into tokens, whatever state the buffer is in."""

import re
from functools import cached_property
from typing import NamedTuple

from synconfroute.validators.treesitter.language import Language, Quoted

LONGEST = 20_000
"""The longest line, in characters, that is read. What is longer was not written by hand."""

_MOST_CACHED = 100_000
_TAB = 4
_ALONE = r"^\s*"


class Frame(NamedTuple):
    """What a line may begin in.

    Attributes:
        quoted: number of the language's `Quoted`; -1 for a directive that goes on.
        end: what closes it.
        depth: of the braces open in a hole in it; -1 outside of one.
    """

    quoted: int
    end: str
    depth: int = -1


Mode = tuple[Frame, ...]
"""What is open at a place, the innermost last; () is code."""


class Token(NamedTuple):
    """A token of a line.

    Attributes:
        kind: "word", "text" (quoted), "open", "close", "sign" or "bad".
        text: as it stands there.
        start: column.
        end: column behind it.
        lead: it is the line's first.
        behind: of a bracket, the text of the token before it in its line, or "".
        ahead: of a bracket, the text of the token after it in its line, or "".
    """

    kind: str
    text: str
    start: int
    end: int
    lead: bool
    behind: str = ""
    ahead: str = ""


class Line(NamedTuple):
    """A line's tokens.

    Attributes:
        tokens: in order; comments and directives have none.
        brackets: those tokens that open or close what is not closed or opened in the line.
        mode: what is open at its end.
        directive: the first word of the directive that it is, or "".
        indent: its width of white space, in columns.
    """

    tokens: tuple[Token, ...]
    brackets: tuple[Token, ...]
    mode: Mode
    directive: str
    indent: int


class Lexer:
    """The lines of one language. A line once read is remembered: reading a text again is cheap."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._lines: dict[tuple[str, Mode], Line] = {}
        self._ends: dict[tuple[int, str], re.Pattern[str]] = {}
        self._bad_directive = re.compile(language.bad_directive)
        self._misquoted = re.compile(language.misquoted)
        self._directive = re.compile(language.directives) if language.directives else None

    def line(self, text: str, mode: Mode) -> Line:
        """Read a line that begins in this mode."""
        key = (text, mode)
        found = self._lines.get(key)
        if found is None:
            if len(self._lines) > _MOST_CACHED:
                self._lines.clear()
            found = self._lines[key] = self._read(text, mode)
        return found

    @cached_property
    def _code(self) -> re.Pattern[str]:
        language = self.language
        quoted = "|".join(f"(?P<q{at}>{each.start})" for at, each in enumerate(language.quoted))
        brackets = language.brackets
        parts = [
            r"(?P<space>\s+)",
            f"(?P<note>{language.line_comment})" if language.line_comment else "",
            quoted,
            f"(?P<bad>{language.illegal})" if language.illegal else "",
            _words("open", brackets.keys()),
            _words("close", brackets.values()),
            f"(?P<word>{language.word})",
            f"(?P<sign>{'|'.join((*language.operators, '.'))})",
        ]
        return re.compile("|".join(part for part in parts if part))

    def _read(self, text: str, mode: Mode) -> Line:
        if len(text) > LONGEST:
            return Line((), (), mode, "", 0)
        indent = len(text[: len(text) - len(text.lstrip())].expandtabs(_TAB))
        if self._directive is not None:
            goes_on = (Frame(-1, ""),) if text.endswith("\\") else ()
            if mode and mode[-1].quoted < 0:
                return Line((), (), goes_on, "", indent)
            if not mode and (found := self._directive.match(text)):
                return Line(self._broken(text), (), goes_on, found[1] or "#", indent)
        tokens, mode = _Reading(self, text, mode).run()
        for at, token in enumerate(tokens):
            if token.kind in {"open", "close"}:
                behind = tokens[at - 1].text if at else ""
                ahead = tokens[at + 1].text if at + 1 < len(tokens) else ""
                tokens[at] = token._replace(behind=behind, ahead=ahead)
        return Line(tuple(tokens), self._open_ended(tokens), mode, "", indent)

    def _broken(self, directive: str) -> tuple[Token, ...]:
        """A directive is no token, unless it is damaged."""
        if self._bad_directive.match(directive) is None:
            return ()
        return (Token("bad", directive, 0, len(directive), lead=True),)

    def _open_ended(self, tokens: list[Token]) -> tuple[Token, ...]:
        left: list[Token] = []
        for token in tokens:
            if token.kind == "open":
                left.append(token)
            elif token.kind == "close":
                opener = self.language.closers[token.text]
                if left and left[-1].kind == "open" and left[-1].text == opener:
                    left.pop()
                else:
                    left.append(token)
        return tuple(left)

    def end_of(self, frame: Frame) -> re.Pattern[str]:
        """What matters inside quotes: an escape, a hole, another opening, the end."""
        key = (frame.quoted, frame.end)
        if key not in self._ends:
            quoted = self.language.quoted[frame.quoted]
            parts = [
                r"(?P<escape>\\.?)" if quoted.escapes else "",
                f"(?P<hole>{quoted.hole})" if quoted.hole else "",
                f"(?P<again>{quoted.start})" if quoted.nests else "",
                f"(?P<end>{_ALONE if quoted.alone else ''}{re.escape(frame.end)})",
            ]
            self._ends[key] = re.compile("|".join(part for part in parts if part))
        return self._ends[key]

    def quoted(self, frame: Frame) -> Quoted:
        """What a frame stands for."""
        return self.language.quoted[frame.quoted]

    def misquoted(self, text: str) -> bool:
        """Can quoted text not be what it is?"""
        return self._misquoted.fullmatch(text) is not None

    def code_at(self, text: str, column: int) -> re.Match[str] | None:
        """The next piece of code."""
        return self._code.match(text, column)


class _Reading:
    """One pass over one line."""

    def __init__(self, lexer: Lexer, text: str, mode: Mode) -> None:
        self._lexer = lexer
        self._text = text
        self._mode = list(mode)
        self._tokens: list[Token] = []
        self._at = 0
        self._from = 0

    def run(self) -> tuple[list[Token], Mode]:
        while self._at < len(self._text):
            if self._mode and self._mode[-1].depth < 0:
                self._quote()
            else:
                self._piece()
        self._close_lines()
        return self._tokens, tuple(self._mode)

    def _add(self, kind: str, start: int) -> None:
        self._tokens.append(
            Token(kind, self._text[start : self._at], start, self._at, not self._tokens)
        )

    def _quote(self) -> None:
        frame = self._mode[-1]
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
            if not quoted.comment:
                self._add("text", self._from)
            self._mode[-1] = frame._replace(depth=0)
        elif found.lastgroup == "again":
            self._mode.append(frame)

    def _piece(self) -> None:
        found = self._lexer.code_at(self._text, self._at)
        if found is None:
            self._at += 1
            return
        start, self._at = self._at, found.end()
        kind = found.lastgroup or ""
        if kind == "note":
            self._at = len(self._text)
        elif kind[0] == "q" and kind[1:].isdigit():
            quoted = self._lexer.quoted(Frame(int(kind[1:]), ""))
            # Patterns of delimiters have at most one group, next to the named one.
            inner = found[found.re.groupindex[kind] + 1] if "{}" in quoted.end else ""
            end = quoted.end.replace("{}", inner)
            self._mode.append(Frame(int(kind[1:]), end))
            self._from = start
        elif kind != "space" and not self._ends_hole(kind):
            self._add(kind, start)

    def _ends_hole(self, kind: str) -> bool:
        """A brace that closes a hole in a string gives the line back to the string."""
        if not self._mode:
            return False
        frame, brace = self._mode[-1], self._text[self._at - 1]
        depth = frame.depth + (brace == "{") - (brace == "}")
        if kind in {"open", "close"} and brace in "{}":
            self._mode[-1] = frame._replace(depth=depth)
        self._from = self._at
        return depth < 0

    def _close_lines(self) -> None:
        """What may not go on in the next line ends here, badly."""
        while self._mode and not self._lexer.quoted(self._mode[-1]).lines:
            if self._text.endswith("\\") and self._lexer.quoted(self._mode[-1]).escapes:
                return
            self._at = len(self._text)
            self._add("bad", self._from)
            self._mode.pop()


def _words(kind: str, words: "object") -> str:
    each = sorted(words, key=len, reverse=True)  # type: ignore[call-overload]
    return f"(?P<{kind}>{'|'.join(_whole(word) for word in each)})"


def _whole(word: str) -> str:
    return rf"\b{word}\b" if word.isalpha() else re.escape(word)

"""Splits lines into tokens, whatever state the buffer is in."""

import re
from collections.abc import Sequence
from functools import cached_property

from synconfroute.validators.treesitter.language import Language, Quoted
from synconfroute.validators.treesitter.markup import element
from synconfroute.validators.treesitter.reading import Reading
from synconfroute.validators.treesitter.tokens import DIRECTIVE, Frame, Line, Mode, Token

LONGEST = 20_000
"""The longest line, in characters, that is read. What is longer was not written by hand."""

_MOST_CACHED = 100_000
_TAB = 4
_CONDITION = re.compile(r"\s*#\s*(?:el)?if\b")
_NO_CODE = re.compile(r"""//.*|/\*.*?(?:\*/|$)|'(?:[^'\\]|\\.)'|"[^"]*\"""")
"""Comments and quotes in a directive."""

_MARKUP = Quoted("", "", lines=True)


class Lexer:
    """The lines of one language. A line once read is remembered: reading a text again is cheap."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self._lines: dict[tuple[str, Mode], Line] = {}
        self._ends: dict[tuple[int, str], re.Pattern[str]] = {}
        self._bad_directive = re.compile(language.bad_directive)
        self._misquoted = re.compile(language.misquoted)
        self._literal = re.compile(language.literal)
        self._directive = re.compile(language.directives) if language.directives else None

    @property
    def begin(self) -> Mode:
        """What a file begins in."""
        return (Frame(0, self.language.quoted[0].end),) if self.language.embedded else ()

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
        brackets = {
            opener: closer
            for opener, closer in language.brackets.items()
            if opener not in language.worded
        }
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
            goes_on = self._behind_directive(text)
            if mode and mode[-1].quoted == DIRECTIVE:
                return Line((), (), goes_on, "", indent)
            if not mode and (found := self._directive.match(text)):
                return Line(self._broken(text), (), goes_on, found[1] or "#", indent)
        tokens, mode = Reading(self, text, mode).run()
        for at, token in enumerate(tokens):
            if token.kind in {"open", "close"}:
                behind = tokens[at - 1].text if at else ""
                ahead = tokens[at + 1].text if at + 1 < len(tokens) else ""
                tokens[at] = token._replace(behind=behind, ahead=ahead)
        return Line(tuple(tokens), self._open_ended(tokens), mode, "", indent)

    def _behind_directive(self, text: str) -> Mode:
        """A directive goes on behind a backslash, and a comment behind it in the next lines."""
        if text.endswith("\\"):
            return (Frame(DIRECTIVE, ""),)
        if "/*" not in text:
            return ()
        mode = Reading(self, text, ()).run()[1]
        return mode if mode and self.quoted(mode[-1]).comment else ()

    def _broken(self, directive: str) -> tuple[Token, ...]:
        """A directive is no token, unless it is damaged."""
        if self._bad_directive.match(directive) is None and _balanced(directive):
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
                f"(?P<end>{_alone(frame.end) if quoted.alone else re.escape(frame.end)})",
            ]
            self._ends[key] = re.compile("|".join(part for part in parts if part))
        return self._ends[key]

    def quoted(self, frame: Frame) -> Quoted:
        """What a frame stands for."""
        return self.language.quoted[frame.quoted] if frame.quoted >= 0 else _MARKUP

    def misquoted(self, text: str) -> bool:
        """Can quoted text not be what it is?"""
        return self._misquoted.fullmatch(text) is not None

    def literal_at(self, text: str, column: int, before: Token | None) -> re.Match[str] | None:
        """A literal whose delimiters are operators behind an operand."""
        return self._literal.match(text, column) if self._wants_operand(before) else None

    def element_at(self, text: str, column: int, before: Token | None) -> tuple[int, Frame] | None:
        """See `element`; where an operand is wanted, in a language that has such."""
        wanted = self.language.markup and text[column] == "<" and self._wants_operand(before)
        return element(text, column) if wanted else None

    def closing(self, bracket: str) -> str:
        """What closes a bracket."""
        return self.language.brackets[bracket]

    def _wants_operand(self, before: Token | None) -> bool:
        if before is None or before.kind == "open":
            return True
        if before.kind == "word":
            return before.text in self.language.prefixes
        return before.kind == "sign" and before.text not in self.language.postfix

    def word_at(self, text: str, start: int, end: int, tokens: Sequence[Token]) -> tuple[str, str]:
        """Kind and text of a word, which may be a bracket."""
        words = self.language.words
        return words.read(text, start, end, tokens) if words else ("word", text[start:end])

    def code_at(self, text: str, column: int) -> re.Match[str] | None:
        """The next piece of code."""
        return self._code.match(text, column)


def _balanced(directive: str) -> bool:
    """Does a condition that ends in its line close what it opens? Others may be in pieces."""
    if directive.endswith("\\") or _CONDITION.match(directive) is None:
        return True
    depth = 0
    for sign in re.findall("[()]", _NO_CODE.sub("", directive)):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return False
    return depth == 0


def _alone(end: str) -> str:
    return rf"^\s*{re.escape(end)}(?!\w)"


def _words(kind: str, words: "object") -> str:
    each = sorted(words, key=len, reverse=True)  # type: ignore[call-overload]
    return f"(?P<{kind}>{'|'.join(_whole(word) for word in each)})"


def _whole(word: str) -> str:
    return rf"\b{word}\b" if word.isalpha() else re.escape(word)

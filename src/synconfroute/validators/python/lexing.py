"""Where brackets and strings are open, and where logical lines begin."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from synconfroute.validators.python.lines import Lines, width

_TOKEN = re.compile(
    r"""[()\[\]{}]|\n[ \t\f]*+|\#[^\n]*+|\\\n|\"{3}|'{3}"""
    r"""|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"?|'[^'\\\n]*+(?:\\.[^'\\\n]*+)*'?""",
    re.DOTALL,
)
_CLOSING = {
    '"""': re.compile(r'[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*"""', re.DOTALL),
    "'''": re.compile(r"[^'\\]*+(?:(?:\\.|'(?!''))[^'\\]*+)*'''", re.DOTALL),
    '"': re.compile(r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*"', re.DOTALL),
    "'": re.compile(r"[^'\\\n]*+(?:\\.[^'\\\n]*+)*'", re.DOTALL),
}
_RUN = re.compile(
    r"""(?:[^"'()\[\]{}\#\\,]++|\#[^\n]*+|\\.|"(?!"")[^"\\\n]*+(?:\\.[^"\\\n]*+)*\""""
    r"""|'(?!'')[^'\\\n]*+(?:\\.[^'\\\n]*+)*')*""",
    re.DOTALL,
)
"""What holds neither a bracket nor a comma of the code."""
_CLOSER = {"(": ")", "[": "]", "{": "}"}
_STATEMENT = re.compile(
    r"(?:assert|break|class|continue|def|del|elif|except|finally|global|import|nonlocal|pass|raise"
    r"|return|try|while|with)\b(?![ \t]*[=.,)\]}])"
)
"""What begins a statement and cannot begin a line inside a bracket."""
_HEADER = re.compile(r"(?:async|if|for|else)\b[^\n#\"']*:[ \t]*(?=\n|#)")
"""What is the header of a block, if its brackets match."""
_CONTINUED = re.compile(r"[)\]}'\"#\n\\+\-*/%.,:<>=&|^]|(?:and|or|not|in|is|if|else|for)\b|$")
"""What may begin a line inside a bracket although it is indented no deeper than the statement."""
_OPERAND_ENDS = re.compile(
    r"(?:[)\]}\"']|\b(?!(?:and|or|not|in|is|if|else|for|lambda|await|yield|from)\Z)\w+)\Z"
)
_NAME = re.compile(r"(?!(?:and|or|not|in|is|if|else|for|async|as|from)\b)[^\W\d]\w*(?![\w\"'])")
"""A name that cannot go on with an operand."""


NO_STRING = (-1, -1)


@dataclass(frozen=True, slots=True)
class State:
    """What is open at some place of a text.

    Attributes:
        brackets: where the open brackets stand, the outermost first.
        quote: the quotes of the string that is open, or "".
        quote_at: where that string began.
        comment: where the comment begins that the text ends in, or -1.
        string: where the last whole string begins and ends.
    """

    brackets: tuple[int, ...] = ()
    quote: str = ""
    quote_at: int = -1
    comment: int = -1
    string: tuple[int, int] = NO_STRING

    @property
    def within(self) -> bool:
        """Is anything open?"""
        return bool(self.brackets or self.quote)


CLEAR = State()


def closers(text: str, brackets: tuple[int, ...]) -> str:
    """What closes these brackets, the last one first."""
    return "".join(_CLOSER[text[at]] for at in reversed(brackets))


class Token(NamedTuple):
    """A bracket, a string, a comment, or a line break with the white space behind it.

    Attributes:
        kind: its first character; for an escaped line break the backslash.
        start: where it begins.
        end: where it ends.
        open_quote: the quotes of a string that does not end, or "".
    """

    kind: str
    start: int
    end: int
    open_quote: str = ""


def tokens(
    text: str, start: int, end: int, ignored: frozenset[int] = frozenset()
) -> Iterator[Token]:
    """What matters between two places, the first of which is in no string.

    Args:
        text: the text.
        start: where to begin.
        end: where to stop; what stands behind it is not looked at.
        ignored: places of quotes that open nothing.
    """
    at = start
    while (found := _TOKEN.search(text, at, end)) is not None:
        begin, at = found.span()
        kind = text[begin]
        if kind not in "\"'":
            yield Token(kind, begin, at)
        elif found[0] in ('"""', "'''"):
            if begin in ignored:
                continue
            closed = _CLOSING[found[0]].match(text, at, end)
            at = closed.end() if closed else end
            yield Token(kind, begin, at, "" if closed else found[0])
        else:
            whole = at < end or _CLOSING[kind].fullmatch(text, begin + 1, end)
            yield Token(kind, begin, at, "" if whole else kind)


def marks(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """The brackets and commas between two places, the first of which is in no string.

    Four times as fast as `tokens`. Last come the quotes of a string that does not end, if any.
    """
    at = start
    while (run := _RUN.match(text, at, end)) is not None and (at := run.end()) < end:
        kind = text[at]
        if kind not in "\"'":
            if kind != "\\":
                yield kind, at
            at += 1
            continue
        quotes = kind * 3 if text.startswith(kind * 3, at) else kind
        closed = _CLOSING[quotes].match(text, at + len(quotes), end)
        stop = text.find("\n", at, end) if closed is None and len(quotes) == 1 else -1
        if closed is None and stop < 0:
            yield quotes, at
            return
        at = closed.end() if closed else stop


def open_at(text: str, start: int, end: int) -> State:
    """What is open at `end`, if nothing is at `start`; without comment and last string."""
    stack: list[int] = []
    for kind, at in marks(text, start, end):
        if kind in "([{":
            stack.append(at)
        elif kind in ")]}":
            _close(text, stack, kind)
        elif kind != ",":
            return State(tuple(stack), kind, at)
    return State(tuple(stack))


def scan(
    text: str,
    start: int,
    end: int,
    state: State = CLEAR,
    lines: Lines | None = None,
    *,
    careful: bool = False,
    ignored: frozenset[int] = frozenset(),
) -> State:
    """What is open at `end`, if `state` holds at `start`.

    Args:
        text: the text that both places are in.
        start: where to begin.
        end: where to stop; what stands behind it is not looked at.
        state: what is open at the start.
        lines: takes the logical lines that begin behind `start`.
        careful: the text may be broken: a line that cannot stand in a bracket ends all brackets.
        ignored: places of quotes that open nothing.
    """
    stack = list(state.brackets)
    string = NO_STRING
    if state.quote:
        closed = _CLOSING[state.quote].match(text, start, end)
        if closed is None:
            return state
        start = closed.end()
        string = state.quote_at, start
    comment = -1
    indent = lines.indents[-1] if lines is not None and lines.indents else 0
    last, code = Token("", start, start), start
    for token in tokens(text, start, end, ignored):
        comment = token.start if token.kind == "#" else -1
        if careful and token.kind in "#\n" and not _blank_since(text, last, token):
            code = token.start
        if token.kind == "\n":
            if stack and careful and _left(text, code, token, indent):
                stack.clear()
            if not stack and lines is not None and token.end < end:
                indent = lines.add(text, token.start + 1, token.end)
        elif token.kind in "([{":
            stack.append(token.start)
        elif token.kind in ")]}":
            _close(text, stack, token.kind)
        elif token.open_quote:
            return State(tuple(stack), token.open_quote, token.start)
        elif token.kind in "\"'":
            string = token.start, token.end
        last = token
    return State(tuple(stack), comment=comment, string=string)


def code_end(text: str, start: int, end: int) -> int:
    """Where the code of the logical line ends that begins at `start`, without its comment."""
    depth = 0
    for token in tokens(text, start, end):
        if depth <= 0 and token.kind in "#\n":
            end = token.start
            break
        depth += (token.kind in "([{") - (token.kind in ")]}")
    return start + len(text[start:end].rstrip())


def _left(text: str, code: int, line_break: Token, indent: int) -> bool:
    """Can the line behind a line break not be in the bracket that is open at the end of `code`?"""
    return _apart(text, code, line_break.end) or _stale(text, line_break, indent)


def _stale(text: str, line_break: Token, indent: int) -> bool:
    """Can the line behind a line break not stand in a bracket of a statement indented so far?"""
    if _STATEMENT.match(text, line_break.end):
        return True
    header = _HEADER.match(text, line_break.end)
    if header is not None and header[0].count("(") >= header[0].count(")"):
        return True
    white = text[line_break.start + 1 : line_break.end]
    return width(white) <= indent and _CONTINUED.match(text, line_break.end) is None


def _blank_since(text: str, last: Token, token: Token) -> bool:
    """Is there no code between these two, nor one of them?"""
    return last.kind in "#\n" and not text[last.end : token.start].strip()


def _apart(text: str, code: int, at: int) -> bool:
    """Do the code that ends at `code` and the line that begins at a place stand apart?"""
    before = text[max(code - 200, 0) : code].rstrip(" \t")
    if _OPERAND_ENDS.search(before[-30:]) is None:
        return False
    quoted = text[at : at + 1] in ("'", '"') and before[-1:] not in ("'", '"')
    return quoted or _NAME.match(text, at) is not None


def _close(text: str, stack: list[int], closer: str) -> None:
    """Close the innermost bracket of this kind; one that closes nothing is passed over."""
    for depth in range(len(stack) - 1, -1, -1):
        if _CLOSER[text[stack[depth]]] == closer:
            del stack[depth:]
            return

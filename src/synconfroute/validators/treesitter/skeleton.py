"""The brackets of a whole buffer: what is open at each line, and what each line leaves to close."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from synconfroute.validators.treesitter.habits import Habits, habits
from synconfroute.validators.treesitter.language import Language
from synconfroute.validators.treesitter.lexer import Lexer
from synconfroute.validators.treesitter.tokens import Line, Mode, Token
from synconfroute.validators.treesitter.words import BlockWords

_WIDE = 10_000
_ELSE = frozenset({"else", "elif", "elifdef", "elifndef"})
_BEFORE_VALUE = frozenset("=,([") | {"]", "return"}
_BEFORE_CLAUSES = frozenset({"for", "$"})
_AFTER_VALUE = frozenset(";,)].")
_BEFORE_PATTERN = frozenset({"", ";;", "in"})
_T = TypeVar("_T")


class Opener(NamedTuple):
    """A bracket that is open, and those around it.

    Attributes:
        text: the bracket.
        line: 0-based line.
        column: where it stands there.
        indent: of its line, or of the line where what that line closes was opened.
        value: it begins a value, such as the elements of an array.
        named: a name stands before it, such as that of a class.
        clauses: statements stand in it, as behind `for`, or behind `$` in a macro.
        outer: the bracket around it.
        depth: how many are open.
    """

    text: str
    line: int
    column: int
    indent: int
    value: bool
    named: bool
    clauses: bool
    outer: "Opener | None"
    depth: int


class Need(NamedTuple):
    """A closing bracket that wants an opener above it, and those further down.

    Attributes:
        text: the bracket.
        line: 0-based line.
        indent: of its line, if it is the line's first token; else -1.
        value: it ends a value, or a statement with it.
        outer: the next one that wants an opener.
        depth: how many do.
    """

    text: str
    line: int
    indent: int
    value: bool
    outer: "Need | None"
    depth: int


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A buffer's lines and brackets.

    Attributes:
        texts: its lines.
        lines: their tokens.
        modes: what each line begins in.
        opened: what is open at the beginning of each line.
        dead: lines of a branch that leaves brackets open, and the line where the next one begins.
        needs: what the text from each line on wants opened; one more than there are lines.
        stray: the first line with a closing bracket that closes nothing; -1 if there is none.
        sound: every bracket has its partner.
        habits: how lines are broken in it.
    """

    texts: list[str]
    lines: list[Line]
    modes: list[Mode]
    opened: list[Opener | None]
    dead: dict[int, int]
    needs: list[Need | None]
    stray: int
    sound: bool
    habits: Habits


def skeleton(lexer: Lexer, text: str) -> Skeleton:
    """Read a buffer.

    Args:
        lexer: of its language.
        text: the buffer; lines end with LF.
    """
    closers = lexer.language.closers
    texts = text.split("\n")
    lines: list[Line] = []
    modes: list[Mode] = []
    mode = lexer.begin
    for each in texts:
        line = lexer.line(each, mode)
        lines.append(line)
        modes.append(mode)
        mode = line.mode
    opened, dead, stray, last = _forwards(lines, lexer.language)
    return Skeleton(
        texts=texts,
        lines=lines,
        modes=modes,
        opened=opened,
        dead=dead,
        needs=needs_of(lines, closers),
        stray=stray,
        sound=last is None and stray < 0 and not mode,
        habits=habits(lines, lexer.language),
    )


def _forwards(
    lines: list[Line], language: Language
) -> tuple[list[Opener | None], dict[int, int], int, Opener | None]:
    opened: list[Opener | None] = []
    branches: list[Opener | None] = []
    begun: list[int] = []
    dead: dict[int, int] = {}
    top: Opener | None = None
    stray = -1
    closers, words = language.closers, language.words
    for number, line in enumerate(lines):
        opened.append(top)
        if line.directive:
            depth = len(branches)
            now = _branch(line.directive, top, branches)
            if len(branches) > depth:
                begun.append(number)
            elif len(branches) < depth:
                begun.pop()
            elif branches and line.directive in _ELSE:
                if now is not top:
                    dead.update(dict.fromkeys(range(begun[-1], number), number))
                begun[-1] = number
            top = now
        indent = line.indent
        for token in line.brackets:
            if ends_pattern(top, token, words):
                lines[number] = _without(lines[number], token)
                continue
            below = after(top, token, number, indent, closers)
            if below is top and stray < 0:
                stray = number
            indent = min(indent, outdent(top, below))
            top = below
        if top and line.tokens and line.tokens[-1].text == ";" and words is None:
            kept = _without_lost(top, lines)
            if kept is not top and stray < 0:
                stray = number
            top = kept
    return opened, dead, stray, top


def _without_lost(top: Opener | None, lines: list[Line]) -> Opener | None:
    """What is open behind a statement: parentheses around its end have lost their partners."""
    while top is not None and top.text in "([" and not _holds_clauses(top, lines):
        top = top.outer
    return top


def _holds_clauses(cell: Opener, lines: list[Line]) -> bool:
    """Do statements stand in a parenthesis, whose `for` may end the line above?"""
    above = lines[cell.line - 1].tokens if cell.line else ()
    leads = lines[cell.line].tokens[0].start == cell.column
    return cell.clauses or (leads and bool(above) and above[-1].text == "for")


def _without(line: Line, bracket: Token) -> Line:
    left = tuple(each for each in line.brackets if each is not bracket)
    return line._replace(brackets=left)


def ends_pattern(top: Opener | None, token: Token, words: BlockWords | None) -> bool:
    """Is it, right within a block of patterns, the parenthesis behind one, or the pattern?"""
    if words is None or top is None or top.text != words.patterned or token.kind != "close":
        return False
    if token.text == ")":
        return token.behind not in _BEFORE_PATTERN
    return token.lead and token.ahead == ")"


def outdent(top: Opener | None, below: Opener | None) -> int:
    """The indentation of what a bracket closed: what opens behind it goes on with that."""
    return top.indent if top is not None and below is top.outer else _WIDE


def after(
    top: Opener | None, token: Token, number: int, indent: int, closers: Mapping[str, str]
) -> Opener | None:
    """What is open behind a bracket. A closing one that fits nothing changes nothing.

    A closing brace also closes what is open within its braces.
    """
    if token.kind == "open":
        depth = top.depth + 1 if top else 1
        value = token.behind in _BEFORE_VALUE
        if token.lead and top is not None:
            value = top.text == "{" and top.value
        named, clauses = token.behind[-1:].isalnum(), token.behind in _BEFORE_CLAUSES
        return Opener(token.text, number, token.start, indent, value, named, clauses, top, depth)
    opener = closers[token.text]
    if top is not None and top.text == opener:
        return top.outer
    if opener in "([":
        return top
    found = top
    while found is not None and found.text != opener:
        found = found.outer
    return found.outer if found is not None else top


def _branch(directive: str, top: _T, branches: list[_T]) -> _T:
    """Each branch of a condition begins with what was open before the first."""
    if directive.startswith("if"):
        branches.append(top)
    elif directive in _ELSE and branches:
        return branches[-1]
    elif directive == "endif" and branches:
        branches.pop()
    return top


def needs_of(lines: list[Line], closers: Mapping[str, str]) -> list[Need | None]:
    """What the text from each line on wants opened."""
    needs: list[Need | None] = [None]
    branches: list[Need | None] = []
    need: Need | None = None
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if line.directive:
            need = _branch(_MIRROR.get(line.directive[:2], line.directive), need, branches)
        for token in reversed(line.brackets):
            need = before(need, token, number, line.indent, closers)
        needs.append(need)
    needs.reverse()
    return needs


_MIRROR = {"if": "endif", "en": "if"}


def before(
    need: Need | None, token: Token, number: int, indent: int, closers: Mapping[str, str]
) -> Need | None:
    """What is wanted before a bracket, given what is wanted behind it."""
    if token.kind == "close":
        depth = need.depth + 1 if need else 1
        lead = indent if token.lead else -1
        return Need(token.text, number, lead, token.ahead in _AFTER_VALUE, need, depth)
    found = need
    while found is not None and closers[found.text] != token.text:
        if token.text in "([":
            return need
        found = found.outer
    return found.outer if found is not None else need

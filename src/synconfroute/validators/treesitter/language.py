"""What the core must know of a language beside its grammar: a description, no code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.words import BlockWords

if TYPE_CHECKING:
    import tree_sitter


@dataclass(frozen=True, slots=True)
class Quoted:
    r"""Text between delimiters, in which brackets and words mean nothing.

    Attributes:
        start: pattern of the opening delimiter.
        end: the closing one; `{}` in it stands for the first group of `start`.
        alone: the closing one begins a line.
        lines: it may go on in the next line.
        escapes: a backslash takes the next character's meaning.
        comment: it is no token.
        nests: it may hold itself.
        hole: pattern that opens code inside it, up to the bracket that closes its last character;
            "" for none.
        late: it begins in the next line, and the rest of its own line is code.
    """

    start: str
    end: str
    alone: bool = False
    lines: bool = False
    escapes: bool = True
    comment: bool = False
    nests: bool = False
    hole: str = ""
    late: bool = False


BLOCK_COMMENT = Quoted(r"/\*", "*/", lines=True, escapes=False, comment=True)
STRING = Quoted('"', '"')
CHARACTER = Quoted("'", "'")


@dataclass(frozen=True, slots=True)
class Language:
    r"""One language, for `TreeSitterSession`.

    Attributes:
        name: as the user knows it.
        grammar: loads the tree-sitter language.
        quoted: what quotes text, the longest delimiters first.
        embedded: what begins code in a file that begins outside of it, in the first of `quoted`.
        line_comment: pattern of what makes the rest of a line a comment.
        literal: pattern of literals whose delimiters are operators behind an operand.
        prefixes: words behind which an operand is wanted, such as `return`.
        markup: elements of markup are operands.
        brackets: what opens, and what closes it.
        closers: what closes, and what opens it.
        words: which brackets are words; None if none are.
        worded: those of `brackets` that are.
        operators: patterns of operators of more than one character.
        word: pattern of names, keywords and numbers.
        misquoted: pattern of quoted text that no program holds.
        illegal: pattern of what stands in no program, outside of quotes.
        directives: pattern of a line (from its first character) that is none of the grammar's
            business; it goes on behind a backslash at the line's end. "" for none.
        bad_directive: pattern of those that are damaged.

        newline_ends: a line's end may end a statement.
        strict_lines: brackets that were opened on different lines are closed on different ones.
        enders: signs that end a statement.
        controls: first words of lines that head a block of statements.
        starters: signs that a statement may begin with.
        openers: words at a line's end behind which a declaration goes on.
        joiners: words that go on with the statement above a line.
        loops: those that do so behind a block only.
        followers: those that follow an operand, such as `throws`.
        chains: signs before a member of what stands on the line above.
        strung: operators of which there are often many in an expression.
        fluent: pattern of names of calls that others are chained to, in the next line.
        final: pattern of the last operands of strings of operators.
        postfix: signs that end an operand.
        labels: words of lines without which the statements below them are none, such as `case`.

        modifiers: words before a name that is no type.
        wrapper: a block of statements: its head, a blank, and what closes it.
        crammed: a brace may close a block behind a statement, whether or not others do.
        types: words that heads of types begin with; none where these need no care of their own.
        listed: words of heads of blocks that begin with a list, which ";" ends, such as `enum`.

        placeholders: what a line, of which only the beginning is there, may go on with.
        lines: harmless lines.
        fillers: what a user may type behind an operator, a comma or an opening bracket.
        follow: what may stand below a line that ends with an operand, other than the end of its
            statement.
        keeps: the same where blocks open on the lines of their heads.
        finish: what ends a statement: a call, the head of a block.
        after_block: what may be needed behind a closing brace at a line's end.
        ended: words of heads whose block is part of a statement that must be ended.
        extends: what may still stand in brackets behind an operand.
        behind_types: what may follow a list of types in angle brackets, of which only the beginning
            is there; () where `generics` is not asked.
        behind: what may follow the innermost block that is open, other than what must.
        tails: what must follow the block behind a word, such as `try`, or of a head that begins so.
        gaps: patterns of what the grammar does not know, and what to read instead.
        foreign: pattern of how a file begins that bears the language's name and is in another.
        whole: a file is right if the grammar reads it whole.
        seconds: processor time that parsing for one verdict may take.
        macros: pattern of words that may stand for anything; "" for none.
    """

    name: str
    grammar: "Callable[[], tree_sitter.Language]"
    quoted: tuple[Quoted, ...]
    embedded: str = ""
    line_comment: str = "//"
    literal: str = "(?!)"
    prefixes: frozenset[str] = frozenset()
    markup: bool = False
    brackets: Mapping[str, str] = field(default_factory=lambda: {"(": ")", "[": "]", "{": "}"})
    words: BlockWords | None = None
    operators: tuple[str, ...] = (
        r"\+\+",
        "--",
        "->",
        "=>",
        "::",
        "&&",
        r"\|\|",
        "<<",
        "[-+*/%&|^=!<>]=",
    )
    word: str = r"[^\W\d][\w$]*|\$[\w$]+|\.?\d(?:[eEpP][+-]|'\w|[\w.])*"
    misquoted: str = "(?!)"
    illegal: str = "`"
    directives: str = ""
    bad_directive: str = "(?!)"

    newline_ends: bool = False
    strict_lines: bool = False
    enders: frozenset[str] = frozenset(";:")
    controls: frozenset[str] = frozenset(
        {"if", "for", "while", "switch", "else", "try", "do", "}", "catch"}
    )
    starters: frozenset[str] = frozenset({"++", "--", "@", "~", "::", "#"})
    openers: frozenset[str] = frozenset()
    joiners: frozenset[str] = frozenset({"else", "catch", "finally"})
    loops: frozenset[str] = frozenset({"while"})
    followers: frozenset[str] = frozenset()
    chains: frozenset[str] = frozenset({"."})
    strung: frozenset[str] = frozenset({"&&", "||", "+"})
    fluent: str = "(?!)"
    final: str = "(?!)"
    postfix: frozenset[str] = frozenset({"++", "--"})
    labels: frozenset[str] = frozenset({"case", "default"})
    modifiers: frozenset[str] = frozenset({"public", "protected", "private"})
    wrapper: str = "void f() { }"
    crammed: bool = False
    types: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()

    placeholders: tuple[str, ...] = (
        *("", "x;", "();", "x();", "x", " x;", "() {", ";", "x) {", "{", "] x;", "> x;"),
        *("> x() {", "(;;) {", "x void f() {}", "x) void f() {}"),
    )
    lines: tuple[str, ...] = ("", "x", "x;", " void f() {}", " class A {}")
    fillers: tuple[str, ...] = ("", "x", "x x", "x : x")
    follow: tuple[str, ...] = ("", "{;}", "{} finally {}", " void f() {}", " class A {}")
    keeps: tuple[str, ...] = ("", " return;", " void f() {}", " class A {}")
    finish: tuple[str, ...] = (";", "{;}")
    ended: frozenset[str] = frozenset({"=", "return", "throw"})
    after_block: tuple[str, ...] = (";", "")
    extends: tuple[str, ...] = ()
    behind_types: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    tails: Mapping[str, str] = field(default_factory=dict)
    gaps: tuple[tuple[str, str], ...] = ()
    macros: str = ""
    foreign: str = "(?!)"
    whole: bool = False
    seconds: float = 0.012
    closers: Mapping[str, str] = field(init=False)
    worded: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        closers = {closer: opener for opener, closer in self.brackets.items()}
        object.__setattr__(self, "closers", closers)
        worded = self.words.openers.values() if self.words is not None else ()
        object.__setattr__(self, "worded", frozenset(worded))

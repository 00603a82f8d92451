"""What lines are split into."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

DIRECTIVE, TAG, CHILDREN = -1, -2, -3
"""A directive that goes on; a tag of an element of markup; what stands between its tags."""


class Frame(NamedTuple):
    """What a line may begin in.

    Attributes:
        quoted: number of the language's `Quoted`; `DIRECTIVE`, `TAG` or `CHILDREN`.
        end: what closes it.
        hole: the bracket that opens the code in it which is being read; "" outside of code.
        depth: how many of these brackets are open within that code.
        held: how many brackets of any kind are, the hole's own with them.
    """

    quoted: int
    end: str
    hole: str = ""
    depth: int = 0
    held: int = 0


Mode = tuple[Frame, ...]
"""What is open at a place, the innermost last; () is code."""


def reads_code(mode: Mode) -> bool:
    """Is a place in code or markup, not in quotes or a comment?"""
    return not mode or bool(mode[-1].hole) or mode[-1].quoted in {TAG, CHILDREN}


class Token(NamedTuple):
    """A token of a line.

    Attributes:
        kind: "word", "text" (quoted), "open", "close", "sign" or "bad".
        text: as it stands there; of a word that opens a block, the bracket that it stands for.
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


def names_type(tokens: Sequence[Token], types: Collection[str]) -> bool:
    """Do tokens hold one of the words that heads of types begin with, and a name behind it?"""
    return any(
        token.text in types and tokens[at + 1].kind == "word"
        for at, token in enumerate(tokens[:-1])
    )


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

"""Go, by tree-sitter-go."""

from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.language import (
    BLOCK_COMMENT,
    CHARACTER,
    STRING,
    Language,
    Quoted,
)
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_go

    return tree_sitter.Language(tree_sitter_go.language())


GO = Language(
    name="Go",
    grammar=_grammar,
    quoted=(BLOCK_COMMENT, STRING, CHARACTER, Quoted("`", "`", lines=True, escapes=False)),
    misquoted=r"'(?:[^\\']{2,}|)'",
    illegal=r"[#@$?\\]",
    operators=(
        r"\+\+",
        "--",
        ":=",
        "<-",
        r"\.\.\.",
        "&&",
        r"\|\|",
        "<<",
        ">>",
        "[-+*/%&|^=!<>]=",
    ),
    newline_ends=True,
    whole=True,
    crammed=True,
    seconds=0.03,
    wrapper="func f() { }",
    strict_lines=True,
    extends=(" : x", "; x"),
    starters=frozenset({"*", "&", "<-", "-", "!", "+", "^"}),
    joiners=frozenset({"else"}),
    chains=frozenset(),
    labels=frozenset({"case", "default"}),
    placeholders=("", "x", "()", "x()", "() {", "x) {", "{", " x", "x {", "x:", ": x"),
    fillers=("", "x", "x: x", "x x", "x {", "x {}"),
    follow=(),
    finish=("", "{}", ":", " x", " = x"),
    after_block=("",),
    behind=("{}", "{} {}", " x", "()", " {}"),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(GO)

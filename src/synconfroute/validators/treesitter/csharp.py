"""C#, by tree-sitter-c-sharp."""

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
    import tree_sitter_c_sharp

    return tree_sitter.Language(tree_sitter_c_sharp.language())


_BELOW = (
    "", "{;}", "{}", "{} finally {}", " return;", " void f() {}", " class A {}", " { get; }",
    " => x;", " = x;", " { _ => x };", " { _ => x }", " select x;", " in x select x;",
)  # fmt: skip

CSHARP = Language(
    name="C#",
    grammar=_grammar,
    quoted=(
        BLOCK_COMMENT,
        Quoted(r'\$*("{3,})', "{}", lines=True, escapes=False),
        Quoted(r'(?:\$@|@\$)"', '"', lines=True, escapes=False, hole=r"(?<!\{)\{(?!\{)"),
        Quoted('@"', '"', lines=True, escapes=False),
        Quoted(r'\$"', '"', hole=r"(?<!\{)\{(?!\{)"),
        STRING,
        CHARACTER,
    ),
    misquoted=r"'(?:[^\\']{2,}|)'",
    illegal=r"[`\\#]",
    directives=r"\s*#\s*(\w*)",
    operators=(
        r"\+\+",
        "--",
        "->",
        "=>",
        "::",
        r"\?\.",
        r"\?\?=?",
        r"\.\.",
        "&&",
        r"\|\|",
        "<<",
        "[-+*/%&|^=!<>]=",
    ),
    word=r"@?[^\W\d]\w*|\.?\d(?:[eE][+-]|[\w.])*",
    whole=True,
    seconds=0.03,
    crammed=True,
    starters=frozenset({"++", "--", "~", "[", "-", "!"}),
    joiners=frozenset({"else", "catch", "finally", "where", "as", "is", "in", "orderby", "select"}),
    followers=frozenset({"where", "as", "is", "in", "when"}),
    listed=frozenset(),
    fillers=("", "x", "x x", "x : x", "x> x", "x => x", "x = x"),
    types=frozenset({"class", "interface", "struct", "record", "enum"}),
    follow=_BELOW,
    keeps=_BELOW,
    tails={"try": " finally {}", "do": " while (x);"},
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(CSHARP)

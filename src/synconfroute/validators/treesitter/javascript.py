"""JavaScript with JSX, by tree-sitter-javascript."""

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

TEMPLATE = Quoted("`", "`", lines=True, hole=r"\$\{")

REGULAR_EXPRESSION = r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])+/[a-zA-Z]*"

PREFIXES = frozenset(
    {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do",
     "await", "yield", "instanceof", "default", "extends"}
)  # fmt: skip

STARTERS = frozenset({"++", "--", "@", "~", "!", "-", "+", "#", "...", ";"})


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_javascript

    return tree_sitter.Language(tree_sitter_javascript.language())


JAVASCRIPT = Language(
    name="JavaScript",
    grammar=_grammar,
    quoted=(BLOCK_COMMENT, STRING, CHARACTER, TEMPLATE),
    literal=REGULAR_EXPRESSION,
    prefixes=PREFIXES,
    markup=True,
    operators=(r"\+\+", "--", "=>", r"\?\.", r"\?\?", "&&", r"\|\|", r"\.\.\.", "[-+*/%&|^=!<>]=+"),
    illegal="(?!)",
    newline_ends=True,
    whole=True,
    seconds=0.03,
    enders=frozenset({";"}),
    wrapper="function f() { }",
    types=frozenset({"class", "interface", "enum"}),
    extends=(" : x", " of x", ": x"),
    crammed=True,
    starters=STARTERS,
    joiners=frozenset({"else", "catch", "finally", "instanceof", "in", "of"}),
    followers=frozenset({"instanceof", "in", "of"}),
    chains=frozenset({".", "?."}),
    fillers=("", "x", "x: x", "x => x", "x = x"),
    follow=(" class A {}",),
    finish=("", "{}", " => x"),
    after_block=("",),
    behind=(" from 'x'", " = x", " => x", " of x) {}", ", x) {}", " : x"),
    tails={"try": " catch (e) {}", "do": " while (x)"},
    placeholders=("", "x", "()", "x()", "() {", "x) {", "{", " x", ": x", ";"),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(JAVASCRIPT)

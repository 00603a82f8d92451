"""Rust, by tree-sitter-rust."""

from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.language import Language, Quoted
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_rust

    return tree_sitter.Language(tree_sitter_rust.language())


RUST = Language(
    name="Rust",
    grammar=_grammar,
    quoted=(
        Quoted(r"/\*", "*/", lines=True, escapes=False, comment=True, nests=True),
        Quoted(r'(?:br|cr|r)(#*)"', '"{}', lines=True, escapes=False),
        Quoted(r'[bc]?"', '"', lines=True),
        Quoted(r"b?'(?=\\|[^'\\]')", "'"),
    ),
    word=r"r#\w+|'?[^\W\d]\w*|\d(?:[eE][+-]\d|\.(?=\d)|\w)*|\$\w+",
    illegal=r"[`\\]|'(?!\w)",
    operators=(
        "->",
        "=>",
        "::",
        r"\.\.[.=]?",
        "&&",
        r"\|\|",
        "<<",
        ">>",
        "[-+*/%&|^=!<>]=",
    ),
    newline_ends=True,
    whole=True,
    seconds=0.03,
    wrapper="fn f() { }",
    extends=(": x", " => x", "> x", " x"),
    crammed=True,
    starters=frozenset({"#", "*", "&", "&&", "-", "!", "|", "||", "..", "::", "..="}),
    types=frozenset({"impl", "trait", "struct", "enum", "union"}),
    openers=frozenset({"where"}),
    joiners=frozenset({"else", "where", "as"}),
    followers=frozenset({"where", "as"}),
    chains=frozenset({".", "?"}),
    postfix=frozenset({"?"}),
    labels=frozenset(),
    placeholders=("", "x;", "()", "x", "() {", "x) {", "{", " x", "x => x", ": x", ";"),
    fillers=("", "x", "x: x", "x => x", "x x", "x>", "x> x", "{}", "x> {}"),
    follow=(
        "fn f() {}",
        "x => x",
        "x: x",
        "struct A;",
        "=> x",
        ": x",
        " = x;",
        "> {}",
        "> = x;",
        "in x {}",
        ": x = x;",
        "x",
    ),
    finish=(";", "", "{}"),
    after_block=("", ";"),
    behind=(";", "", " => x", " = x;", " else {}", " else {};"),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(RUST)

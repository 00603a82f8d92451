"""Kotlin, by tree-sitter-kotlin."""

from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.language import (
    CHARACTER,
    Language,
    Quoted,
)
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_kotlin

    return tree_sitter.Language(tree_sitter_kotlin.language())


KOTLIN = Language(
    name="Kotlin",
    grammar=_grammar,
    quoted=(
        Quoted(r"/\*", "*/", lines=True, escapes=False, comment=True, nests=True),
        Quoted('"""', '"""', lines=True, escapes=False, hole=r"\$\{"),
        Quoted('"', '"', hole=r"\$\{"),
        CHARACTER,
    ),
    word=r"[^\W\d]\w*|`[^`\n]+`|\d(?:[eE][+-]|\.(?=\d)|\w)*",
    misquoted=r"'(?:[^\\']{2,}|)'",
    illegal=r"[#\\]",
    operators=(
        r"\+\+",
        "--",
        "->",
        "::",
        r"\?\.",
        r"\?:",
        r"\.\.<?",
        "&&",
        r"\|\|",
        "!!",
        "[-+*/%=!<>]=+",
    ),
    newline_ends=True,
    strict_lines=True,
    modifiers=frozenset({"public", "protected", "private", "internal"}),
    whole=True,
    seconds=0.03,
    crammed=True,
    wrapper="fun f() { }",
    types=frozenset({"class", "interface", "object"}),
    enders=frozenset({";"}),
    starters=frozenset({"++", "--", "@", "-", "!", "+", "::"}),
    joiners=frozenset(
        {"else", "catch", "finally", "as", "is", "in", "by", "where", "get", "set", "constructor"}
    ),
    followers=frozenset({"as", "is", "in", "by", "where"}),
    chains=frozenset({".", "?.", "?:"}),
    postfix=frozenset({"++", "--", "!!", "?"}),
    labels=frozenset(),
    listed=frozenset({"enum"}),
    placeholders=("", "x", "()", "x()", "() {", "x) {", "{", " x", "x -> x", ": x", "= x"),
    fillers=("", "x", "x: x", "x -> x", "x = x", "x {}", "x> x", "{}", "x()", "fun f()"),
    follow=(
        "fun f() {}",
        "class A",
        " = x",
        ": x",
        ": x = x",
        "in x) {}",
        "-> x",
        "> x()",
        "else x",
        "val x = x",
    ),
    finish=("", "{}", " x", " fun f() {}"),
    after_block=("", " catch (e: X) {}"),
    extends=(": x", " in x", " -> x"),
    behind=("", " catch (e: X) {}", " else {}", " while (x)", "->}"),
    tails={"try": " finally {}", "do": " while (x)"},
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(KOTLIN)

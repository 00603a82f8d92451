"""PHP, by tree-sitter-php."""

from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.language import (
    BLOCK_COMMENT,
    Language,
    Quoted,
)
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_php

    return tree_sitter.Language(tree_sitter_php.language_php())


PHP = Language(
    name="PHP",
    grammar=_grammar,
    quoted=(
        Quoted(r"\?>", "<?", lines=True, escapes=False, comment=True),
        BLOCK_COMMENT,
        Quoted(r"<<<[ \t]*['\"]?(\w+)['\"]?", "{}", alone=True, lines=True, escapes=False),
        Quoted('"', '"', lines=True),
        Quoted("'", "'", lines=True),
        Quoted("`", "`"),
    ),
    embedded="<?php ",
    line_comment=r"//|#(?!\[)",
    illegal="(?!)",
    operators=(
        r"\+\+",
        "--",
        "->",
        "=>",
        "::",
        r"\?->",
        r"\?\?=?",
        r"\.\.\.",
        "&&",
        r"\|\|",
        "<<",
        "#",
        r"[-+*/%&|^=!<>.]=+",
    ),
    word=r"\$*[^\W\d]\w*|\.?\d(?:[eE][+-]|[\w.])*",
    whole=True,
    seconds=0.03,
    crammed=True,
    wrapper="function f() { }",
    types=frozenset({"class", "interface", "trait", "enum"}),
    starters=frozenset({"++", "--", "@", "&", "-", "!", "#", "?", "\\"}),
    joiners=frozenset({"else", "elseif", "catch", "finally", "instanceof"}),
    followers=frozenset({"instanceof", "extends", "implements", "as", "use"}),
    chains=frozenset({"->", "?->", "::", "."}),
    placeholders=("", "$x;", "();", "x", " $x;", "() {", ";", "$x) {", "{"),
    fillers=("", "$x", "x $x", "x => $x", "x"),
    follow=("", "{;}", "{}", "{} finally {}", " function f() {}", " class A {}", " as $x) {}"),
    keeps=("", "{;}", "{}", " return;", " function f() {}", " class A {}", " as $x) {}"),
    gaps=((r"\A(?!\s*<\?)", "<?php\n"),),
    tails={"try": " finally {}", "do": " while ($x);"},
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(PHP)

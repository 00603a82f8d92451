"""Java, by tree-sitter-java."""

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
    import tree_sitter_java

    return tree_sitter.Language(tree_sitter_java.language())


JAVA = Language(
    name="Java",
    grammar=_grammar,
    quoted=(BLOCK_COMMENT, Quoted('"""', '"""', lines=True), STRING, CHARACTER),
    misquoted=r"'(?:[^\\']{2,}|)'",
    illegal=r"[`#\\]",
    followers=frozenset({"throws", "extends", "implements", "permits", "instanceof"}),
    fluent=r"stream|builder|newBuilder|assertThat\w*|when|verify|expect|given|of|filter|map",
    types=frozenset({"class", "interface", "enum", "record"}),
    listed=frozenset({"enum"}),
    whole=True,
    fillers=("", "x", "x x", "x : x", "x> x"),
    gaps=((r"^import module\b", "import"),),
    tails={"try": " finally {}", "do": " while (x);"},
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(JAVA)

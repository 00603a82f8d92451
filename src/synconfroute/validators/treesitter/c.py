"""C, by tree-sitter-c."""

from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.language import (
    BLOCK_COMMENT,
    CHARACTER,
    STRING,
    Language,
)
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_c

    return tree_sitter.Language(tree_sitter_c.language())


C = Language(
    name="C",
    grammar=_grammar,
    quoted=(BLOCK_COMMENT, STRING, CHARACTER),
    illegal="[`@]",
    directives=r"\s*#\s*(\w*)",
    starters=frozenset({"++", "--", "*", "&", "~", "!", "-"}),
    tails={"do": " while (x);"},
    macros=r"_*[A-Z][A-Z0-9_]{2,}",
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(C)

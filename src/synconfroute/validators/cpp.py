"""C++, by tree-sitter-cpp."""

from synconfroute.validators.whole_treesitter import TreeSitterGrammar

_PLACEHOLDERS = ("", "x;", "x", "int x;", ";", "{")
"""Nothing, a statement, an expression, a declaration, the end of a statement, the head of a block.
Ordered, and no more than these, by measurement on holes in SAFIM."""


def grammar() -> TreeSitterGrammar:
    """Load the grammar."""
    import tree_sitter_cpp
    from tree_sitter import Language

    return TreeSitterGrammar(Language(tree_sitter_cpp.language()), _PLACEHOLDERS)

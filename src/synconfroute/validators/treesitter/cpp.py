"""C++, by tree-sitter-cpp."""

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
    import tree_sitter_cpp

    return tree_sitter.Language(tree_sitter_cpp.language())


_RAW_STRING = Quoted(r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\(', '){}"', lines=True, escapes=False)

CPP = Language(
    name="C++",
    grammar=_grammar,
    quoted=(BLOCK_COMMENT, _RAW_STRING, STRING, CHARACTER),
    illegal="[`@]",
    directives=r"\s*#\s*(\w*)",
    starters=frozenset({"++", "--", "*", "&", "~", "::", "!", "-"}),
    tails={"try": " catch (...) {}", "do": " while (x);"},
    macros=r"_*[A-Z][A-Z0-9_]{2,}",
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(CPP)

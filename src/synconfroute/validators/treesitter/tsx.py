"""TypeScript with JSX, by tree-sitter-typescript."""

from dataclasses import replace
from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.session import TreeSitterSession
from synconfroute.validators.treesitter.typescript import TYPESCRIPT

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_typescript

    return tree_sitter.Language(tree_sitter_typescript.language_tsx())


TSX = replace(TYPESCRIPT, name="TypeScript with JSX", grammar=_grammar, markup=True)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(TSX)

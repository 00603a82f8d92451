"""TypeScript, and TypeScript with JSX, by tree-sitter-typescript."""

from dataclasses import replace
from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.javascript import JAVASCRIPT, PREFIXES
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _typescript() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_typescript

    return tree_sitter.Language(tree_sitter_typescript.language_typescript())


def _tsx() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_typescript

    return tree_sitter.Language(tree_sitter_typescript.language_tsx())


TYPESCRIPT = replace(
    JAVASCRIPT,
    name="TypeScript",
    grammar=_typescript,
    markup=False,
    prefixes=PREFIXES | {"as", "satisfies"},
    joiners=JAVASCRIPT.joiners | {"as", "satisfies", "extends", "implements"},
    followers=JAVASCRIPT.followers | {"as", "satisfies", "extends", "implements"},
    starters=JAVASCRIPT.starters | {"<"},
    extends=(*JAVASCRIPT.extends, "> x"),
    fillers=(*JAVASCRIPT.fillers, "x: x) => x", "x> = x", "x> {}", "{}"),
    follow=(" ? x : x",),
    finish=(*JAVASCRIPT.finish, ": x", " = x", "> = x", "> {}", "extends x ? x : x"),
)
TSX = replace(TYPESCRIPT, name="TypeScript with JSX", grammar=_tsx, markup=True)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(TYPESCRIPT)


def tsx_session() -> TreeSitterSession:
    """A new session for files with JSX."""
    return TreeSitterSession(TSX)

"""TypeScript, by tree-sitter-typescript."""

from dataclasses import replace
from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.javascript import JAVASCRIPT, PREFIXES
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_typescript

    return tree_sitter.Language(tree_sitter_typescript.language_typescript())


_BEFORE_TYPES = frozenset(
    {"extends", "implements", "keyof", "typeof", "infer", "as", "satisfies", "is"}
)

TYPESCRIPT = replace(
    JAVASCRIPT,
    name="TypeScript",
    grammar=_grammar,
    markup=False,
    prefixes=PREFIXES | {"as", "satisfies"},
    openers=frozenset(
        {"extends", "implements", "keyof", "typeof", "infer", "as", "satisfies", "is"}
    ),
    joiners=JAVASCRIPT.joiners | {"as", "satisfies", "extends", "implements"},
    followers=JAVASCRIPT.followers | {"as", "satisfies", "extends", "implements"},
    starters=JAVASCRIPT.starters | {"<"},
    extends=(*JAVASCRIPT.extends, "> x"),
    fillers=(*JAVASCRIPT.fillers, "x: x) => x", "x> = x", "x> {}", "{}", "x {}"),
    follow=(" ? x : x", " class A {}", " x() {}"),
    behind=(*JAVASCRIPT.behind, " ? x : x"),
    behind_types=("", "()", " : x", " ? x : x", " = x", " {}", "() => x", "() {}", "(x: x): x"),
    finish=(*JAVASCRIPT.finish, ": x", " = x", "> = x", "> {}", "extends x ? x : x"),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(TYPESCRIPT)

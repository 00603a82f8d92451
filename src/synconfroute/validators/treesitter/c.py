"""C, by tree-sitter-c."""

from dataclasses import replace
from typing import TYPE_CHECKING

from synconfroute.validators.treesitter.cpp import CPP
from synconfroute.validators.treesitter.language import BLOCK_COMMENT, CHARACTER, STRING
from synconfroute.validators.treesitter.session import TreeSitterSession

if TYPE_CHECKING:
    import tree_sitter


def _grammar() -> "tree_sitter.Language":
    import tree_sitter
    import tree_sitter_c

    return tree_sitter.Language(tree_sitter_c.language())


_UNNAMED = dict.fromkeys(("struct", "union", "enum", "typedef"), " x;")

C = replace(
    CPP,
    name="C",
    grammar=_grammar,
    quoted=(BLOCK_COMMENT, STRING, CHARACTER),
    fillers=("", "x", "x x", "x : x", "x() {}"),
    follow=("", "{;}", "{} while (x);", " void f() {}", " void f();", " x;"),
    keeps=("", " return;", " x;", " void f() {}", " void f();"),
    tails={"do": " while (x);", **_UNNAMED},
    macros=r"_*[A-Z][A-Z0-9_]{2,}\b(?!\(\s*\w+\s*\)\s*\()|__\w+|\w*for_?each\w*",
    gaps=(*CPP.gaps, (r"(?<=\d) [A-Z]{2,}\b", ""), (r"\b[A-Z]\w*\(\s*(\w+)\s*\)(?=\s*\()", r"\1")),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(C)

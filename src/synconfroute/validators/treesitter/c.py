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


_KEYWORDS = (
    r"(?!(?:return|else|case|goto|typedef|struct|union|enum|sizeof|if|for|while|do|switch|default"
    r"|const|static|extern|volatile|inline|register|unsigned|signed|restrict|void|char|short|int"
    r"|long|float|double|auto|__\w+)\b)"
)
_NAME = rf"{_KEYWORDS}[^\W\d]\w*"
_QUALIFIER = r"(?:const|static|extern|volatile|inline|register|unsigned|signed|restrict)"
_TYPE = rf"(?:void|char|short|int|long|float|double|{_NAME})"
_SPECIFIER = (
    rf"\b{_NAME}\s+(?=(?:{_QUALIFIER}\s+)*{_TYPE}"
    rf"(?:\s*\*+\s*(?:{_QUALIFIER}\s+)*|\s+(?:{_QUALIFIER}\s+)*\**)(?:{_NAME}|(?<=\*)\)))"
)
"""An unknown word before a type and a name, or before a type in a cast."""

_MODIFIER = (
    rf"\b((?:void|char|short|int|long|float|double)\b\s*\**)\s*{_NAME}\s+(?=\**{_NAME}\s*\()"
)
"""An unknown word between a type and the name of a function."""

_PROTOTYPE = r"(?<=\w)\s+\w*_\s*\((\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))\)"
"""Parameters in parentheses of their own, as old compilers wanted them."""

_UNNAMED = dict.fromkeys(("struct", "union", "enum", "typedef"), " x;")

C = replace(
    CPP,
    name="C",
    grammar=_grammar,
    quoted=(BLOCK_COMMENT, STRING, CHARACTER),
    fillers=("", "x", "x x", "x : x", "x() {}", '"x"'),
    follow=("", "{;}", "{} while (x);", " void f() {}", " void f();", " x;"),
    keeps=("", " return;", " x;", " void f() {}", " void f();"),
    tails={"do": " while (x);", **_UNNAMED},
    macros=r"_*[A-Z][A-Z0-9_]{2,}\b(?!\(\s*\w+\s*\)\s*\()|__\w+|\w*for_?each\w*",
    gaps=(
        *CPP.gaps,
        (r"(?<=\d) [A-Z]{2,}\b", ""),
        (r"\b[A-Z]\w*\(\s*(\w+)\s*\)(?=\s*\()", r"\1"),
        (_PROTOTYPE, r"\1"),
        (_SPECIFIER, ""),
        (_MODIFIER, r"\1 "),
    ),
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(C)

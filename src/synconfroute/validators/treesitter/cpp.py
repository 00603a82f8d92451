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
    bad_directive=(
        r"\s*#\s*(?!(?:include(?:_next)?|define|undef|if|ifn?def|el(?:se|if|ifn?def)|endif|pragma"
        r"|error|warning|line|import|embed)\b)[a-z]"
        r"|\s*#\s*include(?:_next)?\b\s*(?:<[^>]*|\"[^\"]*|[^<\"\s][^(]*[>\"]\s*)$"
        r"|\s*#\s*include(?:_next)?\b\s*(?:<[^>]*>|\"[^\"]*\")\s*[)\]}]"
        r"|\s*#\s*(?:ifn?def\s+\w+|else|endif)\s*[()\[\]{}]"
    ),
    starters=frozenset({"++", "--", "*", "&", "~", "::", "!", "-"}),
    types=frozenset({"class", "struct", "union", "enum"}),
    tails={"try": " catch (...) {}", "do": " while (x);", "typedef": " x;"},
    fillers=("", "x", "x x", "x : x", "x() {}", "x> x", "class x> void f()", "class x> class A {}"),
    strung=frozenset({"<<", "&&", "||", "+"}),
    follow=(
        "",
        "{;}",
        "{} catch (...) {}",
        "{} while (x);",
        " void f() {}",
        " void f();",
        " class A {};",
    ),
    ended=frozenset({"=", "return", "class", "struct", "union", "enum"}),
    final="endl|ends|flush",
    openers=frozenset({"inline", "constexpr", "explicit", "static", "virtual", "typedef"}),
    modifiers=frozenset({"inline", "constexpr", "explicit", "::", "~"}),
    gaps=(
        (r"\b(class|struct|union|enum)\s+[A-Z][A-Z0-9_]+(?:\([^()]*\))?\s+(?=\w)", r"\1 "),
        (r"(?<=[.>])\s*operator\s*(?:\(\)|\[\]|[^\s\w(]+)", "f"),
        (r"\btypeid\s*\([\w\s:*&]*\)", "x"),
        (r"([=(]|\breturn)\s*typename\b", r"\1"),
        (r"::template\b", "::"),
        (r"(\b(?:typedef|using)\b[^;{}\n]*\))\s*&{0,2}\s*noexcept\b", r"\1"),
    ),
    macros=r"_*[A-Z][A-Z0-9_]{2,}|__\w+|emit|foreach|forever|slots",
)


def session() -> TreeSitterSession:
    """A new session."""
    return TreeSitterSession(CPP)

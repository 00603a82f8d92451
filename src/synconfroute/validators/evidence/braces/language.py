"""What must be known of a language to find jumps in it: a description, no code."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from synconfroute.validators.evidence.braces.go import GO
from synconfroute.validators.evidence.braces.javascript import JAVASCRIPT
from synconfroute.validators.evidence.braces.rust import RUST
from synconfroute.validators.evidence.braces.scoping import Scoping

_JUMPS = frozenset(("return_statement", "throw_statement", "break_statement", "continue_statement"))
_FILLERS = frozenset(("break_statement", "continue_statement", "empty_statement", ";"))


@dataclass(frozen=True, slots=True)
class Names:
    """How a language's variables are told, where a file's own text can tell all of them.

    Attributes:
        variable: the node of a variable.
        local: which names can only be variables.
        others: nodes, with the field ("" for any) in which such a node is no use of a variable.
        before: what stands before a name that is declared, and
        after: what stands behind it there.
        parameter: what stands behind a parameter without a type.
        elsewhere: signs that names may come from outside the file.
    """

    variable: str
    local: re.Pattern[str]
    others: Mapping[str, str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    parameter: re.Pattern[str]
    elsewhere: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Braces:
    """One language. Node types are those of its grammar.

    Attributes:
        package: the Python package of the grammar.
        head: what makes statements a program, before them; on one line.
        tail: the same behind them.
        loader: the package's function that gives the grammar.
        blocks: nodes whose children are statements.
        jumps: statements behind which nothing runs.
        wrappers: statements that hold one expression, which may be a jump.
        choices: statements that run one of two blocks.
        fillers: what may stand behind a jump all the same: other jumps, labels, declarations that
            count in the whole block.
        names: how variables are told by the look of their declarations; None where they are not.
        scoping: how names are bound, where they are told by scopes; else None.
    """

    package: str
    head: str
    tail: str
    loader: str = "language"
    blocks: frozenset[str] = frozenset(("block",))
    jumps: frozenset[str] = _JUMPS
    wrappers: frozenset[str] = frozenset(("expression_statement",))
    choices: frozenset[str] = frozenset(("if_statement",))
    fillers: frozenset[str] = _FILLERS | {"labeled_statement"}
    names: Names | None = None
    scoping: Scoping | None = None


_C_JUMPS = _JUMPS | {"goto_statement", "co_return_statement"}
_C_FILLERS = _FILLERS | {"labeled_statement", "case_statement", "goto_statement"}
_JAVASCRIPT_FILLERS = _FILLERS | {
    *("labeled_statement", "function_declaration", "generator_function_declaration"),
    *("class_declaration", "interface_declaration"),
    *("type_alias_declaration", "enum_declaration", "function_signature"),
}


_JAVA_NAMES = Names(
    variable="identifier",
    local=re.compile(r"[a-z]\w*"),
    others={
        "annotation": "",
        "break_statement": "",
        "catch_formal_parameter": "",
        "class_declaration": "",
        "compact_constructor_declaration": "",
        "constructor_declaration": "",
        "continue_statement": "",
        "element_value_pair": "key",
        "enhanced_for_statement": "name",
        "enum_constant": "",
        "enum_declaration": "",
        "field_access": "",
        "formal_parameter": "",
        "inferred_parameters": "",
        "instanceof_expression": "name",
        "interface_declaration": "",
        "labeled_statement": "",
        "lambda_expression": "parameters",
        "marker_annotation": "",
        "method_declaration": "",
        "method_invocation": "name",
        "method_reference": "",
        "record_declaration": "",
        "record_pattern": "",
        "record_pattern_component": "",
        "resource": "name",
        "scoped_identifier": "",
        "switch_label": "",
        "type_pattern": "",
        "variable_declarator": "name",
        "yield_statement": "",
    },
    # Behind a type or a comma, or before an arrow: too many rather than too few.
    before=re.compile(
        r"(?:\b(?!(?:return|throw|assert|case|else|yield|in)\b)[\w$]+\s+|[>\]?]\s*|\.\.\.\s*|,\s*)\Z"
    ),
    after=re.compile(r"\s*(?:/\*[^/]*\*/\s*)?(?:[=;,:)\[]|&&|\|\||->)"),
    parameter=re.compile(r"\s*(?:,[^()\n]*\)\s*)?->"),
    elsewhere=tuple(
        re.compile(pattern)
        for pattern in (
            r"extends\b",
            r"implements\b",
            r"lombok\b",
            r"import\s+static\b[^;\n]*\*",
            r"new\s[^;{}\n]*\)\s*\{",
        )
    ),
)


def _c(package: str) -> Braces:
    return Braces(
        package,
        "void f() {",
        "}",
        blocks=frozenset(("compound_statement",)),
        jumps=_C_JUMPS,
        fillers=_C_FILLERS,
    )


def _javascript(package: str, loader: str = "language") -> Braces:
    return Braces(
        package,
        "async function* f() {",
        "}",
        loader=loader,
        blocks=frozenset(("statement_block",)),
        fillers=_JAVASCRIPT_FILLERS,
        scoping=JAVASCRIPT,
    )


BRACES: Mapping[str, Braces] = {
    "c": _c("tree_sitter_c"),
    "cpp": _c("tree_sitter_cpp"),
    "csharp": Braces(
        "tree_sitter_c_sharp",
        "class A { async void F() {",
        "} }",
        fillers=_FILLERS | {"labeled_statement", "local_function_statement"},
    ),
    "go": Braces(
        "tree_sitter_go",
        "package p; func f() {",
        "}",
        blocks=frozenset(("block", "statement_list")),
        jumps=_JUMPS | {"goto_statement"},
        scoping=GO,
    ),
    "java": Braces(
        "tree_sitter_java",
        "class A { void f() {",
        "} }",
        fillers=_FILLERS | {"labeled_statement", "class_declaration", "record_declaration"},
        names=_JAVA_NAMES,
    ),
    "javascript": _javascript("tree_sitter_javascript"),
    "javascriptreact": _javascript("tree_sitter_javascript"),
    "rust": Braces(
        "tree_sitter_rust",
        "fn f() {",
        "}",
        jumps=frozenset(("return_expression", "break_expression", "continue_expression")),
        choices=frozenset(("if_expression",)),
        fillers=frozenset(
            (
                *("break_expression", "continue_expression", "empty_statement", "const_item"),
                *("function_item", "struct_item", "enum_item", "impl_item", "use_declaration"),
                *("macro_definition", "static_item", "trait_item", "type_item"),
            )
        ),
        scoping=RUST,
    ),
    "typescript": _javascript("tree_sitter_typescript", "language_typescript"),
    "typescriptreact": _javascript("tree_sitter_typescript", "language_tsx"),
}
"""By LSP language id."""

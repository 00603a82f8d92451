"""How each grammar of tree-sitter names definitions, bodies, and what is nobody else's business."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """What of a syntax tree is a definition.

    Attributes:
        package: the package of the grammar.
        function: the function in it that gives the language.
        holders: nodes in which definitions stand, as in a namespace.
        defined: definitions.
        bodies: what carries a definition out.
        instead: what stands where a body was.
        values: initial values, left out where they are long.
        hidden: nodes that are left out.
    """

    package: str
    function: str
    holders: frozenset[str]
    defined: frozenset[str]
    bodies: frozenset[str]
    instead: str
    values: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_C = Grammar(
    "tree_sitter_c",
    "language",
    _set("translation_unit preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification"
         " declaration_list"),
    _set("declaration function_definition type_definition struct_specifier enum_specifier"
         " union_specifier preproc_def preproc_function_def"),
    _set("compound_statement"),
    ";",
    _set("initializer_list"),
)  # fmt: skip
_CPP = Grammar(
    "tree_sitter_cpp",
    "language",
    _C.holders | {"namespace_definition"},
    _C.defined | _set("class_specifier template_declaration alias_declaration concept_definition"),
    _C.bodies | _set("field_initializer_list try_statement"),
    ";",
    _C.values,
    _set("friend_declaration"),
)
_GO = Grammar(
    "tree_sitter_go",
    "language",
    _set("source_file"),
    _set("function_declaration method_declaration type_declaration const_declaration"
         " var_declaration"),
    _set("block"),
    "",
    _set("literal_value"),
)  # fmt: skip
_JAVA = Grammar(
    "tree_sitter_java",
    "language",
    _set("program"),
    _set("class_declaration interface_declaration enum_declaration record_declaration"
         " annotation_type_declaration"),
    _set("block constructor_body"),
    ";",
    _set("array_initializer"),
    _set("static_initializer"),
)  # fmt: skip
_JAVASCRIPT = Grammar(
    "tree_sitter_javascript",
    "language",
    _set("program"),
    _set("export_statement function_declaration generator_function_declaration class_declaration"
         " lexical_declaration variable_declaration"),
    _set("statement_block"),
    "{}",
    _set("object array template_string"),
    _set("class_static_block"),
)  # fmt: skip
_TYPESCRIPT = Grammar(
    "tree_sitter_typescript",
    "language_typescript",
    _JAVASCRIPT.holders | {"internal_module", "module"},
    _JAVASCRIPT.defined
    | _set("interface_declaration type_alias_declaration enum_declaration function_signature"
           " abstract_class_declaration ambient_declaration"),
    _JAVASCRIPT.bodies,
    "{}",
    _JAVASCRIPT.values,
    _JAVASCRIPT.hidden,
)  # fmt: skip
_TSX = Grammar(
    _TYPESCRIPT.package,
    "language_tsx",
    _TYPESCRIPT.holders,
    _TYPESCRIPT.defined,
    _TYPESCRIPT.bodies,
    "{}",
    _TYPESCRIPT.values,
    _TYPESCRIPT.hidden,
)
_RUST = Grammar(
    "tree_sitter_rust",
    "language",
    _set("source_file"),
    _set("struct_item enum_item union_item trait_item impl_item function_item const_item"
         " static_item type_item"),
    _set("block"),
    ";",
    _set("array_expression"),
    _set("attribute_item"),
)  # fmt: skip

GRAMMARS = {
    "c": _C,
    "cpp": _CPP,
    "go": _GO,
    "java": _JAVA,
    "javascript": _JAVASCRIPT,
    "javascriptreact": _JAVASCRIPT,
    "rust": _RUST,
    "typescript": _TYPESCRIPT,
    "typescriptreact": _TSX,
}
"""By LSP language id."""

"""Names in Rust. What stands in a macro call is no code until it has run, and counts as nothing."""

import re

from synconfroute.validators.evidence.braces.scoping import ANY, Reach, Scoping

_NONE = frozenset[str]()
_FUNCTIONS = ("function_item", "closure_expression", "function_signature_item")
# The Rust Reference: Keywords. Names of the primitive types stand where variables do not.
_KNOWN = """
_ abstract as async await become box break const continue crate do dyn else enum extern false
final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self
static struct super trait true try type typeof union unsafe unsized use virtual where while yield
alloc core std bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize
"""
_VARIABLE = re.compile(r"[a-z][a-z0-9_]*")

RUST = Scoping(
    leaves=("identifier", "shorthand_field_identifier"),
    patterns={
        "tuple_pattern": _NONE,
        "tuple_struct_pattern": frozenset(("type",)),
        "struct_pattern": frozenset(("type",)),
        "field_pattern": _NONE,
        "or_pattern": _NONE,
        "ref_pattern": _NONE,
        "mut_pattern": _NONE,
        "reference_pattern": _NONE,
        "captured_pattern": _NONE,
        "slice_pattern": _NONE,
        "match_pattern": frozenset(("condition",)),
        "parameter": frozenset(("type",)),
        "parameters": _NONE,
        "closure_parameters": _NONE,
        "use_list": _NONE,
        "scoped_use_list": _NONE,
        "use_as_clause": _NONE,
        "scoped_identifier": _NONE,
    },
    binders={
        "let_declaration": {"pattern": Reach.BLOCK},
        "let_condition": {"pattern": Reach.BLOCK},
        "for_expression": {"pattern": Reach.ITSELF},
        "match_arm": {"pattern": Reach.ITSELF},
        "closure_expression": {"parameters": Reach.ITSELF},
        "function_item": {"name": Reach.FILE, "parameters": Reach.ITSELF},
        "function_signature_item": {"name": Reach.FILE, "parameters": Reach.ITSELF},
        "function_type": {"parameters": Reach.ITSELF},
        "const_item": {"name": Reach.FILE},
        "const_parameter": {"name": Reach.FILE},
        "static_item": {"name": Reach.FILE},
        "mod_item": {"name": Reach.FILE},
        "use_declaration": {"*": Reach.FILE},
        "extern_crate_declaration": {"*": Reach.FILE},
        "macro_definition": {"name": Reach.FILE},
        "enum_variant": {"name": Reach.FILE},
    },
    others={
        "attribute": ANY,
        "call_expression": frozenset(("function",)),
        "generic_function": ANY,
        "label": ANY,
        "lifetime": ANY,
        "macro_invocation": ANY,
        "range_pattern": ANY,
        "scoped_identifier": ANY,
        "scoped_type_identifier": ANY,
        "struct_expression": ANY,
        "token_tree": ANY,
        "token_tree_pattern": ANY,
        "token_repetition": ANY,
        "token_repetition_pattern": ANY,
        "tuple_struct_pattern": frozenset(("type",)),
        "visibility_modifier": ANY,
    },
    scopes=frozenset(
        (
            *("source_file", "block", "if_expression", "while_expression", "match_arm"),
            *("for_expression", "declaration_list"),
            *_FUNCTIONS,
        )
    ),
    functions=frozenset(("source_file", *_FUNCTIONS)),
    loose=False,
    ordered=True,
    told=_VARIABLE,
    told_written=_VARIABLE,
    writers={},
    word=re.compile(r"(?<![\w':])(?<!(?<!\.)\.)[a-z]\w*(?![\w(:!])"),
    declared=re.compile(r"\blet\s+(?:mut\s+)?(\w+)|\|(\w+)\||\bfor\s+(\w+)\s+in\b"),
    known=frozenset(_KNOWN.split()),
    closed=re.compile(
        r"(?:pub(?:\([^)\n]*\))?\s+)?(?:(?:async|const|default|unsafe|extern(?:\s+\"[^\"\n]*\")?)\s+)*"
        r"(?:fn|impl|trait|struct|enum|mod|union|macro_rules!)(?:\b|[\s<])"
    ),
    elsewhere=tuple(
        re.compile(pattern)
        for pattern in (r"::\*", r"\*,", r"\*\s*\}", r"include!", r"macro_use\b")
    ),
)

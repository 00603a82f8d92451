"""Names in Go.

A package's other files may bind any name that a function does not. A name counts only where its use
shows a variable, not a function, a package or a field, and where it is too short for a package's,
or one word that the function around gives a value.
"""

import re

from synconfroute.validators.evidence.braces.scoping import ANY, Reach, Scoping

_NONE = frozenset[str]()
_OF_FUNCTION = dict.fromkeys(("parameters", "receiver", "result", "type_parameters"), Reach.ITSELF)
_FUNCTIONS = ("function_declaration", "method_declaration", "func_literal")

# The Go Programming Language Specification: Keywords, Predeclared identifiers.
_KNOWN = """
break case chan const continue default defer else fallthrough for func go goto if import interface
map package range return select struct switch type var
_ any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil append cap clear close
complex copy delete imag len make max min new panic print println real recover
"""

GO = Scoping(
    leaves=("identifier",),
    patterns={
        "expression_list": _NONE,
        "parameter_declaration": frozenset(("type",)),
        "variadic_parameter_declaration": frozenset(("type",)),
        "type_parameter_declaration": frozenset(("type",)),
        "parameter_list": _NONE,
        "type_parameter_list": _NONE,
    },
    binders={
        "short_var_declaration": {"left": Reach.BLOCK},
        "range_clause": {"left": Reach.BLOCK},
        "receive_statement": {"left": Reach.BLOCK},
        "type_switch_statement": {"alias": Reach.ITSELF},
        "var_spec": {"name": Reach.BLOCK},
        "const_spec": {"name": Reach.BLOCK},
        "import_spec": {"*": Reach.FILE},
        "function_type": {"parameters": Reach.ITSELF, "result": Reach.ITSELF},
        "method_elem": {"parameters": Reach.ITSELF, "result": Reach.ITSELF},
        "func_literal": _OF_FUNCTION,
        "method_declaration": _OF_FUNCTION,
        "function_declaration": {"name": Reach.FILE, **_OF_FUNCTION},
    },
    others={
        "call_expression": frozenset(("function",)),
        "selector_expression": ANY,
        "keyed_element": ANY,
        "literal_element": ANY,
        "type_instantiation_expression": ANY,
    },
    scopes=frozenset(
        (
            *("source_file", "block", "if_statement", "for_statement"),
            *("expression_switch_statement", "type_switch_statement", "communication_case"),
            *("expression_case", "type_case", "default_case"),
            *_FUNCTIONS,
        )
    ),
    functions=frozenset(("source_file", *_FUNCTIONS)),
    loose=True,
    ordered=True,
    told=re.compile(r"[a-z][a-z0-9]?"),
    told_written=re.compile(r"[a-z][a-z0-9]*"),
    writers={
        "assignment_statement": frozenset(("left",)),
        "inc_statement": frozenset(("",)),
        "dec_statement": frozenset(("",)),
    },
    word=re.compile(r"(?<![\w.])[a-z]\w*(?![\w.(:])"),
    declared=re.compile(r"\bvar\s+(\w+)|\b(\w+)(?:, \w+)?\s*:=|, (\w+)\s*:="),
    known=frozenset(_KNOWN.split()),
    closed=re.compile(r"(?:func|type)\b"),
    elsewhere=(re.compile(r"\. +[\"`]"),),
)

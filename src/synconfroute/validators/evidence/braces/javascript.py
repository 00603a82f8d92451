"""Names in JavaScript and TypeScript."""

import re

from synconfroute.validators.evidence.braces.scoping import ANY, Reach, Scoping

_NONE = frozenset[str]()
_OF_FUNCTION = {"parameters": Reach.ITSELF}
_FUNCTIONS = (
    *("function_expression", "arrow_function", "method_definition", "generator_function"),
    *("function_declaration", "generator_function_declaration"),
)
_SIGNATURES = (
    *("function_type", "constructor_type", "call_signature", "construct_signature"),
    *("method_signature", "abstract_method_signature", "function_signature"),
)

# Classes may be the browser's; handlers of its events begin with "on".
_VARIABLE = re.compile(r"(?!on[a-z]+\Z)[a-z][A-Za-z0-9_]*")

_KEYWORDS = """
abstract any as async await break case catch class const continue debugger declare default delete
do else enum export extends false finally for from function get if implements import in infer
instanceof interface is keyof let new null number of override private protected public readonly
return satisfies set static string super switch this throw true try type typeof unique unknown var
void while yield
"""

# Of the language, of browsers (every `declare var` and `declare function` of TypeScript's own
# lib.es5, lib.dom and lib.webworker that begins with a small letter, `on…` apart), of Node.js
# (globalThis and the names of a CommonJS module), and of test runners.
_KNOWN = """
addEventListener alert arguments atob blur btoa caches cancelAnimationFrame cancelIdleCallback
captureEvents clearInterval clearTimeout clientInformation close closed confirm console cookieStore
createImageBitmap crossOriginIsolated crypto customElements decodeURI decodeURIComponent
devicePixelRatio dispatchEvent document encodeURI encodeURIComponent escape eval event external
fetch find focus fonts frameElement frames getComputedStyle getSelection globalThis history
importScripts indexedDB innerHeight innerWidth isFinite isNaN isSecureContext length localStorage
location locationbar matchMedia menubar moveBy moveTo name navigator open opener orientation origin
originAgentCluster outerHeight outerWidth pageXOffset pageYOffset parent parseFloat parseInt
performance personalbar postMessage print prompt queueMicrotask releaseEvents removeEventListener
reportError requestAnimationFrame requestIdleCallback resizeBy resizeTo screen screenLeft screenTop
screenX screenY scroll scrollBy scrollTo scrollX scrollY scrollbars self sessionStorage setInterval
setTimeout speechSynthesis status statusbar stop structuredClone toString toolbar top undefined
unescape visualViewport window clients registration skipWaiting scheduler trustedTypes navigation

async_hooks assert buffer child_process clearImmediate cluster constants dgram dns domain events
exports fs global http http2 https inspector module net os path perf_hooks process punycode
querystring readline repl require setImmediate stream string_decoder sys timers tls tty url util v8
vm wasi worker_threads zlib define

after afterAll afterEach assert before beforeAll beforeEach benchmark context cy describe expect
expectTypeOf fail fdescribe fit it jasmine jest mocha pending run setup should sinon specify spyOn
suite suiteSetup suiteTeardown teardown test vi vitest waits xcontext xdescribe xit xspecify xtest
"""

JAVASCRIPT = Scoping(
    leaves=("identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern"),
    patterns={
        "variable_declarator": frozenset(("value", "type")),
        "object_pattern": _NONE,
        "array_pattern": _NONE,
        "pair_pattern": frozenset(("key",)),
        "rest_pattern": _NONE,
        "assignment_pattern": frozenset(("right",)),
        "object_assignment_pattern": frozenset(("right",)),
        "formal_parameters": _NONE,
        "required_parameter": frozenset(("value", "type", "decorator", "name")),
        "optional_parameter": frozenset(("value", "type", "decorator", "name")),
    },
    binders={
        "lexical_declaration": {"*": Reach.BLOCK},
        "variable_declaration": {"*": Reach.FUNCTION},
        "for_in_statement": {"left": Reach.ITSELF},
        "catch_clause": {"parameter": Reach.ITSELF},
        "class": {"name": Reach.ITSELF},
        "class_declaration": {"name": Reach.BLOCK},
        "enum_declaration": {"name": Reach.BLOCK},
        "import_statement": {"*": Reach.FILE},
        "import_clause": {"*": Reach.FILE},
        "import_specifier": {"*": Reach.FILE},
        "import_alias": {"*": Reach.FILE},
        "import_require_clause": {"*": Reach.FILE},
        "namespace_import": {"*": Reach.FILE},
        "internal_module": {"name": Reach.FILE},
        **dict.fromkeys((*_FUNCTIONS, *_SIGNATURES), _OF_FUNCTION),
        "arrow_function": {"parameter": Reach.ITSELF, **_OF_FUNCTION},
        "function_expression": {"name": Reach.ITSELF, **_OF_FUNCTION},
        "generator_function": {"name": Reach.ITSELF, **_OF_FUNCTION},
        "function_declaration": {"name": Reach.FUNCTION, **_OF_FUNCTION},
        "function_signature": {"name": Reach.FUNCTION, **_OF_FUNCTION},
        "generator_function_declaration": {"name": Reach.FUNCTION, **_OF_FUNCTION},
    },
    others={
        "assignment_expression": frozenset(("left",)),
        "enum_assignment": ANY,
        "enum_body": ANY,
        "export_specifier": ANY,
        "index_signature": ANY,
        "jsx_closing_element": ANY,
        "nested_type_identifier": ANY,
        "required_parameter": frozenset(("name",)),
        "optional_parameter": frozenset(("name",)),
        "type_predicate": ANY,
        "type_query": ANY,
        "mapped_type_clause": ANY,
    },
    scopes=frozenset(
        (
            *("program", "statement_block", "for_statement", "switch_body", "class_static_block"),
            *_FUNCTIONS,
        )
    ),
    functions=frozenset(("program", "class_static_block", *_FUNCTIONS)),
    loose=True,
    ordered=False,
    told=_VARIABLE,
    told_written=_VARIABLE,
    writers={"assignment_expression": frozenset(("left",))},
    components=frozenset(("jsx_opening_element", "jsx_self_closing_element")),
    word=re.compile(r"(?<![\w$#@])(?<!(?<!\.\.)\.)[a-zA-Z]\w*(?![\w$:]|=(?![=>]))"),
    declared=re.compile(r"\b(?:const|let|var|function|class)\s+(\w+)|\b(\w+)\s*=>"),
    known=frozenset((*_KEYWORDS.split(), *_KNOWN.split())),
    closed=re.compile(
        r"(?:export\s+)?(?:default\s+)?(?:abstract\s+|async\s+)*(?:function|class|interface|enum)\b"
        r"|(?:export\s+)?(?:const|let|var)\s+[\w$]+[^\n=,]*=[^\n]*[{(\[>][ \t]*$"
        r"|(?!(?:export|import|const|let|var|declare|if|try|for|while|do|switch)\b)"
        r"[\w$.!('\"]+[^\n]*[{(\[>][ \t]*$"
    ),
    elsewhere=tuple(
        re.compile(pattern)
        for pattern in (
            r"with\s*\(",
            r"eval\s*\(",
            r"/\*\s*(?:globals?|exported)\b",
            r"///\s*<reference",
            r"declare\s+global\b",
            r"namespace\s+[\w$.]+\s*\{",
            r"module\s+[\w$.'\"]+\s*\{",
        )
    ),
)
"""For TypeScript with and without JSX, too: their grammars know more nodes by these names."""

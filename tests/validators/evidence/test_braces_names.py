"""Names that a completion uses, or leaves the code below without, by the scopes of a language."""

import importlib.util
from pathlib import Path

import pytest

from synconfroute.validators.evidence.braces.language import BRACES
from synconfroute.validators.evidence.braces.witness import BracesWitness
from synconfroute.validators.insertion import Insertion
from tests.validators.evidence.marked import evidence, found

SOURCES = Path(__file__).parents[1] / "languages" / "sources"


def told(language: str, buffer: str) -> list[tuple[str, int]]:
    """Evidence about names; skips where the grammar is not installed."""
    if importlib.util.find_spec(BRACES[language].package) is None:
        pytest.skip(f"the grammar of {language} is not installed")
    kinds = ("name", "missing")
    return [each for each in found(buffer, BracesWitness(language)) if each[0] in kinds]


JAVASCRIPT = {
    "used": ("function f(a) {\n«  return totl;\n»}\n", [("name", 2)]),
    "a local of another function": (
        "function f(a) {\n«  return total;\n»}\n\nfunction g() {\n  let total = 1;\n"
        "  return total;\n}\n",
        [("name", 2)],
    ),
    "a loop's own": (
        "const f = (a) => {\n  for (let i = 0; i < a; i++) {\n    g(i);\n  }\n«  return i;\n»};\n",
        [("name", 5)],
    ),
    "a block's own": (
        "function f(a) {\n  if (a) {\n    const b = a;\n    g(b);\n  }\n«  return b;\n»}\n",
        [("name", 6)],
    ),
    "a header that binds another": (
        "function f(a) {\n«  for (const y of a) {\n»    g(x);\n  }\n}\n",
        [("missing", 3)],
    ),
    "a sum without a beginning": (
        "function f(a) {\n«  let seen = [];\n»  a.forEach((x) => {\n    total += x;\n  });\n"
        "  return seen;\n}\n",
        [("missing", 4)],
    ),
    "a shorthand property": ("function f(a) {\n«  return { a, b };\n»}\n", [("name", 2)]),
    "destructured with another name": (
        "function f(a) {\n«  const { x: y } = a;\n»  return x + y;\n}\n",
        [("missing", 3)],
    ),
    "a word in quotes declares nothing": (
        "function f(a) {\n  g('let total');\n  if (a) {\n    h();\n  }\n«  return toal;\n»}\n",
        [("name", 6)],
    ),
}

GO = {
    "a short name": ("func f(a []int) int {\n«    return n\n»}\n", [("name", 2)]),
    "a header that binds another": (
        "func f(a []int) int {\n    t := 0\n«    for _, y := range a {\n»        t += x\n    }\n"
        "    return t\n}\n",
        [("missing", 4)],
    ),
    "a word that the function gives a value": (
        "func f(a []int) int {\n«    seen := 0\n»    for _, x := range a {\n        total += x\n"
        "    }\n    return seen\n}\n",
        [("missing", 4)],
    ),
    "declared in a block": (
        "func f(a int) int {\n    if b := a; b > 1 {\n        g(b)\n    }\n«    return b\n»}\n",
        [("name", 5)],
    ),
}

RUST = {
    "used": ("fn f(a: i32) -> i32 {\n«    totl\n»}\n", [("name", 2)]),
    "a header that binds another": (
        "fn f(a: &[i32]) {\n«    for y in a {\n»        g(x);\n    }\n}\n",
        [("missing", 3)],
    ),
    "before its declaration": (
        "fn f(a: i32) -> i32 {\n«    g(b);\n»    let b = a;\n    b\n}\n",
        [("name", 2)],
    ),
    "a closure's own": (
        "fn f(a: i32) -> i32 {\n    let g = |x: i32| x + 1;\n«    g(y)\n»}\n",
        [("name", 3)],
    ),
    "a pattern of another arm": (
        "fn f(a: Option<i32>) -> i32 {\n    match a {\n        Some(b) => b,\n"
        "«        None => c,\n»    }\n}\n",
        [],
    ),
}


@pytest.mark.parametrize("language", ["javascript", "typescript", "typescriptreact"])
@pytest.mark.parametrize(("buffer", "expected"), JAVASCRIPT.values(), ids=JAVASCRIPT.keys())
def test_a_variable_that_nothing_declares_is_found(
    language: str, buffer: str, expected: list[tuple[str, int]]
) -> None:
    """In JavaScript and TypeScript: with the line that uses or needs it."""
    assert told(language, buffer) == expected


@pytest.mark.parametrize(("buffer", "expected"), GO.values(), ids=GO.keys())
def test_a_variable_of_go_that_no_other_file_can_declare_is_found(
    buffer: str, expected: list[tuple[str, int]]
) -> None:
    """It is short, or one word that the function itself gives a value."""
    assert told("go", buffer) == expected


@pytest.mark.parametrize(("buffer", "expected"), RUST.values(), ids=RUST.keys())
def test_a_variable_of_rust_that_nothing_declares_is_found(
    buffer: str, expected: list[tuple[str, int]]
) -> None:
    """A name counts from its declaration on."""
    assert told("rust", buffer) == expected


def test_a_component_that_nothing_imports_is_found() -> None:
    """A name in JSX that begins with a capital; a small one is an element of HTML."""
    assert told(
        "typescriptreact", "export function F() {\n«  return <Foo><div /></Foo>;\n»}\n"
    ) == [("name", 2)]


SILENT = {
    "hoisted": ("javascript", "function f() {\n«  return g();\n»  function g() {}\n}\n"),
    "var of an inner block": (
        "javascript",
        "function f(a) {\n  if (a) {\n    var b = 1;\n  }\n«  return b;\n»}\n",
    ),
    "destructured": (
        "javascript",
        "function f({ a, b: [c, ...d] }, e = a) {\n"
        "  const {\n    g,\n    h: i,\n    ...j\n  } = e;\n"
        "«  return [a, c, d, e, g, i, j];\n»}\n",
    ),
    "imported": (
        "javascript",
        "import a, { b as c } from 'x';\nimport * as d from 'y';\nimport {\n  e,\n} from 'z';\n\n"
        "function f() {\n«  return [a, c, d, e];\n»}\n",
    ),
    "caught": ("javascript", "function f() {\n  try {\n  } catch (e) {\n«    g(e);\n»  }\n}\n"
    "function g() {}\n"),
    "a class": ("javascript", "function f() {\n«  return new A();\n»}\nclass A {}\n"),
    "of the browser": ("javascript", "function f() {\n«  return window.x(document, onload);\n»}\n"),
    "of Node.js": ("javascript", "function f() {\n«  return require(module, process);\n»}\n"),
    "of a test runner": ("javascript", "describe('x', () => {\n«  it('y', expect);\n»});\n"),
    "a label": ("javascript", "function f(a) {\n  outer: for (;;) {\n«    break outer;\n»  }\n}\n"),
    "declared in a comment": (
        "javascript",
        "/* global total */\nfunction f() {\n«  return total;\n»}\n",
    ),
    "with": ("javascript", "function f(a) {\n  with (a) {\n«    g(total);\n»  }\n}\n"),
    "a global that the function makes": (
        "javascript",
        "function f(a) {\n«  g(a);\n»  for (i = 0; i < a; i++) {\n    g(i);\n  }\n}\n"
        "function g() {}\n",
    ),
    "used by another function, too": (
        "javascript",
        "function f() {\n  return total;\n}\n\nfunction g() {\n«  return total;\n»}\n",
    ),
    "names to import": ("javascript", "import {\n«  a,\n»  b,\n} from 'x';\n"),
    "a method": ("javascript", "class A {\n  f() {\n«    return this.g(super.h);\n»  }\n}\n"),
    "a property's key": ("javascript", "function f(a) {\n«  return { key: a.b?.c };\n»}\n"),
    "the file does not parse": ("javascript", "function f( {\n«  return total;\n»}\n"),
    "at the left margin": ("javascript", "«const a = total;\n»"),
    "a parameter's property": (
        "typescript",
        "class A {\n  constructor(private b: C) {\n«    g(b);\n»  }\n}\n"
        "function g(h: (i: number) => J) {}\n",
    ),
    "types": (
        "typescript",
        "function f<T>(a: T): a is U {\n«  const b: Map<V, W> = a as X;\n»  return b;\n}\n",
    ),
    "a namespace, which other files may widen": (
        "typescript",
        "namespace N {\n  function f() {\n«    return total;\n»  }\n}\n",
    ),
    "of another file of the package": ("go", "func f() int {\n«    return total + limit(a.B)\n»}\n"
    "var a = 1\n"),
    "a package's variable that gets a value": (
        "go",
        "func f(a int) {\n    if a > 1 {\n«        g(a)\n»        limit = a\n    }\n}\n",
    ),
    "several at once": (
        "go",
        "func f() (n int, err error) {\n    a, b := g()\n«    return a + b + n, err\n»}\n",
    ),
    "a switch's own": (
        "go",
        "func f(a any) {\n    switch b := a.(type) {\n    case int:\n«        g(b)\n»    }\n}\n",
    ),
    "dot import": ("go", 'import . "x"\n\nfunc f() int {\n«    return n\n»}\n'),
    "a package's variables": ("go", "var (\n«    x = &aa\n»    y = 1\n)\n"),
    "a star": ("rust", "use a::*;\n\nfn f() -> i32 {\n«    total\n»}\n"),
    "in a macro": ("rust", "fn f() {\n«    total!(a, b => c);\n»}\n"),
    "patterns": (
        "rust",
        "fn f((a, b): (i32, i32), A { c, d: e, .. }: A) {\n    let Some(g) = h() else { return };\n"
        "    if let B(i @ 1..=2, ref j) = c {\n«        h(a, b, c, e, g, i, j);\n»    }\n}\n",
    ),
    "a match's own": (
        "rust",
        "fn f(a: A) -> i32 {\n    match a {\n«        A { b, .. } | B(b) if b > 1 => b,\n»"
        "        _ => 1,\n    }\n}\n",
    ),
    "imported in the function": (
        "rust",
        "fn f() {\n    use a::{b, c as d};\n«    g(b, d);\n»}\n",
    ),
    "a lifetime": ("rust", "fn f() {\n«    let a: &'static str = \"\";\n»    g(a);\n}\n"),
}  # fmt: skip


@pytest.mark.parametrize(("language", "buffer"), SILENT.values(), ids=SILENT.keys())
def test_what_may_be_declared_is_not_told(language: str, buffer: str) -> None:
    """Evidence is silent where a rule of the language, or another file, may bind the name."""
    assert told(language, buffer) == []


def test_no_variable_stands_in_a_message() -> None:
    """Messages become provenance, which holds no source code."""
    if importlib.util.find_spec("tree_sitter_javascript") is None:
        pytest.skip("the grammar of javascript is not installed")
    buffer = "function f(a) {\n«  return hidden;\n»}\n"
    assert [each.message for each in evidence(buffer, BracesWitness("javascript"))] == [
        "Line 2 uses a variable that nothing in sight declares."
    ]


@pytest.mark.parametrize(
    "language",
    ["javascript", "javascriptreact", "typescript", "typescriptreact", "go", "rust"],
)
def test_no_line_of_a_real_file_is_told(language: str) -> None:
    """One to three lines taken out and put back; the files use what each grammar knows."""
    if importlib.util.find_spec(BRACES[language].package) is None:
        pytest.skip(f"the grammar of {language} is not installed")
    (source,) = SOURCES.glob(f"{language}.*")
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    witness = BracesWitness(language)
    for start in range(len(lines)):
        for end in range(start + 1, start + 4):
            above, below = "".join(lines[:start]), "".join(lines[end:])
            witness.update(above + below)
            assert witness.find(Insertion.of(above, "".join(lines[start:end]), below)) == ()

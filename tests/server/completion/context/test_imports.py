"""Where each language finds what a file imports, and what of it is shown."""

import pytest

from tests.server.completion.context.workspace import Tree

CASES: dict[str, tuple[dict[str, str], str, dict[str, str]]] = {
    "python: an absolute import below src/": (
        {
            "src/pack/__init__.py": "",
            "src/pack/tools.py": "LIMIT = 3\n\ndef cut(text: str, most: int) -> str:\n"
            "    return 1\n",
            "src/pack/app.py": "from pack.tools import cut\n\ncut(⟦⟧",
        },
        "src/pack/app.py",
        {"src/pack/tools.py:2": "def cut(text: str, most: int) -> str: ..."},
    ),
    "python: relative imports, with another name, over several lines": (
        {
            "pack/__init__.py": "",
            "pack/inner/__init__.py": "",
            "pack/base.py": "class Base(object):\n    size: int = 3\n    def run(self) -> None:\n"
            "        print('x')\n    def _own(self): pass\n",
            "pack/inner/near.py": "@cache\ndef near(a,\n         b): # why\n    return a\n",
            "pack/inner/app.py": "from ..base import (\n    Base as B,  # the base\n)\n"
            "from .near import near\nnear(B⟦⟧",
        },
        "pack/inner/app.py",
        {
            "pack/base.py:0": "class Base(object):\n    size: int = 3\n"
            "    def run(self) -> None: ...",
            "pack/inner/near.py:0": "@cache\ndef near(a,\n         b): ...",
        },
    ),
    "python: a module taken from its package, by a name behind a dot": (
        {
            "pack/__init__.py": "",
            "pack/shapes.py": "def area(r): return r\ndef unused(): pass\n",
            "app.py": "from pack import shapes\n\nshapes.area(⟦⟧",
        },
        "app.py",
        {"pack/shapes.py:0": "def area(r): ...", "pack/shapes.py:1": "def unused(): ..."},
    ),
    "python: what a package has from its own modules": (
        {
            "pack/__init__.py": "from .deep import Deep\n",
            "pack/deep.py": "class Deep:\n    def __init__(self, a: int) -> None:\n        pass\n",
            "app.py": "from pack import Deep\nDeep(⟦⟧",
        },
        "app.py",
        {"pack/deep.py:0": "class Deep:\n    def __init__(self, a: int) -> None: ..."},
    ),
    "java: an imported class and one of the same package, private members left out": (
        {
            "src/main/java/a/b/Ring.java": "package a.b;\npublic class Ring<T> {\n"
            "  private int at = 0;\n  /** Adds. */\n  public void add(T each) { at++; }\n}\n",
            "src/main/java/a/c/Near.java": "package a.c;\nclass Near { int f() { return 1; } }\n",
            "src/main/java/a/c/App.java": "package a.c;\nimport a.b.Ring;\nimport java.util.List;\n"
            "class App { Near n; void f() { Ring r = ⟦⟧",
        },
        "src/main/java/a/c/App.java",
        {
            "src/main/java/a/b/Ring.java:1": "public class Ring<T> {\n"
            "  public void add(T each);\n}",
            "src/main/java/a/c/Near.java:1": "class Near { int f(); }",
        },
    ),
    "java: a static member and a nested class lie in the file of their class": (
        {
            "a/Outer.java": "package a;\npublic class Outer { static int go() { return 1; }"
            " static class In {} }\n",
            "b/App.java": "package b;\nimport static a.Outer.go;\nimport a.Outer.In;\n"
            "class App { int x = go(⟦⟧",
        },
        "b/App.java",
        {"a/Outer.java:1": "public class Outer { static int go(); static class In {} }"},
    ),
    "c++: a header beside the file and one below include/, private members left out": (
        {
            "include/proj/far.hpp": "#pragma once\nnamespace proj {\nint far(int a, int b);\n}\n",
            "src/near.h": "#ifndef N\n#define N\nclass Near {\n public:\n  int get() const"
            " { return x_; }\n private:\n  int x_;\n};\n#endif\n",
            "src/app.cpp": '#include "near.h"\n#include <proj/far.hpp>\n#include <vector>\n'
            "int f() { Near n; return proj::far(⟦⟧",
        },
        "src/app.cpp",
        {
            "include/proj/far.hpp:2": "int far(int a, int b);",
            "src/near.h:2": "class Near {\n public:\n  int get() const;\n};",
        },
    ),
    "c: functions, types and macros of a header": (
        {
            "lib.h": "#define MOST 8\ntypedef struct { int a; } pair;\nint sum(pair *p, int n);\n",
            "app.c": '#include "lib.h"\nint f(pair *p) { return sum(p, MOST⟦⟧',
        },
        "app.c",
        {
            "lib.h:0": "#define MOST 8",
            "lib.h:1": "typedef struct { int a; } pair;",
            "lib.h:2": "int sum(pair *p, int n);",
        },
    ),
    "typescript: relative imports, an index, and what it exports from elsewhere": (
        {
            "src/lib/index.ts": "export { draw } from './draw';\n",
            "src/lib/draw.ts": "export function draw(x: number): void { print(x); }\n",
            "src/model.ts": "export interface Model { id: number }\nexport type Key = string;\n",
            "src/app.ts": "import { draw } from './lib';\nimport type { Model as M } from"
            " './model.js';\nconst m: M = draw(⟦⟧",
        },
        "src/app.ts",
        {
            "src/lib/draw.ts:0": "export function draw(x: number): void {}",
            "src/model.ts:0": "export interface Model { id: number }",
        },
    ),
    "javascript: require, whole and in parts": (
        {
            "lib.js": "function go(a) { return 1 }\nclass Ring { add(x) { return x } #p() {} }\n",
            "app.js": "const { go, Ring: R } = require('./lib');\ngo(new R⟦⟧",
        },
        "app.js",
        {"lib.js:0": "function go(a) {}", "lib.js:1": "class Ring { add(x) {}  }"},
    ),
    "go: a package of the same module, and the file's own package without tests": (
        {
            "go.mod": "module example.org/m\n\ngo 1.22\n",
            "store/store.go": "package store\n\nfunc Open(path string) error {\n\treturn nil\n}\n",
            "main.go": 'package main\n\nimport (\n\t"fmt"\n\t"example.org/m/store"\n)\n\n'
            "func main() { store.Open(limit()⟦⟧",
            "limit.go": "package main\n\nfunc limit() string { return `x` }\n",
            "limit_test.go": "package main\n\nfunc limitTest() {}\n",
        },
        "main.go",
        {
            "store/store.go:2": "func Open(path string) error",
            "limit.go:2": "func limit() string",
        },
    ),
    "rust: use trees of the own crate, super, and declared modules": (
        {
            "Cargo.toml": "[package]\n",
            "src/lib.rs": "pub mod shapes;\n",
            "src/shapes/mod.rs": "pub mod round;\npub const SIDES: u8 = 4;\n",
            "src/shapes/round.rs": "/// A circle.\npub struct Circle { pub r: f64 }\n"
            "impl Circle { pub fn area(&self) -> f64 { 1.0 } }\n",
            "src/shapes/app.rs": "use super::SIDES;\n"
            "use crate::shapes::{self, round::{Circle as C, Missing}};\n"
            "fn f(c: C) -> u8 { SIDES ⟦⟧",
        },
        "src/shapes/app.rs",
        {
            "src/shapes/mod.rs:1": "pub const SIDES: u8 = 4;",
            "src/shapes/round.rs:1": "pub struct Circle { pub r: f64 }",
            "src/shapes/round.rs:2": "impl Circle { pub fn area(&self) -> f64; }",
        },
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_imports_lead_to_definitions(name: str, tree: Tree) -> None:
    """What is imported is found in the workspace, and shown without bodies and comments."""
    files, asked, expected = CASES[name]
    for path, text in files.items():
        tree.write(path, text)
    assert tree.found(asked) == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.py", "import os\nfrom json import loads\nfrom . import nothing\nfrom .... import x\n"),
        ("a.py", "from  import\nimport\nfrom .(\nimport a..b\nfrom a import (b"),
        ("a.java", "import java.util.*;\nimport a;\nimport ;\npackage x.y.z;"),
        ("a.cpp", '#include <vector>\n#include "/etc/passwd"\n#include "../../x.h"\n#include ""'),
        ("a.ts", "import x from 'react';\nimport './';\nimport {a from './b';\nexport * from '.'"),
        ("a.go", 'package a\nimport "fmt"\nimport (\n"x"\n'),
        ("a.rs", "use std::{fmt, io};\nuse crate::{{{{a}}};\nuse super::super::super::super::x;"),
    ],
)
def test_imports_that_lead_nowhere_give_nothing(path: str, text: str, tree: Tree) -> None:
    """Libraries, files that are not there and half-written lines are passed over."""
    tree.write(path, text)
    assert tree.pieces(path) == []


@pytest.mark.parametrize("ending", [".rb", ".kt", ".md"])
def test_other_languages_import_nothing(ending: str, tree: Tree) -> None:
    """Where the imports cannot be read there are none."""
    from synconfroute.server.completion.context.candidates import Candidates
    from synconfroute.server.completion.context.question import Question

    file = tree.write(f"a{ending}", "require_relative 'b'\nimport b\n")
    tree.write("b.py", "def f(): pass\n")
    question = Question("ruby", str(file), "import b\n", "", (str(tree.root),))
    assert Candidates().pieces(question) == []

"""Names that a completion uses, or leaves the code below without."""

import pytest

from tests.validators.evidence.marked import evidence, found

_METHODS = "    def m(self):\n        return self\n\n" * 100


@pytest.mark.parametrize(
    ("buffer", "expected"),
    [
        pytest.param(
            "def f(a):\n«    return total\n»\n\ndef g():\n    total = 1\n    return total\n",
            [("name", 2)],
            id="local of another function",
        ),
        pytest.param(
            "def f(a):\n«    while a[i]:\n»        i = a[0]\n    return i\n",
            [("name", 2)],
            id="local without a value yet",
        ),
        pytest.param(
            "def f(a):\n    for x in a:\n«        y = y + x\n»    return y\n",
            [("name", 3)],
            id="its own first value needs it",
        ),
        pytest.param(
            "class A:\n    size = 3\n    def f(self):\n«        return size\n»",
            [("name", 4)],
            id="a class's name without self",
        ),
        pytest.param(
            "def f(a):\n    return [x for x in a] + «[x]\n»",
            [("name", 2)],
            id="a comprehension's own name",
        ),
        pytest.param(
            "def f(a):\n«    return sum(1 for c in a if i)\n»    for i in a:\n        print(i)\n",
            [("unreachable", 3), ("name", 2)],
            id="a generator that is read at once",
        ),
        pytest.param("x = 1\n«print(y)\n»", [("name", 2)], id="at the left margin"),
        pytest.param(
            f"class A:\n{_METHODS}    def f(self):\n«        return x\n»{_METHODS}",
            [("name", 303)],
            id="between the methods of a long class",
        ),
        pytest.param(
            "class A:\n«    def f(self) -> Missing:\n»        return 1\n",
            [("name", 2)],
            id="in an annotation",
        ),
    ],
)
def test_a_name_that_nothing_in_sight_defines_is_found(
    buffer: str, expected: list[tuple[str, int]]
) -> None:
    """It is told with the line that uses it."""
    assert found(buffer) == expected


@pytest.mark.parametrize(
    ("buffer", "line"),
    [
        pytest.param(
            "def f(a):\n«    for i in range(len(a)):\n»        print(i, elem)\n",
            3,
            id="an element that the header could bind",
        ),
        pytest.param(
            "def f(a):\n«    seen = []\n»    for x in a:\n        count += x\n    return count\n",
            4,
            id="an accumulator",
        ),
        pytest.param(
            "def f(a):\n«if __name__ == '__main__':\n»    return a\n",
            3,
            id="a parameter left behind",
        ),
        pytest.param(
            "def f(a):\n«    import os\n»    return hashlib.md5(a)\n",
            3,
            id="an import in the function",
        ),
        pytest.param("«def f(a):\n»    return a + b\n", 2, id="a parameter"),
    ],
)
def test_a_name_that_the_code_below_needs_is_found(buffer: str, line: int) -> None:
    """It is told with the line that needs it, where the text does not define it."""
    assert ("missing", line) in found(buffer)


SILENT = {
    "defined later in the module": "def f():\n«    return g()\n»\n\ndef g():\n    return 1\n",
    "defined at the end of a long file": "def f():\n«    return g()\n»\n"
    + "x = 1\n" * 500
    + "def g():\n    return 1\n",
    "bound in an earlier round": "def f(a):\n    for x in a:\n        if x:\n"
    "«            print(y)\n»        else:\n            y = x\n",
    "bound by walrus": "def f(a):\n    if (n := len(a)) > 1:\n«        return n\n»    return 0\n",
    "walrus in a comprehension": "def f(a):\n    if any((y := x) for x in a):\n"
    "«        return y\n»",
    "bound by except": "try:\n    pass\nexcept OSError as error:\n«    print(error)\n»",
    "bound by with": "def f(p):\n    with open(p) as (a, *b):\n«        return a, b\n»",
    "a star import": "from os.path import *\ndef f(a):\n«    return join(a, a)\n»",
    "globals() is written to": "globals()['x'] = 1\n\n\ndef f():\n«    return x\n»",
    "exec": "exec('x = 1')\n\n\ndef f():\n«    return x\n»",
    "a caught NameError": "def f():\n    try:\n«        return unicode\n»"
    "    except NameError:\n        return str\n",
    "a global of another function": "def f():\n    global state\n    state = 1\n\n\n"
    "def g():\n«    return state\n»",
    "nonlocal": "def f():\n    n = 0\n    def g():\n        nonlocal n\n«        n += 1\n»"
    "    return g\n",
    "used by the user already": "def f(a):\n    print(inherited)\n«    return inherited\n»",
    "used elsewhere without a definition": "def f():\n    return Import('env')\n\n\n"
    "def g():\n«    return Import('env')\n»",
    "match captures": "def f(a):\n    match a:\n        case [x, *rest] if x:\n"
    "«            return rest, x\n»        case {'k': v, **more}:\n            return v, more\n",
    "conditional import": "try:\n    import json\nexcept ImportError:\n    json = None\n\n\n"
    "def f():\n«    return json\n»",
    "a class's name in its own body": "class A:\n    size = 3\n«    double = size * 2\n»",
    "a class's name far above in its body": f"class A:\n    size = 3\n{_METHODS}"
    "«    double = size * 2\n»",
    "words in a comment": "def f(a):\n    # how «many words go here»\n    return a\n",
    "a class's name as a default": "class A:\n    size = 3\n    def f(\n        self,\n"
    "«        n=size,\n»    ):\n        return n\n",
    "a loop over a class's name": "class A:\n    sizes = [1]\n«    all = [x for x in sizes]\n»",
    "built in": "def f(self):\n«    return __class__, __name__, NotImplemented\n»",
    "a forward reference in quotes": "def f(a: 'Later') -> 'Later':\n«    return a\n»",
    "a list of names to import": "from os import (\n«    path,\n»)\n",
    "names to import behind a backslash": "from os import sep, \\\n«    path\n»",
    "a parameter's own line": "def f(\n«    a,\n»    b,\n):\n    return a + b\n",
    "a lambda's parameter": "def f(a):\n«    return sorted(a, key=lambda x: -x)\n»",
    "a nested function used before": "def f(a):\n    def g():\n«        return h()\n»"
    "    def h():\n        return a\n    return g\n",
    "a text in quotes is no code": 'def f():\n    """Say\n«    hello there\n»    """\n',
    "decorated": "import functools\n\n\n@functools.cache\ndef f(a):\n«    return f(a - 1)\n»",
    "the file does not parse": "def f(:\n«    return nothing\n»",
    "deleted": "def f(a):\n    b = a\n    del b\n«    b = a\n»    return b\n",
    "a text that lost its quotes": 'import os\n\ndef f():\n«    """Says.\n»    more\n    """\n'
    "    return os, g\n\n\ndef g():\n    return 1\n",
}


@pytest.mark.parametrize("buffer", SILENT.values(), ids=SILENT.keys())
def test_what_is_defined_or_in_doubt_is_not_told(buffer: str) -> None:
    """Evidence is silent where any rule of the language, or the user, may define the name."""
    assert found(buffer) == []


def test_code_that_never_runs_needs_no_name() -> None:
    """A jump that cuts off the code below is told alone."""
    assert found("def f(a):\n«    return a\n»    for x in a:\n        n += x\n    return n\n") == [
        ("unreachable", 3)
    ]


def test_no_name_stands_in_a_message() -> None:
    """Messages become provenance, which holds no source code."""
    buffer = "def f(secret):\n«    return hidden\n»"
    assert all("hidden" not in each.message for each in evidence(buffer))
    assert [each.message for each in evidence(buffer)] == [
        "Line 2 uses a name that nothing in this file defines."
    ]

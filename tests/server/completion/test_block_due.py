"""One line or several: a table of places."""

import pytest

from synconfroute.server.completion.block_due import Extent, block_due, extent_of
from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Limits

ONE, SEVERAL = Extent(single_line=True, max_tokens=50), Extent(single_line=False, max_tokens=256)


def hole(marked: str, language: str = "python", *, explicit: bool = False) -> Hole:
    """The hole at the mark."""
    prefix, _, suffix = marked.partition("¦")
    return Hole(language, prefix, suffix, explicit=explicit)


@pytest.mark.parametrize(
    "marked",
    [
        "def f(a):\n    ¦\n",
        "def f(a):\n    ¦",
        "def f(a):¦\n",
        "def f(a):  # text\n    ¦\n",
        "def f(a):\n\n    ¦\n\ndef g():\n    pass\n",
        "def f(a):\n    for b in a:\n        ¦\n    return a\n",
        "class A:\n    ¦\n",
        'def f(a):\n    """Text."""\n    ¦\n',
        'def f(a):\n    """Text.\n\n    More.\n    """\n    ¦\n\nx = 1\n',
        "def f(a):\n    b = 1\n\n    ¦\n    return b\n",
        "while True:¦\n",
    ],
)
def test_a_block_is_due_in_python(marked: str) -> None:
    """Below a header without a body, below a docstring, behind a blank line within a block."""
    assert block_due(hole(marked))


@pytest.mark.parametrize(
    "marked",
    [
        "¦",
        "a = 1\n¦\n",
        "a = 1\n\n¦\n",
        "def f(a):\n    b = 1\n    ¦\n    return b\n",
        "def f(a):\n    ¦\n    return a\n",
        "def f(a):¦\n    return a\n",
        "def f(a):\n    return ¦\n",
        "def f(a):\n    ¦ + 1\n",
        "a = {1:¦}\n",
        "a[1:¦\n",
        'a = """Text."""\n¦\n',
        "def f(a):\n    b = 1\n    # text\n    ¦\n",
    ],
)
def test_a_line_is_due_in_python(marked: str) -> None:
    """Everywhere else."""
    assert not block_due(hole(marked))


@pytest.mark.parametrize(
    ("language", "marked", "due"),
    [
        ("java", "class A {\n    void f() {\n        ¦\n    }\n}\n", True),
        ("java", "class A {\n    void f() {¦}\n}\n", True),
        ("java", "class A {\n    void f() {\n        ¦\n        g();\n    }\n}\n", False),
        ("java", "class A {\n    /** Text. */\n    ¦\n}\n", True),
        ("java", "class A {\n    /**\n     * Text.\n     */\n    ¦\n}\n", True),
        ("java", "class A {\n    // text\n    ¦\n}\n", False),
        ("cpp", "int main() {\n    int a = 1;\n    ¦\n}\n", False),
        ("cpp", "int main() {\n    int a = 1;\n\n    ¦\n}\n", True),
        ("rust", "/// Text.\n¦\n", True),
        ("javascript", "items.map((item) => {¦})\n", True),
        ("javascript", "items.map(¦)\n", False),
        ("javascript", "const a = {\n  ¦\n};\n", True),
    ],
)
def test_a_block_in_languages_with_braces(language: str, marked: str, *, due: bool) -> None:
    """An empty pair of braces, and a comment of documentation above."""
    assert block_due(hole(marked, language)) == due


@pytest.mark.parametrize(
    ("lines", "marked", "explicit", "extent"),
    [
        ("auto", "def f(a):\n    ¦\n", False, SEVERAL),
        ("auto", "a = 1\n¦\n", False, ONE),
        ("auto", "a = 1\n¦\n", True, SEVERAL),
        ("auto", "a = f(¦)\n", True, SEVERAL),
        ("auto", "a = ¦ + 1\n", True, ONE),
        ("single", "def f(a):\n    ¦\n", True, ONE),
        ("multi", "a = 1\n¦\n", False, SEVERAL),
        ("multi", "a = ¦ + 1\n", False, ONE),
    ],
)
def test_the_setting(lines: str, marked: str, extent: Extent, *, explicit: bool) -> None:
    """`auto` gives several lines where they are due or asked for, and none tears a line apart."""
    assert extent_of(hole(marked, explicit=explicit), Limits(lines=lines)) == extent

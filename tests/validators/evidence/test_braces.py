"""Evidence in Java and C++, and that a language is a description only."""

import importlib.util

import pytest

from synconfroute.validators.evidence.braces.language import BRACES
from synconfroute.validators.evidence.braces.witness import BracesWitness
from synconfroute.validators.insertion import Insertion
from tests.validators.evidence.marked import found

JAVA = "class A {{\n    int f(int n) {{\n{}    }}\n}}\n"
CPP = "int f(int n) {{\n{}}}\n"


def java(body: str) -> list[tuple[str, int]]:
    """Evidence in a method, whose body begins on line 3."""
    return found(JAVA.format(body), BracesWitness("java"))


def cpp(body: str) -> list[tuple[str, int]]:
    """Evidence in a function, whose body begins on line 2."""
    return found(CPP.format(body), BracesWitness("cpp"))


@pytest.mark.parametrize(
    ("body", "line"),
    [
        pytest.param("«        return n;\n»        n++;\n        return n;\n", 4, id="return"),
        pytest.param("«        throw x(n);\n»        n++;\n", 4, id="throw"),
        pytest.param("        return n;\n«        n++;\n»", 4, id="the text itself"),
        pytest.param(
            "«        if (n > 0) { return 1; } else { return 2; }\n»        n++;\n",
            4,
            id="both branches",
        ),
        pytest.param(
            "        while (n > 0) {\n«            break;\n»            n--;\n        }\n",
            5,
            id="in a loop",
        ),
        pytest.param("        ret«urn n;»\n\n        n++;\n", 5, id="from the middle of a word"),
    ],
)
def test_what_never_runs_is_found(body: str, line: int) -> None:
    """It is told with the line that never runs, in both languages."""
    assert ("unreachable", line) in java(body)
    assert ("unreachable", line - 1) in cpp(body)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "        if (n > 0)\n«            return 1;\n»        n++;\n", id="under an if"
        ),
        pytest.param(
            "        if (n > 0) {\n«            return 1;\n»        }\n        n++;\n", id="last"
        ),
        pytest.param("«        return n;\n»        return n;\n", id="twice the same"),
        pytest.param(
            "        switch (n) {\n        case 1:\n«            return 1;\n»            break;\n"
            "        default:\n            n++;\n        }\n",
            id="a case's break",
        ),
        pytest.param("«        // return n;\n»        n++;\n", id="a comment"),
        pytest.param("«        return n;\n»#define X\n        n++;\n", id="a preprocessor's line"),
        pytest.param("«        return n;\n»        n++; }}}}} {{\n", id="it does not parse"),
    ],
)
def test_what_runs_or_is_in_doubt_is_not_told(body: str) -> None:
    """Evidence is silent about idioms and about what it cannot read."""
    assert [each for each in java(body) + cpp(body) if each[0] == "unreachable"] == []


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("«        return total;\n»", [("name", 3)]),
        (
            "«        for (int i = 0; i < n; i++) {\n»            use(elem);\n        }\n",
            [("missing", 4)],
        ),
        ("        int a = n;\n«        int b = a + total;\n»        return b;\n", [("name", 4)]),
    ],
)
def test_a_variable_of_java_that_nothing_declares_is_found(
    body: str, expected: list[tuple[str, int]]
) -> None:
    """No other file can declare it where nothing is inherited."""
    assert java(body) == expected
    assert [each for each in cpp(body) if each[0] in {"name", "missing"}] == []


SILENT = {
    "declared below": "«        return total;\n»    }\n    int total;\n    void g() {\n",
    "a lambda's parameter": "«        use(x -> x + 1);\n»",
    "a lambda's parameters": "«        use((x, y) -> x + y);\n»",
    "a pattern": "«        if (n instanceof Integer other) use(other);\n»",
    "a parameter with a comment": "    }\n    int g(int total /* all */) {\n"
    "«        return total;\n»",
    "an array": "        int[] parts = all();\n«        return parts[0];\n»",
    "several at once": "        int a = 1, b = 2;\n«        return b;\n»",
    "a loop's element": "        for (var each : all()) {\n«            use(each);\n»        }\n",
    "a caught exception": "        try { g(); } catch (Exception e) {\n"
    "«            use(e);\n»        }\n",
    "used by the user already": "        use(total);\n«        return total;\n»",
    "an inherited one": "        class B extends C {}\n«        return total;\n»",
    "a package": "«        return java.lang.Math.max(n, 1);\n»",
    "a constant": "«        return MAX;\n»",
    "a method": "«        return g(this::g);\n»",
}


@pytest.mark.parametrize("body", SILENT.values(), ids=SILENT.keys())
def test_a_variable_of_java_that_may_be_declared_is_not_told(body: str) -> None:
    """Whatever looks like a declaration counts, wherever it stands."""
    assert java(body) == []


def test_a_class_that_the_text_lets_inherit_may_bring_names() -> None:
    """The header may be what is inserted."""
    buffer = "class A extends «B {\n    int f() {»\n        return total;\n    }\n}\n"
    assert found(buffer, BracesWitness("java")) == []


@pytest.mark.parametrize("language", BRACES)
def test_a_language_whose_grammar_is_installed_tells_a_jump(language: str) -> None:
    """A description suffices; without the grammar there is no witness."""
    if importlib.util.find_spec(BRACES[language].package) is None:
        with pytest.raises(ImportError):
            BracesWitness(language)
        return
    buffer = "{\n    f();\n«    return;\n»    f();\n}\n"
    assert found(buffer, BracesWitness(language)) == [("unreachable", 4)]


@pytest.mark.parametrize(
    "text",
    [
        "{" * 50_000,
        "a<b" * 70_000,
        "\0",
        "\ud800",
        "x" * 1_000_000,
        "use " * 50_000,
        "if (x)\n" * 20_000,
    ],
)
def test_hostile_text_is_survived(text: str) -> None:
    """In the buffer as in the completion; at most a repeated line is told."""
    for prefix, inserted in ((text, "y();\n"), ("void f() {\n    ", text)):
        for language in ("java", "cpp", "javascript", "go", "rust"):
            if importlib.util.find_spec(BRACES[language].package) is None:
                continue
            witness = BracesWitness(language)
            witness.update(prefix)
            assert witness.find(Insertion.of(prefix, inserted, "")) == ()

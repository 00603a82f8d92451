"""What people leave open, break over lines, or write in words of their own is no damage."""

from collections.abc import Callable

import pytest

from synconfroute.validators.grammar import Undecidable
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import session_of
from synconfroute.validators.treesitter import cpp, java
from synconfroute.validators.treesitter.session import TreeSitterSession
from synconfroute.validators.verdict import Outcome

_JAVA = "class A {\n    void f() {\n        g();\n        ⟦{}⟧\n        h();\n    }\n}\n"
_CPP = "namespace a {\nint f() {\n  g();\n  ⟦{}⟧\n  return 3;\n}\n}  // namespace a\n"
_IN_CLASS = "class {} A {{\n public:\n  ⟦{{}}⟧\n  void f();\n}};\n"

_VIABLE = (
    [
        (java.session, _JAVA, text)
        for text in (
            "if (x) {",
            "} else {",
            "for (a = b = 0;",
            "int x = y ?",
            "String s = (String)",
            "var y = list.stream()",
            "call(a,",
            "Map<String,",
            "try {",
            "switch (x) {",
            "return a != null &&",
            "foo(() -> {",
            "int[][] a = {{1, 2},",
            "@SuppressWarnings",
            "}",
            "// a `comment",
            "/* a { comment",
            'var t = """',
            "x = switch (y) { case 1 -> 2; default -> 3; };",
            "@A(b = 3,",
            "return found",
            "class B<T extends C<T>,",
        )
    ]
    + [
        (cpp.session, _CPP, text)
        for text in (
            "if (x) {",
            "std::cout << a << b <<",
            "LOG(INFO) << x;",
            "DEFINE_THING(a, b)",
            "foreach (auto x, list) {",
            "auto f = [&](int a) {",
            "#ifdef A",
            "#define B(x) {",
            "template <typename T,",
            'auto s = R"(a {',
            "try {",
            "x = typeid(int) == y;",
            "return { 1, 2 };",
            "using T = a::b<",
            "typedef struct T {",
        )
    ]
    + [
        (cpp.session, _IN_CLASS.format(macro), text)
        for macro in ("", "MY_API", "MY_ATTR(x)")
        for text in ("explicit A(int x);", "~A();", "MY_PROPERTY(int, x) = 3;", "A() : a_(1),")
    ]
)


@pytest.mark.parametrize(("session", "buffer", "text"), _VIABLE)
def test_what_may_go_on_is_not_invalid(
    session: Callable[[], TreeSitterSession], buffer: str, text: str
) -> None:
    """The text may be a step to code that is whole."""
    prefix, _, suffix = buffer.partition("⟦{}⟧")
    verdict = session().judge(Insertion(prefix, text, suffix))
    assert verdict.outcome is Outcome.VALID


@pytest.mark.parametrize(
    ("text", "expected"),
    [("if (x) {", ["open"]), ("call(a,", ["open"]), ("/* a", ["open"]), ("i();", []), ("// a", [])],
)
def test_an_unfinished_text_is_told_from_a_finished_one(text: str, expected: list[str]) -> None:
    """What is to be gone on with below is evidence beside the verdict."""
    prefix, _, suffix = _JAVA.partition("⟦{}⟧")
    verdict = java.session().judge(Insertion(prefix, text, suffix))
    assert [found.kind for found in verdict.evidence] == expected


@pytest.mark.parametrize("lost", ["g();", "void f() {", "}\n}\n", "f() {"])
def test_damage_elsewhere_is_not_held_against_the_text(lost: str) -> None:
    """A buffer broken above or below still takes a right statement."""
    prefix, _, suffix = _JAVA.replace(lost, lost[:-1], 1).partition("⟦{}⟧")
    assert java.session().judge(Insertion(prefix, "i(j);", suffix)).outcome is Outcome.VALID


def test_a_wrong_text_in_a_broken_buffer_is_still_invalid() -> None:
    """The method below the text lost its parenthesis; the text has lost one of its own."""
    prefix, _, suffix = _JAVA.replace("h();", "h(;").partition("⟦{}⟧")
    assert java.session().judge(Insertion(prefix, "i(j;", suffix)).outcome is Outcome.INVALID


def test_a_repeated_head_is_invalid() -> None:
    """The head of the block that follows, again, leaves a block that nothing closes."""
    prefix, suffix = (
        "class A {\n    void f() {\n        ",
        "\n        if (x) {\n        }\n    }\n}\n",
    )
    text = "g();\n        if (x) {"
    verdict = java.session().judge(Insertion(prefix, text, suffix))
    assert verdict.outcome is Outcome.INVALID


def test_how_a_buffer_breaks_its_lines_decides() -> None:
    """A call without its end is damage, unless calls are chained over lines in this buffer."""
    plain = "class A {\n    void f() {\n        g();\n        ⟦{}⟧\n    }\n"
    chained = "    void h() {\n        b.a()\n            .c();\n    }\n"
    outcomes = []
    for buffer in (plain + "}\n", plain + chained + "}\n"):
        prefix, _, suffix = buffer.partition("⟦{}⟧")
        outcomes.append(java.session().judge(Insertion(prefix, "i.j()", suffix)).outcome)
    assert outcomes == [Outcome.INVALID, Outcome.VALID]


@pytest.mark.parametrize("session", [java.session, cpp.session])
@pytest.mark.parametrize(
    "buffer", ["{\n" * 990, "(" * 990, "a<b" * 30_000, "AAAA(" * 9_000, '"' * 9_001, "\\" * 50_000]
)
def test_hostile_text_ends(session: Callable[[], TreeSitterSession], buffer: str) -> None:
    """Whatever stands around it, a verdict or a refusal comes."""
    judge = session()
    judge.update(buffer)
    try:
        outcome = judge.judge(Insertion(buffer, "x", "")).outcome
    except Undecidable:
        outcome = Outcome.UNKNOWN
    assert outcome in Outcome


@pytest.mark.parametrize(
    ("language", "prefix", "text", "suffix"),
    [
        ("rust", "fn f() {\n    g(\n        a,\n        ", "#[cfg(x)]", "\n    );\n}\n"),
        ("rust", "enum A {\n    B,\n    ", '#[serde(rename = "x")]', "\n}\n"),
        ("typescript", "class A {\n  constructor(\n    ", "@Inject(X)", "\n  ) {}\n}\n"),
        ("typescript", "", "@Component({", "\n"),
        ("csharp", "class A {\n    void F(\n        ", "[In]", "\n    ) {}\n}\n"),
        ("kotlin", "class A(\n    ", "@Inject", "\n) {\n}\n"),
        ("php", "<?php\n", "class A extends B implements C,", "\n"),
        ("cpp", "void f(\n    ", "[[maybe_unused]]", "\n) {\n}\n"),
        ("java", "enum A {\n    B,\n    ", "@C", "\n}\n"),
    ],
)
def test_what_stands_before_a_declaration_may_be_the_last_line(
    language: str, prefix: str, text: str, suffix: str
) -> None:
    """What it belongs to is still to come."""
    verdict = session_of(language).judge(Insertion(prefix, text, suffix))
    assert verdict.outcome is Outcome.VALID

"""What nobody can go on from is invalid."""

from collections.abc import Callable

import pytest

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.treesitter import cpp, java
from synconfroute.validators.treesitter.session import TreeSitterSession
from synconfroute.validators.verdict import Outcome
from tests.validators.treesitter.sources import CPP, JAVA

_DAMAGE = [
    (java.session, JAVA, "kept.merge(key, value, (a, b) -> b);", text)
    for text in (
        "kept.merge(key, value, (a, b) -> b;",
        "kept.merge(key, value, (a, b) -> b));",
        "kept.merge(key, value, (a, b) -> b);}",
        "return 3",
        "kept.merge(key, value, [a, b) -> b);",
        "kept.merge(ke",
        'kept.merge("key, value);',
        "kept.merge(key);\n        }",
        "kept.merge(key);\n```",
        "kept.merge(key);<|fim_middle|>",
        "kept.merge(key, );",
        "for (;;) {{",
        "class Inner extends Base {{",
        "/* a\n         */}",
    )
] + [
    (cpp.session, CPP, "total_ += static_cast<int>(value.size()) << 2;", text)
    for text in (
        "total_ += static_cast<int>(value.size() << 2;",
        "total_ += static_cast<int>(value.size())) << 2;",
        "total_ += 2;}",
        "total_ += 2",
        'total_ = "a;',
        "total_ += 2;\n    }",
        "total_ += 2;\n```",
        "total_ += 2;<|endoftext|>",
        "total_ += * / 2;",
        "while (size_) {{",
    )
]


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(("session", "source", "truth", "text"), _DAMAGE)
def test_damage_is_invalid(
    session: Callable[[], TreeSitterSession], source: str, truth: str, text: str, history: bool
) -> None:
    """A statement of a clean file, replaced by one that is none."""
    prefix, suffix = source.split(truth)
    judge = session()
    if history:
        judge.update(source)
        judge.update(prefix + suffix)
    verdict = judge.judge(Insertion(prefix, text, suffix))
    assert verdict.outcome is Outcome.INVALID
    assert verdict.reason.startswith("line ")


def test_a_comment_is_not_closed_twice() -> None:
    """The text repeats the line below it, which ends the comment that the text is in."""
    prefix, suffix = "/**\n * A ", "\n */\nclass A {\n}\n"
    assert java.session().judge(Insertion(prefix, "store.", suffix)).outcome is Outcome.VALID
    verdict = java.session().judge(Insertion(prefix, "store.\n */", suffix))
    assert verdict.outcome is Outcome.INVALID


def test_what_cannot_be_called_has_no_call_chained_to_it() -> None:
    """Calls are chained over lines in this buffer, but the head of a method is no call."""
    above = (
        "class A {\n" + 5 * "    void h() {\n        b.a()\n            .c();\n    }\n\n" + "    "
    )
    below = "\n        g();\n    }\n}\n"
    verdict = java.session().judge(Insertion(above, "void f()", below))
    assert verdict.outcome is Outcome.INVALID


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("#if defined(A) && (B > 1)", Outcome.VALID),
        ("#if defined(A) && (B > \\", Outcome.VALID),
        ("#if defined(A) && ')' // (", Outcome.VALID),
        ("#if defined(A && (B > 1)", Outcome.INVALID),
        ("#if defined(A))", Outcome.INVALID),
        ("#include <map>)", Outcome.INVALID),
        ("#ifndef A]", Outcome.INVALID),
    ],
)
def test_brackets_of_a_directive_are_in_pairs(text: str, outcome: Outcome) -> None:
    """Where it ends in its line."""
    assert cpp.session().judge(Insertion("", text, "\nint a;\n")).outcome is outcome


def test_a_block_is_not_opened_twice_on_a_line_of_its_own() -> None:
    """As braces stand where they have lines of their own."""
    prefix, suffix = "void f()\n", "\n  g();\n}\n"
    assert cpp.session().judge(Insertion(prefix, "{{", suffix)).outcome is Outcome.INVALID

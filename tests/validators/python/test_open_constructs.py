"""What a completion may leave open, what it may not, and what is said about it."""

import pytest

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.python import session
from synconfroute.validators.verdict import Outcome, Verdict

_BEFORE = "def f(a):\n    b = 1\n    return b\n\n\ndef g():\n    return 2\n"
_ABOVE = "def f(a):\n    b = 1\n"
_BELOW = "\n    return b\n\n\ndef g():\n    return 2\n"


def _verdict(prefix: str, text: str, suffix: str, before: str | None = None) -> Verdict:
    buffer = session()
    if before is not None:
        buffer.update(before)
    buffer.update(prefix + suffix)
    return buffer.judge(Insertion.of(prefix, text, suffix))


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    "line",
    [
        "if a:",
        "for x in a:  # all of them",
        "try:",
        "with open(a) as file, \\",
        "while a and \\",
        "async def inner():",
        "class Inner(Base):",
        "@decorator",
        "@decorator(1)",
        "call(",
        "call(a,",
        "b = {",
        "b = {'key': [",
        "b = [a for a in",
        "b = (a",
        "text = ('words that go on '",
        'text = """A string that goes on',
        "match a:",
        "def inner(x: int,",
        "b = a + (",
        "return [x",
        "# only words, (with a bracket",
        "call(lambda x:",
    ],
)
def test_what_the_user_goes_on_with_may_be_open(line: str, history: bool) -> None:
    """Typed as a new line in the middle of a function, with its own indentation or without."""
    before = _BEFORE if history else None
    for prefix, text in ((_ABOVE + "    ", line), (_ABOVE, f"    {line}")):
        verdict = _verdict(prefix, text, _BELOW, before)
        assert verdict.outcome is Outcome.VALID, verdict.reason


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize(
    "line",
    [
        "if a",
        "b = call(a))",
        "b = call(a",
        "b = call(a, 'x'",
        "b = call('x'",
        "call((a, b)",
        "def inner(x: int",
        "def inner(x:",
        "b =",
        "call(a=",
        "b = 'a",
        "b = a.",
        "return return",
        "b = [1, 2",
        "else:",
        "except ValueError:",
        "b = 1\n```",
        "b = 1<|endoftext|>",
        "b = 1\n      c = 2",
        "b = 1\n  c = 2",
        "Here is the code:",
        "call(\n    return b",
        'text = """A string.""',
    ],
)
def test_what_nobody_goes_on_with_is_invalid(line: str, history: bool) -> None:
    """Whether the buffer was known before or not; the reason names a line of the text."""
    before = _BEFORE if history else None
    for prefix, text in ((_ABOVE + "    ", line), (_ABOVE, f"    {line}")):
        verdict = _verdict(prefix, text, _BELOW, before)
        assert verdict.outcome is Outcome.INVALID, verdict.reason
        named = int(verdict.reason.removeprefix("line ").partition(":")[0])
        assert 3 <= named <= 3 + line.count("\n")


@pytest.mark.parametrize(
    ("prefix", "text", "suffix"),
    [
        ("if x:\n    a\n", "b = 1", "\nelse:\n    c\n"),
        ("def f():\n    a\n", "b = 1", "\n    c\n"),
        ("try:\n    a\n", "b = 1", "\nexcept E:\n    c\n"),
        ("x = [\n    1,\n    2", "]", ",\n]\n"),
        ("x = call(\n    a,\n    ", "b.c", "\n    d,\n)\n"),
        ("if x:\n    a\n", "else:", "\nelse:\n    c\n"),
        ("a = 1\n", "    b = 1", "\nc = 1\n"),
    ],
)
def test_what_is_below_must_go_on_fitting(prefix: str, text: str, suffix: str) -> None:
    """A text that ends a block or a bracket which goes on below breaks what is below."""
    assert _verdict(prefix, text, suffix).outcome is Outcome.INVALID


@pytest.mark.parametrize(
    "broken", ["x = (1,\n", "def h(:\n    pass\n", 'y = "\n', "class:\n", "    z = 1\n", "if\n"]
)
@pytest.mark.parametrize("above", [True, False])
def test_damage_elsewhere_changes_no_verdict(broken: str, above: bool) -> None:
    """Another top-level statement is broken, above or below, and always was."""
    prefix, suffix = _ABOVE + "    ", _BELOW
    if above:
        prefix = f"{broken}\n\n{prefix}"
    else:
        suffix = f"{suffix}\n\n{broken}"
    assert _verdict(prefix, "c = call(a, b)", suffix).outcome is Outcome.VALID
    assert _verdict(prefix, "if a:", suffix).outcome is Outcome.VALID
    assert _verdict(prefix, "c = call(a, b))", suffix).outcome is Outcome.INVALID
    assert _verdict(prefix, "c = call(a, b", suffix).outcome is Outcome.INVALID


def test_a_half_typed_edit_is_not_the_texts_fault() -> None:
    """The lines of a call that are still missing, and the header that went with the old lines."""
    before = (
        "def f():\n    a(1)\n    b = call(\n        1,\n        2)\n\n\ndef g():\n    c\n    d\n"
    )
    typed = _verdict("def f():\n    a(1)\n    b = other(x, ", "y,", "\n        2)\n\n\nc\n", before)
    assert typed.outcome is Outcome.VALID
    header = _verdict("def f():\n    a(1)\n\n\n", "@cached", "\n    c\n    d\n", before)
    assert header.outcome is Outcome.VALID


def test_repeating_the_lines_below_is_said_to_be_that() -> None:
    """A text that ends in the line below, and leaves open what it opens there."""
    verdict = _verdict(
        "a = 1\n", "b = 2\nc = call(", "\nc = call(\n    1)\n", "a = 1\nc = call(\n    1)\n"
    )
    assert verdict.outcome is Outcome.INVALID
    assert verdict.reason == "line 3: the lines right below are repeated"


@pytest.mark.parametrize("history", [True, False])
@pytest.mark.parametrize("header", ["while data := read():", "if lambda: a:", "for x in (a, b):"])
def test_a_header_with_a_colon_in_it_is_one(header: str, history: bool) -> None:
    """The first colon of a header need not be its last; what stands below is its block."""
    before = f"def f(a):\n    {header}\n        b.append(data)\n    return b\n"
    prefix, suffix = before.split("(data)")
    verdict = _verdict(prefix, "(data)", suffix, before if history else None)
    assert verdict.outcome is Outcome.VALID, verdict.reason


@pytest.mark.parametrize("history", [True, False])
def test_a_bracket_closed_too_early_above_a_value_is_found(history: bool) -> None:
    """The hole is in the key of a dictionary, and the value stands on the next line."""
    prefix, suffix = "a = {\n    'f': 1,\n    ('b', 'c'", "\n        ('d', 'e'),\n}\n"
    before = f"{prefix}):{suffix}" if history else None
    assert _verdict(prefix, "):", suffix, before).outcome is Outcome.VALID
    assert _verdict(prefix, "):)", suffix, before).outcome is Outcome.INVALID


def test_comments_over_several_lines_end_no_bracket() -> None:
    """Words at the end of a comment are no operand that the next line would stand apart from."""
    comments = "    # words that go on\n    # over two lines\n"
    lines = [f"    'a': 1,\n{comments}", "    'b': 2,\n", "    'c': (3, 4),\n", "    'd': 5,\n"]
    buffer = session()
    buffer.update("".join(["a = {\n", *lines, "}\n"]))
    buffer.update("".join(["a = {\n    'a\n", comments, "    'b\n", *lines[2:], "}\n"]))
    above = "".join(["a = {\n", *lines[:2], "    'c': (3,"])
    buffer.update(f"{above}\n{lines[3]}}}\n")
    verdict = buffer.judge(Insertion(above, " 4),", f"\n{lines[3]}}}\n"))
    assert verdict.outcome is Outcome.VALID, verdict.reason

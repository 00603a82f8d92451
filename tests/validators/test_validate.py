"""`validate`: the plain function, in the three languages."""

import subprocess
import sys

import pytest

import synconfroute.validators
from synconfroute.validators import Outcome, Verdict, validate
from synconfroute.validators.admission import MAX_BYTES
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import LANGUAGES
from synconfroute.validators.rule import judge

VALID, INVALID, UNKNOWN = Outcome.VALID, Outcome.INVALID, Outcome.UNKNOWN

CASES = [
    # language, prefix, text, suffix, outcome, how the reason begins
    ("python", "def f(a):\n    ", "return a + 1", "\n", VALID, ""),
    ("python", "def f(a):\n    ", "return (a", "\n", VALID, ""),
    ("python", "def f(a):\n    ", "return a)", "\n\nf(1)\n", INVALID, "line 2: unmatched ')'"),
    ("python", "def f(a):\n", "   return a\n  return b\n", "", INVALID, "line 3: unindent"),
    ("python", "if a:\n    b()\n    ", "    c()", "\n", INVALID, "line 3: unexpected indent"),
    ("python", "x = f(", "1, 2", ")\n", VALID, ""),
    ("python", "x = f(", "1, 2)", ")\n", INVALID, "line 1: unmatched ')'"),
    ("python", "@cached\n", "def f(): pass", "", VALID, ""),
    ("python", "if a:\n    ", "pass", "\nelse:\n    b()\n", VALID, ""),
    ("python", "if a:\n    ", "for in b", "\nelse:\n    b()\n", INVALID, "line 2: invalid syntax"),
    ("python", "", "if a", "\n    b()\n", INVALID, "line 1: expected ':'"),
    ("python", "while ", "True:", "\n    b()\n", VALID, ""),
    ("python", "def f():\n\t", "return 1", "", VALID, ""),
    ("python", "x = (\n\n", "y", "\n", VALID, ""),
    ("python", "", "", "", VALID, ""),
    ("java", "class A {\n  int f() {\n    ", "return 1;", "\n  }\n}\n", VALID, ""),
    ("java", "class A {\n  int f() {\n    ", "return 1", "\n  }\n}", INVALID, "line 3: "),
    ("java", "class A {\n  ", "int f( { }", "\n}\n", INVALID, "line 2: "),
    ("java", "class A {\n  int x = g(", "1, 2", ");\n}\n", VALID, ""),
    ("java", "class A {\n  int f() {\n  ", "}\n}", "\n  }\n}\n", INVALID, "line "),
    ("java", "record P(int x) {}\nclass A { String s = ", '"""\n  a""";', " }", VALID, ""),
    ("java", "class A {\n  void f( {\n    ", "g();", "\n  }\n}\n", VALID, ""),
    ("cpp", "int f() {\n  ", "return 1;", "\n}\n", VALID, ""),
    ("cpp", "int f() {\n  ", "return (1;", "\n}\n", INVALID, "line 2: "),
    ("cpp", "template <class T>\n", "T f(T a) { return a; }", "", VALID, ""),
    ("cpp", "#define A", " 1", "", VALID, ""),
    ("cpp", "int f( {\n  ", "g();", "\n}}}\n", VALID, ""),
]


@pytest.mark.parametrize(("language", "prefix", "text", "suffix", "outcome", "reason"), CASES)
def test_verdict(
    language: str, prefix: str, text: str, suffix: str, outcome: Outcome, reason: str
) -> None:
    """A text that breaks a sound buffer is invalid, and the reason says where."""
    verdict = validate(language, prefix, text, suffix)
    assert (verdict.outcome, verdict.reason[: len(reason)]) == (outcome, reason)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
@pytest.mark.parametrize(("language", "prefix", "text", "suffix", "outcome", "reason"), CASES)
def test_line_ends_do_not_matter(
    language: str,
    prefix: str,
    text: str,
    suffix: str,
    outcome: Outcome,
    reason: str,
    line_end: str,
) -> None:
    """A buffer with CRLF or CR gets the verdict, the reason and the line that LF gets."""
    parts = [part.replace("\n", line_end) for part in (prefix, text, suffix)]
    verdict = validate(language, *parts)
    assert (verdict.outcome, verdict.reason[: len(reason)]) == (outcome, reason)


def test_a_line_break_cut_in_two_is_one_line_break() -> None:
    """A hole between CR and LF adds no line."""
    verdict = validate("python", "a = 1\r", "", "\nb = (\r\n")
    assert verdict == validate("python", "a = 1", "", "\nb = (\n")


@pytest.mark.parametrize("language", ["python", "java", "cpp"])
def test_a_byte_order_mark_is_no_code(language: str) -> None:
    """A byte order mark at the beginning of the buffer does not break it."""
    assert validate(language, "\ufeff", "", "").outcome is VALID


@pytest.mark.parametrize("language", ["lua", "markdown", "", "PYTHON", "\ud800"])
def test_a_language_without_parser_is_unknown(language: str) -> None:
    """Whatever stands in the buffer."""
    verdict = validate(language, "(", ")))", "(")
    assert verdict.outcome is UNKNOWN
    assert verdict.reason.startswith("no parser for ")


@pytest.mark.parametrize(
    ("size", "outcome"), [(MAX_BYTES, VALID), (MAX_BYTES + 1, UNKNOWN), (20 * MAX_BYTES, UNKNOWN)]
)
@pytest.mark.parametrize("character", ["a", "é", "𝔘"])
def test_the_size_limit_counts_bytes(size: int, outcome: Outcome, character: str) -> None:
    """1,000,000 bytes of UTF-8 are judged, one more is not."""
    line = "#" + character * 59 + "\n"
    body = line * (size // len(line.encode()))
    last = "#" * (size - len(body.encode()))
    assert validate("python", body, last, "").outcome is outcome


def test_the_size_limit_counts_what_stands_around_the_text() -> None:
    """A large prefix or suffix makes a large buffer."""
    half = "# " + "a" * (MAX_BYTES // 2) + "\n"
    assert validate("python", half, "x", "\n" + half).outcome is UNKNOWN


AROUND = {
    "cpp": ("void g() {\n  ", "\n}\n"),
    "csharp": ("class A {\n  void G() {\n    ", "\n  }\n}\n"),
    "go": ("package a\n\nfunc g() {\n\t", "\n}\n"),
    "java": ("class A {\n  void g() {\n    ", "\n  }\n}\n"),
    "kotlin": ("fun g() {\n    ", "\n}\n"),
    "php": ("<?php\nfunction g() {\n    ", "\n}\n"),
    "rust": ("fn g() {\n    ", "\n}\n"),
}


class Recording:
    """A session that takes notes."""

    def __init__(self) -> None:
        self.seen: list[object] = []

    def update(self, text: str) -> None:
        """Note the text."""
        self.seen.append(text)

    def judge(self, insertion: Insertion) -> Verdict:
        """Note the insertion."""
        self.seen.append(insertion)
        return Verdict(INVALID, "a test says so")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_parser(language: str) -> None:
    """In the process too: a call is valid, one closer too many is not."""
    begin, end = AROUND.get(language, ("", "\n"))
    for text, outcome in (("f(1);", VALID), ("f(1));", INVALID)):
        assert validate(language, begin, text, end).outcome is outcome


def test_a_session_sees_the_text_before_the_edit_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the buffer as it is now, then the insertion; all with LF, without a byte order mark."""
    session = Recording()
    monkeypatch.setattr("synconfroute.validators.buffer.session_of", lambda _language: session)
    for before in (None, "\ufeffold\r\n"):
        judge("python", Insertion.of("\ufeffa\r\n", "b\r", "c", before))
    seen = ["a\nc", Insertion("a\n", "b\n", "c")]
    assert session.seen == [*seen, "old\n", *seen]


def test_the_text_before_the_edit_reaches_the_parser() -> None:
    """Over the process too: too large a one is as good as none."""
    plain = validate("python", "x = ", "1", "\n")
    for before in ("x = 0\n", "#" * (MAX_BYTES + 1)):
        assert validate("python", "x = ", "1", "\n", path="a/b.py", before=before) == plain


@pytest.mark.parametrize(("text", "outcome"), [("summ", VALID), ("summ)", INVALID)])
def test_evidence_stands_beside_a_valid_verdict(text: str, outcome: Outcome) -> None:
    """A name that nothing defines is told, with its line; of what is invalid nothing more is."""
    verdict = validate("python", "def f(a):\n    total = a\n    return ", text, "\n\n\nf(1)\n")
    assert verdict.outcome is outcome
    found = [(each.kind, each.line) for each in verdict.evidence]
    assert found == ([("name", 3)] if outcome is VALID else [])


@pytest.mark.parametrize(("text", "kinds"), [("return a", []), ("return (a +", ["open"])])
def test_a_text_that_ends_in_what_is_still_to_be_written_is_open(
    text: str, kinds: list[str]
) -> None:
    """It is valid, and evidence says so."""
    verdict = validate("python", "def f(a):\n    ", text, "\n\n\nf(1)\n")
    assert verdict.outcome is VALID
    assert [each.kind for each in verdict.evidence] == kinds


def test_what_the_package_offers() -> None:
    """The exported names."""
    assert sorted(synconfroute.validators.__all__) == [
        "Evidence",
        "Outcome",
        "Validator",
        "Verdict",
        "unknown",
        "validate",
    ]
    assert isinstance(synconfroute.validators.unknown("no"), Verdict)


def test_importing_the_package_loads_no_parser() -> None:
    """The server starts fast: grammars are the parser process's, psutil comes when used."""
    script = (
        "import sys, synconfroute.validators\n"
        "print([m for m in ('tree_sitter', 'tree_sitter_java', 'psutil', 'asyncio')"
        " if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{script}"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "[]"


def test_a_program_that_never_closes_anything_ends_cleanly() -> None:
    """`validate` needs no set-up and no tear-down, and warns of nothing."""
    script = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from synconfroute.validators import validate\n"
        "print(validate('python', 'x = ', '1', '').outcome)"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert (done.stdout.strip(), done.stderr) == ("valid", "")


def test_a_reason_names_one_line_that_of_the_buffer() -> None:
    """The interpreter's second line number counts in the piece that it was given."""
    verdict = validate(
        "python",
        "x = 1\n\n\ndef f(items):\n    total = 0\n    for item in items:\n",
        "    return total",
        "\n        if item:\n            total += item\n    return total\n",
    )
    assert verdict.outcome is Outcome.INVALID
    assert verdict.reason == "line 7: expected an indented block after 'for' statement"

"""Text made to break parsers: a verdict in time, bounded memory, and the next request works."""

import ctypes
import subprocess
import sys
import time
from collections.abc import Callable

import psutil
import pytest

from synconfroute.validators import Outcome, Validator
from synconfroute.validators.job_object import ExtendedLimits
from synconfroute.validators.parser_process import ParserProcess

DEADLINE_S = 1.0
SLACK_S = 1.0
GROWN_BYTES = 192 << 20
DEEP = 100_000

AROUND = {
    "python": ("def f():\n    x = ", "\n"),
    "java": ("class A { void f() {\n", "\n} }\n"),
    "cpp": ("void f() {\n", "\n}\n"),
}

# What must not be judged, whatever a parser would say of it.
REFUSED = {
    "brackets left open": "(" * DEEP,
    "brackets in pairs": "(" * DEEP + "1" + ")" * DEEP,
    "square brackets": "[" * DEEP,
    "braces in pairs": "{" * DEEP + "}" * DEEP,
    "mixed brackets": "({[" * (DEEP // 3),
    "less-than signs": "a" + "<b" * DEEP,
    "template arguments": "a" + "<b" * (DEEP // 2) + ">" * (DEEP // 2),
    "NUL": "a\0b",
    "lone surrogate": "a\ud800b",
    "the other half": "a\udfffb",
    "line of 5 MB": "a" * 5_000_000,
    "many lines": "a;\n" * 400_000,
}

# What a parser may judge if it can, and must not die of.
ENDURED = {
    "unary minus": "-" * DEEP + "1",
    "attributes": "a" + ".a" * 20_000,
    "sum": "1+" * DEEP + "1",
    "conditionals": "a?b:" * 50_000 + "c",
    "casts": "(a)" * 60_000 + "b",
    "attribute brackets": "[[a]]" * 40_000,
    "arrows": "(a)->" * 40_000,
    "lambdas": "lambda:" * 30_000 + "1",
    "templates, a thousand deep": ("a" + "<b" * 900 + ";") * 130,
    "template lists": "a<b>c," * 30_000,
    "quotes": '"' * 200_000,
    "preprocessor": "#ifdef a\n{\n#else\n(\n#endif\n" * 8_000,
    "continued lines": "a\\\n" * 60_000,
    "indentation": "".join(" " * depth + "if a:\n" for depth in range(600)),
    "long number": "9" * 200_000,
    "byte order marks": "\ufeff" * 50_000,
    "f-strings": "f'{" * 60_000,
}


def _judged_in_time(validator: Validator, language: str, text: str) -> Outcome:
    prefix, suffix = AROUND[language]
    started = time.monotonic()
    verdict = validator.validate_blocking(language, prefix, text, suffix, deadline=DEADLINE_S)
    assert time.monotonic() - started < DEADLINE_S + SLACK_S
    return verdict.outcome


def _works(validator: Validator) -> bool:
    """Does a normal request get its verdict? The new process may need a moment to start."""
    verdict = validator.validate_blocking("python", "x = ", "1", "\n", deadline=10)
    return verdict.outcome is Outcome.VALID


@pytest.mark.parametrize("language", AROUND)
@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_refused(validator: Validator, language: str, text: str) -> None:
    """The verdict is unknown within the deadline, and the same process serves on."""
    assert _works(validator)
    before = validator.pid
    assert _judged_in_time(validator, language, text) is Outcome.UNKNOWN
    assert _works(validator)
    assert validator.pid == before


@pytest.mark.parametrize("language", AROUND)
@pytest.mark.parametrize("text", ENDURED.values(), ids=ENDURED)
def test_endured(validator: Validator, language: str, text: str) -> None:
    """There is a verdict within the deadline, and the next request works in a small process."""
    _judged_in_time(validator, language, text)
    assert _works(validator)
    assert validator.pid is not None
    assert psutil.Process(validator.pid).memory_info().rss <= GROWN_BYTES


@pytest.mark.parametrize("where", ["prefix", "suffix"])
@pytest.mark.parametrize("language", AROUND)
def test_hostile_text_around_the_hole(validator: Validator, language: str, where: str) -> None:
    """Depth, NUL and half characters count wherever they stand in the buffer."""
    prefix, suffix = AROUND[language]
    for hostile in ("(" * DEEP, "a" + "<b" * DEEP, "\0", "\ud800"):
        parts = (prefix + hostile, "a", suffix) if where == "prefix" else (prefix, "a", hostile)
        verdict = validator.validate_blocking(language, *parts, deadline=DEADLINE_S)
        assert verdict.outcome is Outcome.UNKNOWN
    assert _works(validator)


def test_memory_is_bounded() -> None:
    """A process that has limited itself cannot take more, and a parser in it ends with an error."""
    if sys.platform == "darwin":
        pytest.skip("macOS has no limit to set: there the parent watches")
    script = (
        f"import sys; sys.path[:] = {sys.path!r}\n"
        "from synconfroute.validators.memory import limit_own_memory\n"
        "limit_own_memory(300 << 20)\n"
        "kept = bytearray(100 << 20)\n"
        "kept += bytearray(300 << 20)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("MemoryError")


def test_memory_is_bounded_from_outside(
    validator_of: Callable[[ParserProcess], Validator], scripted_command: list[str]
) -> None:
    """The same by the watch, for the platform that sets no limit to an address space."""
    process = ParserProcess(memory_limit=100 << 20, arguments=scripted_command, watch_memory=True)
    validator = validator_of(process)
    assert _works(validator)
    before = validator.pid
    verdict = validator.validate_blocking("python", "", "eat", "", deadline=30)
    assert verdict.outcome is Outcome.UNKNOWN
    assert _works(validator)
    assert validator.pid != before


@pytest.mark.skipif(sys.maxsize < 2**32, reason="the sizes are those of 64-bit Windows")
def test_the_job_object_has_the_layout_that_windows_wants() -> None:
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION of winnt.h has 144 bytes, its limit stands at 112."""
    assert ctypes.sizeof(ExtendedLimits) == 144
    assert ExtendedLimits.ProcessMemoryLimit.offset == 112

"""The paper's own check: whole buffers, by the parsers that the paper names."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from synconfroute.evaluation.paper_validator import PaperValidator
from synconfroute.server.completion.sandbox import Limits, run
from synconfroute.validators import Outcome, Verdict

VALID, INVALID, UNKNOWN = Outcome.VALID, Outcome.INVALID, Outcome.UNKNOWN

needs_gpp = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
needs_javac = pytest.mark.skipif(shutil.which("javac") is None, reason="javac is not installed")
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has the time limit alone")


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        ("1", VALID, "the buffer parses as a whole"),
        ("(1", INVALID, "line 2: ast rejects the buffer"),
        ("\0", INVALID, "line 1: ast rejects the buffer"),
    ],
)
def test_python(text: str, outcome: Outcome, reason: str) -> None:
    """The whole buffer parses, or it does not, whatever was wrong before."""
    validate = PaperValidator().validate
    verdict = validate("python", "a = 1\nx = ", text, "\n")
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    assert validate("python", "def f(:\n", "x = 1", "\n").outcome is INVALID


@pytest.mark.parametrize("java", ["javalang", pytest.param("javac", marks=needs_javac)])
def test_java(java: str) -> None:
    """Undefined names do not matter; javalang knows no records, javac does."""
    validate = PaperValidator(java="javac" if java == "javac" else "javalang").validate
    around = ("class A {\n  int f() {\n    ", "\n  }\n}\n")
    assert validate("java", around[0], "return g(1);", around[1]).outcome is VALID
    rejected = validate("java", around[0], "return g(1;;", around[1])
    assert rejected == Verdict(INVALID, f"line 3: {java} rejects the buffer")
    record = validate("java", "", "record P(int x) {}", "\n").outcome
    assert record is (VALID if java == "javac" else INVALID)


@needs_gpp
def test_gpp() -> None:
    """Names must be defined for g++, and headers are found."""
    validate = PaperValidator().validate
    around = ("#include <cstddef>\nstd::size_t f() {\n  ", "\n}\n")
    assert validate("cpp", around[0], "return 1;", around[1]).outcome is VALID
    for text in ("return 1", "return g();"):
        verdict = validate("cpp", around[0], text, around[1])
        assert verdict.outcome is INVALID
        assert verdict.reason.endswith(": g++ rejects the buffer")


def test_libclang() -> None:
    """Syntax alone: what is undefined does not matter."""
    validate = PaperValidator(cpp="libclang").validate
    around = ("#include <missing>\nint f() {\n  ", "\n}\n")
    assert validate("cpp", around[0], "return g();", around[1]).outcome is VALID
    verdict = validate("cpp", around[0], "return (1;", around[1])
    assert verdict == Verdict(INVALID, "line 3: clang rejects the buffer")


def test_a_language_that_the_paper_does_not_have() -> None:
    """It is unknown."""
    assert PaperValidator().validate("go", "", "", "").outcome is UNKNOWN


@needs_gpp
def test_a_compiler_that_does_not_end() -> None:
    """A text that keeps g++ busy is unknown within the time, and nothing of it runs on."""
    doubling = "template <int N, int M> struct A { A<N - 1, M> a; A<N - 1, M + N> b; };\n"
    text = f"{doubling}template <int M> struct A<0, M> {{}};\nA<400, 0> a;\n"
    started = time.monotonic()
    verdict = PaperValidator(seconds=1.0).validate("cpp", "", text, "")
    assert verdict.outcome is not VALID
    assert time.monotonic() - started < 5
    assert not [
        child for child in psutil.Process().children(recursive=True) if "cc1plus" in child.name()
    ]


@posix
def test_what_a_program_starts_ends_with_it(tmp_path: Path) -> None:
    """The process group is killed as a whole when the time is over."""
    script = "sleep 600 & echo $! > started; wait"
    ended = run(["sh", "-c", script], folder=tmp_path, limits=Limits(0.5))
    assert ended.code is None
    started = int((tmp_path / "started").read_text())
    assert started < 100 or not _running(started)  # below 100: in a name space of its own


def _running(pid: int) -> bool:
    """Does the process run? One that ended may wait for its new parent to notice."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


@posix
def test_limits_hold(tmp_path: Path) -> None:
    """Memory, file size and what is written to stderr are bounded."""
    python = [sys.executable, "-I", "-c"]
    hungry = run([*python, "x = 'a' * (4 << 30)"], folder=tmp_path, limits=Limits(20.0))
    assert hungry.code == 1
    assert "MemoryError" in hungry.errors
    writer = "f = open('f', 'wb')\nwhile True: f.write(b'a' * 65536); f.flush()"
    assert run([*python, writer], folder=tmp_path, limits=Limits(20.0)).code != 0
    assert (tmp_path / "f").stat().st_size <= 1 << 20
    loud = run([*python, "import sys; sys.stderr.write('a' * 100_000)"], folder=tmp_path,
               limits=Limits(20.0))  # fmt: skip
    assert len(loud.errors) == 20_000


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_no_file_of_the_user_is_seen(tmp_path: Path) -> None:
    """Where bubblewrap works, what is not the system's cannot be read."""
    if subprocess.run(
        ["bwrap", "--ro-bind", "/", "/", "--unshare-all", "true"], check=False
    ).returncode:
        pytest.skip("bubblewrap is forbidden here")
    secret, folder = tmp_path / "secret", tmp_path / "folder"
    secret.write_text("#define SECRET 1\n")
    folder.mkdir()
    reading = ["cat", str(secret)]
    assert run(reading, folder=folder, limits=Limits(5.0)).code == 1
    assert run(reading, folder=folder, limits=Limits(5.0), readable=[secret]).code == 0

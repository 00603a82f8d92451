"""The paper's own check (§4.2): does prefix + completion + suffix parse as a whole?

Python by `ast`, Java by javalang, C++ by `g++ -fsyntax-only`; javac and libclang are the
alternatives that parse what javalang and g++ without the headers do not. No verdict of theirs
knows what was broken before.
"""

import ast
import re
import tempfile
import warnings
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from synconfroute.server.completion.sandbox import Limits, run
from synconfroute.validators.verdict import Outcome, Verdict, unknown

_VALID = Verdict(Outcome.VALID, "the buffer parses as a whole")
_JAVAC = (
    "javac", "-J-Xmx1g", "-proc:none", "-implicit:none", "-Xlint:none", "-encoding", "UTF-8",
    "-XDshould-stop.ifNoError=PARSE", "-XDshould-stop.ifError=PARSE", "A.java",
)  # fmt: skip
_GPP = ("g++", "-fsyntax-only", "-fmax-errors=1", "-w", "-std=c++20", "-x", "c++", "-")
_JVM_MEMORY = 8 << 30
"""Bytes of address space: a Java machine reserves far more than it uses."""

_KEEP_GOING = 0x200
"""CXTranslationUnit_KeepGoing: a header that is missing must not silence what follows."""

_LINE = re.compile(r"^(?:<stdin>|A\.java):(\d+):", re.MULTILINE)


class PaperValidator:
    """Judges whole buffers as the paper does. Compilers run in a sandbox."""

    def __init__(
        self,
        *,
        java: Literal["javalang", "javac"] = "javalang",
        cpp: Literal["g++", "libclang"] = "g++",
        seconds: float = 20.0,
    ) -> None:
        """Choose the parsers.

        Args:
            java: javalang is of the extra `eval`; javac wants a JDK.
            cpp: g++ wants the headers that the buffer includes; libclang is of the extra `eval`.
            seconds: the longest that a compiler may take; then the verdict is unknown.
        """
        self._limits = Limits(seconds)
        compiled = {"javac": (_JAVAC, "A.java"), "g++": (_GPP, None)}
        own = {"javalang": _javalang, "libclang": _libclang}
        self._checks = {"python": _python}
        for language, name in (("java", java), ("cpp", cpp)):
            self._checks[language] = own.get(name) or partial(self._compile, *compiled[name])

    def validate(
        self,
        language: str,
        prefix: str,
        text: str,
        suffix: str,
        *,
        path: str | None = None,
        before: str | None = None,
    ) -> Verdict:
        """Say whether the whole buffer parses with the text in it. Evidence is empty.

        Args:
            language: "python", "java" or "cpp"; any other is unknown.
            prefix: the buffer before the hole.
            text: the text to insert.
            suffix: the buffer after the hole.
            path: makes no difference.
            before: makes no difference.

        Raises:
            ImportError: javalang or libclang is not installed.
            OSError: javac or g++ is not installed.
        """
        check = self._checks.get(language)
        if check is None:
            return unknown(f"the paper has no parser for {language}")
        return check(f"{prefix}{text}{suffix}")

    def _compile(self, command: tuple[str, ...], name: str | None, source: str) -> Verdict:
        data = source.encode("utf-8", "replace")
        limits = self._limits
        if command is _JAVAC:
            limits = replace(limits, memory=_JVM_MEMORY)
        with tempfile.TemporaryDirectory() as folder:
            if name is not None:
                (Path(folder) / name).write_bytes(data)
            ended = run(
                command,
                folder=Path(folder),
                limits=limits,
                stdin=b"" if name is not None else data,
                # Debian keeps what the Java machine reads first there.
                readable=list(Path("/etc").glob("java-*")),
            )
        if ended.code is None:
            return unknown("the compiler did not finish within its limits")
        if ended.code == 0:
            return _VALID
        line = _LINE.search(ended.errors)
        if line is None:
            return unknown("the compiler failed and named no line of the buffer")
        return _invalid(int(line[1]), command[0])


def _invalid(line: int, parser: str) -> Verdict:
    return Verdict(Outcome.INVALID, f"line {line}: {parser} rejects the buffer")


def _python(source: str) -> Verdict:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError as error:
        return _invalid(error.lineno or 1, "ast")
    except (RecursionError, MemoryError):
        return unknown("the parser gave up")
    except ValueError:
        return _invalid(1, "ast")
    return _VALID


def _javalang(source: str) -> Verdict:
    import javalang

    try:
        javalang.parse.parse(source)
    except RecursionError:
        return unknown("the parser gave up")
    except Exception as error:
        # javalang raises TypeError, StopIteration and others on what it does not know.
        place = getattr(getattr(error, "at", None), "position", None)
        return _invalid(place[0] if place else 1, "javalang")
    return _VALID


def _libclang(source: str) -> Verdict:
    from clang import cindex

    name = "buffer.cpp"
    unit = cindex.Index.create().parse(
        name, args=["-std=c++20"], unsaved_files=[(name, source)], options=_KEEP_GOING
    )
    for found in unit.diagnostics:
        # What headers are missing makes semantic errors, which the paper's check is not about.
        if found.severity >= found.Error and found.category_name == "Parse Issue":
            return _invalid(found.location.line, "clang")
    return _VALID

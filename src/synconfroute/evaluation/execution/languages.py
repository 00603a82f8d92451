"""How programs of each language are compiled and run."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.execution import harness
from synconfroute.evaluation.execution.limits import COMPILING, MEBIBYTE, Limits
from synconfroute.evaluation.execution.prepared import archive, headers
from synconfroute.evaluation.execution.process import Ended, Processes
from synconfroute.evaluation.execution.program import Program
from synconfroute.evaluation.execution.walls import python

_JAVAC = (
    "-J-Xmx512m", "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-proc:none", "-nowarn",
    "-encoding", "UTF-8",
)  # fmt: skip
_JAVA = (
    "-Xmx512m", "-Xss64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
    "-Xshare:auto",
)  # fmt: skip
_GPP = ("-std=c++17", "-O1", "-w", "-pipe", "-fmax-errors=1")
_WHOLE_LIBRARY = "bits/stdc++.h"
_PUBLIC = re.compile(r"^\s*public\s+(?:(?:final|abstract|strictfp)\s+)*class\s+(\w+)", re.MULTILINE)
_MAIN = (b"main", b"([Ljava/lang/String;)V")
"""What the constants of a class file hold where it defines main (or calls another's)."""

_JAVA_MEMORY = 6144 * MEBIBYTE
_CPP_STACK = 256 * MEBIBYTE
"""As judges of contests set it; recursion is deep there."""


@dataclass(frozen=True, slots=True)
class Runnable:
    """A program that is ready to run.

    Attributes:
        command: what runs it.
        readable: folders and files to read beside the system's.
        limits: what it may take.
        token: it answers a token where it has run to its end.
    """

    command: tuple[str, ...]
    readable: tuple[Path, ...]
    limits: Limits
    token: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """The compiler's no.

    Attributes:
        ended: how the compiler ended.
    """

    ended: Ended


def make(
    program: Program, folder: Path, limits: Limits, processes: Processes
) -> Runnable | Refusal:
    """Make a program ready to run.

    Args:
        program: the program.
        folder: an empty one.
        limits: what it may take when it runs.
        processes: run the compiler.

    Raises:
        EvaluationError: a tool is missing, or programs of the language cannot be run.
    """
    toolchain(program.language)
    return _MAKERS[program.language](program, folder, limits, processes)


@cache
def toolchain(language: str) -> str:
    """Name and version of what runs the language: results of another are not the same.

    Raises:
        EvaluationError: it is missing.
    """
    if language not in _MAKERS:
        raise EvaluationError(f"Programs in {language} cannot be run; {', '.join(_MAKERS)} can.")
    if language == "python":
        return sys.version
    said = [_version(tool) for tool in {"java": ("javac", "java"), "cpp": ("g++",)}[language]]
    return " ".join(said)


def _version(tool: str) -> str:
    path = shutil.which(tool)
    if path is None:
        package = {"g++": "g++", "javac": "a JDK", "java": "a JDK"}[tool]
        raise EvaluationError(f"{tool} is not installed: install {package} to run these programs.")
    done = subprocess.run([path, "--version"], capture_output=True, timeout=60, check=False)
    return done.stdout.decode("utf-8", "replace").partition("\n")[0]


def _python(program: Program, folder: Path, limits: Limits, _: Processes) -> Runnable:
    file = folder / "main.py"
    _write(program.source, file)
    to_end = program.cases is None
    command = (
        python(), "-s", "-S", "-P", "-c", _harness(), str(file), "end" if to_end else "answers",
    )  # fmt: skip
    return Runnable(command, _interpreter(), limits, token=to_end)


def _java(
    program: Program, folder: Path, limits: Limits, processes: Processes
) -> Runnable | Refusal:
    found = _PUBLIC.search(program.source)
    name = found[1] if found else "Main"
    file = folder / f"{name}.java"
    _write(program.source, file)
    tool, compiler = _home("java"), [str(_home("javac")), *_JAVAC]
    readable = [*{tool.parent.parent, _home("javac").parent.parent}, *Path("/etc").glob("java-*")]
    classes = archive(compiler, toolchain("java"), processes, readable)
    if classes is not None:
        compiler.append(f"-J-XX:SharedArchiveFile={classes}")
    ended = processes.run(
        [*compiler, "-d", str(folder), file.name],
        folder,
        COMPILING,
        readable=[*readable, *([classes] if classes else [])],
        trusted=True,
    )
    main = _main_class(folder, name) if ended.code == 0 else None
    if main is None:
        return Refusal(ended)
    roomy = replace(limits, memory=_JAVA_MEMORY)
    return Runnable((str(tool), *_JAVA, "-cp", str(folder), main), tuple(readable), roomy)


def _cpp(
    program: Program, folder: Path, limits: Limits, processes: Processes
) -> Runnable | Refusal:
    _write(program.source, folder / "main.cpp")
    compiled = folder / "main.out"
    command, readable = [str(_home("g++")), *_GPP], []
    if _WHOLE_LIBRARY in program.source:
        first = headers(command, toolchain("cpp"), processes)
        if first is not None:
            command += ["-I", str(first)]
            readable = [first]
    command += ["main.cpp", "-o", str(compiled)]
    ended = processes.run(command, folder, COMPILING, readable=readable, trusted=True)
    if ended.code != 0:
        return Refusal(ended)
    return Runnable((str(compiled),), (), replace(limits, stack=_CPP_STACK))


def _main_class(folder: Path, likely: str) -> str | None:
    """The class to start: that of the file's name if it has main, or another that has."""
    files = sorted(folder.glob("*.class"), key=lambda file: (file.stem != likely, file.stem))
    for file in files:
        data = file.read_bytes()
        if all(part in data for part in _MAIN):
            return file.stem
    return None


def _write(source: str, file: Path) -> None:
    file.write_text(source, encoding="utf-8", errors="replace", newline="")


@cache
def _home(tool: str) -> Path:
    return Path(shutil.which(tool) or tool).resolve()


@cache
def _interpreter() -> tuple[Path, ...]:
    return tuple({Path(sys.base_prefix).resolve(), Path(sys.base_exec_prefix).resolve()})


@cache
def _harness() -> str:
    return Path(harness.__file__).read_text(encoding="utf-8")


_MAKERS = {"python": _python, "java": _java, "cpp": _cpp}

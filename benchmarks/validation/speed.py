"""How long a verdict with evidence takes in a prepared session."""

import asyncio
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.validation.corpora import TRUTH, humaneval_x, safim
from synconfroute.validators.buffer import Buffer
from synconfroute.validators.line_text import Splice
from synconfroute.validators.mirror import Spot
from synconfroute.validators.validator import Validator
from synconfroute.validators.verdict import Outcome

_DEADLINE_S = 0.25
_PATIENT_S = 30.0
_CLASS = {"java": ("class Measured {", "}"), "cpp": ("", "")}


class _Document:
    """A text kept as lines, as an editor's side keeps it."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.size = sum(map(len, lines)) + len(lines)
        self.revision = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def set(self, number: int, line: str) -> Splice:
        self.size += len(line) - len(self.lines[number])
        self.lines[number] = line
        self.revision += 1
        return Splice(number, number + 1, f"{line}\n")


def times(source: list[str], language: str, runs: int) -> tuple[list[float], int]:
    """Milliseconds of each verdict through the parser process, and how many were unknown.

    A line is cut, as if half typed; when the buffer has been prepared, its rest, and its rest with
    one closer too many, are judged.
    """
    return asyncio.run(_times(list(source), language, runs))


def processor_times(source: list[str], language: str, runs: int) -> list[float]:
    """Milliseconds of processor time that each of the same verdicts takes in the parser."""
    buffer = Buffer(language)
    buffer.update("\n".join(source))
    taken = []
    for number in _numbers(source, runs):
        left, right = _cut(source[number])
        above = "".join(f"{line}\n" for line in source[:number])
        buffer.update(f"{above}{left}\n" + "\n".join(source[number + 1 :]))
        for text in (right, f"{right})"):
            started = time.thread_time()
            buffer.judge(len(above) + len(left), text)
            taken.append((time.thread_time() - started) * 1000)
    return taken


async def _times(source: list[str], language: str, runs: int) -> tuple[list[float], int]:
    validator = Validator()
    document = _Document(source)
    taken: list[float] = []
    late = 0
    try:
        validator.open("measured", language, document)
        for number in _numbers(source, runs):
            line = document.lines[number]
            left, right = _cut(line)
            validator.edit("measured", document.set(number, left))
            spot = Spot("measured", document.revision, number, len(left))
            await _prepared(validator, spot)
            for text in (right, f"{right})"):
                started = time.perf_counter()
                verdict = await validator.judge(spot, text, deadline=_DEADLINE_S)
                taken.append((time.perf_counter() - started) * 1000)
                late += verdict is None or verdict.outcome is Outcome.UNKNOWN
            validator.edit("measured", document.set(number, line))
    finally:
        await asyncio.to_thread(validator.close)
    return taken, late


async def _prepared(validator: Validator, spot: Spot) -> None:
    """Prepare as the server does while the model decodes, and wait until it is done."""
    validator.prepare(spot)
    await validator.validate("python", "", "", "", deadline=_PATIENT_S)


def _cut(line: str) -> tuple[str, str]:
    """The half of its code that is typed, and the rest."""
    at = (len(line) + len(line.lstrip())) // 2
    return line[:at], line[at:]


def _numbers(source: list[str], runs: int) -> list[int]:
    """Lines with code, spread over the buffer."""
    code = [number for number, line in enumerate(source) if len(line.strip()) > 8]
    return code[:: max(1, len(code) // runs)][:runs]


def source(data: Path, language: str, lines: int) -> list[str]:
    """Real code of so many lines: whole modules or programs while they fit, then empty lines."""
    head, foot = _CLASS.get(language, ("", ""))
    found = [head]
    for piece in _pieces(data, language):
        more = piece.split("\n")
        if len(found) + len(more) < lines:
            found += more
    return [*found, *[""] * (lines - len(found) - 1), foot]


def _pieces(data: Path, language: str) -> Iterator[str]:
    """Modules of the standard library, or solutions of benchmarks."""
    if language == "python":
        for file in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
            text = file.read_text(encoding="utf-8", errors="replace")
            if "from __future__" not in text:
                yield text
        return
    cases = safim(data, "cpp") if language == "cpp" else humaneval_x(data, language)
    for case in cases:
        program = case.prefix + case.texts[TRUTH] + case.suffix
        yield program if language == "cpp" else _method(program)


def _method(program: str) -> str:
    """What stands in the braces of the class of a program."""
    inside = program[program.index("class") :]
    return inside[inside.index("{") + 1 : inside.rindex("}")]

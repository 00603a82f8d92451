"""What pieces of other files gain: calls in our own source, completed with and without them.

Each hole is the rest of a line behind the opening bracket of a call, or behind the dot of an
object, of something that the file imports from another of our modules. A model cannot know its
parameters and methods from the file alone. It is asked through `complete` itself, by the model that
Ollama serves; where there is none, nothing is measured.
"""

import ast
import asyncio
import hashlib
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.figure import Row, Skipped, figure
from synconfroute.server.completion.answer import Reason
from synconfroute.server.completion.completer import Completer
from synconfroute.server.completion.context.words import plain
from synconfroute.server.completion.hole import Hole
from synconfroute.server.settings.tree import Context, Escalation, Limits, Local, Settings

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "synconfroute"
HOLES = 25
_QUICK = 8
_TOKENS = 32
_LONGEST_PREFIX = 3_500
"""Characters: what stands above a hole is in the prompt whole, with and without other files."""
_SHORTEST = 6
_LOOK_SECONDS = 20.0
_TRIES = 6
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class Case:
    """A hole, and what stands there.

    Attributes:
        hole: what a model is asked.
        truth: the rest of the line.
    """

    hole: Hole
    truth: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a hole.

    Attributes:
        exact: the line is as it was.
        names: its names are those that it had, in their order.
        ms: how long it took.
        files: of so many other files there were pieces.
    """

    exact: bool
    names: bool
    ms: float
    files: int


def cases() -> list[Case]:
    """One hole a file at most, in an order that has nothing to do with their names."""
    found = []
    for file in sorted(SOURCES.rglob("*.py")):
        holes = list(_of(file))
        if holes:
            found.append(min(holes, key=_order))
    return sorted(found, key=_order)[:HOLES]


def measure(quick: bool) -> Iterator[Row]:
    """Right answers and time, with and without pieces of other files."""
    chosen = cases()[:_QUICK] if quick else cases()
    without, given = asyncio.run(_both(chosen))
    if not given:
        yield Skipped(
            "rest of the line, right", "calls of other modules", "no Ollama with a code model runs"
        )
        return
    case = f"{len(given)} calls, {sum(each.files > 0 for each in given)} with pieces"
    beside = "without other files"
    for what in ("exact", "names"):
        yield figure(
            f"rest of the line, {what} right",
            case,
            "answers",
            [sum(getattr(each, what) for each in given)],
            [sum(getattr(each, what) for each in without)],
            beside=beside,
        )
    times = [each.ms for each in given], [each.ms for each in without]
    yield figure("time to an answer, cold prompt", case, "ms", *times, beside=beside)


async def _both(chosen: list[Case]) -> list[list[Outcome]]:
    """The outcomes without and with pieces, each hole in both ways one after the other.

    A hole at which the model failed in one of them is left out.
    """
    without = Settings(
        local=Local(provider="ollama"),
        escalation=Escalation(enabled=False),
        limits=Limits(lines="single", single_line_tokens=_TOKENS, local_deadline_ms=120_000),
    )
    given = replace(without, context=Context(enabled=True))
    outcomes: list[list[Outcome]] = [[], []]
    completers = [
        Completer(settings, on_notice=lambda sentence: print(sentence, file=sys.stderr))
        for settings in (without, given)
    ]
    try:
        if not all([await _ready(completer) for completer in completers]):
            return [[], []]
        for completer in completers:
            completer.follower.folders([ROOT])
        for number, case in enumerate(chosen, 1):
            print(f"hole {number} of {len(chosen)} …", file=sys.stderr, flush=True)
            pair = [await _outcome(completer, case) for completer in completers]
            answered = [outcome for outcome in pair if outcome is not None]
            if len(answered) == len(pair):
                outcomes[0].append(answered[0])
                outcomes[1].append(answered[1])
    finally:
        for completer in completers:
            await completer.aclose()
    return outcomes


async def _ready(completer: Completer) -> bool:
    """Is there a model? One that is busy with others is asked again."""
    for _ in range(_TRIES):
        if not await completer.warm():
            return True
    return False


async def _outcome(completer: Completer, case: Case) -> Outcome | None:
    """What comes of a hole; None where the model failed."""
    await completer.look_around(case.hole, _LOOK_SECONDS)
    started = time.perf_counter()
    answer = await completer.complete(case.hole)
    ms = (time.perf_counter() - started) * 1000
    if answer.provenance.reason is Reason.ERROR:
        return None
    text = (answer.text or "").partition("\n")[0].strip()
    names = _NAME.findall(text) == _NAME.findall(case.truth)
    return Outcome(text == case.truth, names, ms, answer.provenance.context_files)


def _of(file: Path) -> Iterator[Case]:
    """The holes of a file."""
    text = file.read_text(encoding="utf-8")
    imported = {plain(name) for name in _imported(ast.parse(text))}
    start = 0
    for line in text.splitlines(keepends=True):
        for match in re.finditer(r"([^\W\d]\w*)[(.]", line):
            truth = line[match.end() :].rstrip("\n")
            called = plain(match[1]) in imported and _says(truth)
            if called and start + match.end() <= _LONGEST_PREFIX and _is_code(line):
                end = start + match.end()
                yield Case(_hole(file, text[:end], text[end + len(truth) :]), truth)
        start += len(line)


def _says(truth: str) -> bool:
    """Is there something to know, and does it end with the line?"""
    if len(truth) < _SHORTEST or not re.match(r"[\w\"']", truth):
        return False
    return truth.count("(") <= truth.count(")") and ")" in truth


def _is_code(line: str) -> bool:
    begun = line.lstrip().startswith(("import ", "from ", "def ", "class ", "@", "#", '"'))
    return line.startswith(" ") and not begun and '"""' not in line and "`" not in line


def _imported(module: ast.Module) -> Iterator[str]:
    """Names that a module has from other modules of ours."""
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("synconfroute."):
            yield from (alias.asname or alias.name for alias in node.names)


def _hole(file: Path, prefix: str, suffix: str) -> Hole:
    return Hole("python", prefix, suffix, path=str(file), uri=file.as_uri(), explicit=True)


def _order(case: Case) -> str:
    name = Path(case.hole.path or "").relative_to(ROOT).as_posix()
    return hashlib.sha256(f"{name}:{len(case.hole.prefix)}".encode()).hexdigest()

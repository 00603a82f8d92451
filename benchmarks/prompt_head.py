"""How much of a prompt for the organisation's server its cache already holds.

A server keeps what it has computed of earlier prompts, from their beginning on: of a new prompt
only what stands behind the first difference is computed. So what counts is how much of it, from its
first byte on, is that of the request before.

A trace types functions of real files anew, key by key with slips and deletions, in files of several
lengths; after some of the keys a request goes to the organisation's server. Beside ours stands the
same prompt with the code cut to a number of characters before the cursor. Sends nothing and needs
no model: `python -m benchmarks.prompt_head`.
"""

import argparse
import ast
import random
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from benchmarks.figure import Figure, figure
from benchmarks.table import plain as as_table
from synconfroute.clients.fim import render
from synconfroute.clients.model import TextPrompt
from synconfroute.clients.token_counts import CHARACTERS_PER_TOKEN
from synconfroute.server.completion.block_due import extent_of
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import SUFFIX_TOKENS, Ask, build_request
from synconfroute.server.settings.tree import Limits, Org

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src" / "synconfroute"
FAMILIES = ("qwen", "codestral")
"""One that wants the code before the cursor first, and one that wants the code after it first."""

_ESCALATED = 0.25
"""The share of the requests that go to the organisation's server."""
_SLIP = 0.04
_LONGEST = 600
"""Characters of a function that are typed."""
_OTHERS = 6
"""Pieces of other files, where a prompt has some."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is typed.

    Attributes:
        above: what stands above it.
        typed: what is typed.
        below: what stands below it.
    """

    above: str
    typed: str
    below: str


def places(lines: int) -> Iterator[Place]:
    """Bodies of functions in texts of at least so many lines, made of whole files of ours."""
    files = sorted(SOURCES.rglob("*.py"))
    text = ""
    for file in files:
        text += file.read_text(encoding="utf-8")
        if text.count("\n") >= lines:
            place = _in(text)
            text = ""
            if place is not None:
                yield place


def _in(text: str) -> Place | None:
    """The body of a function near the middle of a text."""
    split = text.splitlines(keepends=True)
    try:
        tree = ast.parse(text)
    except SyntaxError:  # two files with a `from __future__`
        return None
    bodies = [
        (node.body[0].lineno - 1, node.end_lineno or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and len(node.body) > 1
    ]
    if not bodies:
        return None
    first, end = min(bodies, key=lambda body: abs(body[0] - len(split) // 2))
    typed = "".join(split[first:end])[:_LONGEST]
    return Place("".join(split[:first]), typed, "\n" + "".join(split[end:]))


def holes(place: Place, chance: random.Random) -> Iterator[Hole]:
    """The holes of the requests that go to the organisation's server, in order."""
    typed = ""
    for character in place.typed:
        if chance.random() < _SLIP:
            typed += chance.choice("abcdefgh(")
            if chance.random() < _ESCALATED:
                yield Hole("python", place.above + typed, place.below)
            typed = typed[:-1]
        typed += character
        if chance.random() < _ESCALATED:
            yield Hole("python", place.above + typed, place.below)


def ours(hole: Hole, ask: Ask, context: tuple[Snippet, ...]) -> bytes:
    """The prompt that is sent."""
    extent = extent_of(hole, Limits())
    request = build_request(hole, ask, max_tokens=extent.max_tokens, request_id="", context=context)
    assert isinstance(request.prompt, TextPrompt)
    return request.prompt.text.encode()


def plain(hole: Hole, ask: Ask, context: tuple[Snippet, ...]) -> bytes:
    """As many characters before the cursor as fit: it begins elsewhere after every key."""
    assert ask.family is not None
    room = ask.context_tokens - ask.longest_answer - SUFFIX_TOKENS
    most = int(room * CHARACTERS_PER_TOKEN)
    prefix = hole.prefix[len("".join(piece.text for piece in context)) - most :]
    suffix = hole.suffix[: int(SUFFIX_TOKENS * CHARACTERS_PER_TOKEN)]
    return render(
        ask.family, prefix, suffix, path="a.py" if context else "", pieces=context
    ).encode()


def shares(prompts: list[bytes]) -> list[float]:
    """Of each prompt but the first, in percent: what is the same as in the one before it."""
    return [100 * _shared(before, after) / len(after) for before, after in pairwise(prompts)]


def _shared(before: bytes, after: bytes) -> int:
    """How many bytes are the same, from the first on."""
    pairs = enumerate(zip(before, after, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(before), len(after)))


def measure(quick: bool) -> Iterator[Figure]:
    """By length of the file, family, and with pieces of other files."""
    for lines in (200, 1_000, 4_000):
        found = list(places(lines))[: 3 if quick else 12]
        for family in FAMILIES:
            for pieces in (0, _OTHERS):
                yield _measured(found, lines, family, pieces)


def _measured(found: list[Place], lines: int, family: str, pieces: int) -> Figure:
    ask = Ask(
        family,
        chat=False,
        grammar=False,
        context_tokens=Org().context_tokens,
        longest_answer=Limits().multi_line_tokens,
    )
    context = tuple(
        Snippet(
            f"other_{number}.py", f"def other_{number}(a, b):\n    return a * {number} + b\n" * 4
        )
        for number in range(pieces)
    )
    mine: list[float] = []
    other: list[float] = []
    for number, place in enumerate(found):
        typed = [replace(hole, path="a.py") for hole in holes(place, random.Random(number))]
        mine += shares([ours(hole, ask, context) for hole in typed])
        other += shares([plain(hole, ask, context) for hole in typed])
    return figure(
        "prompt that is that of the request before",
        f"{lines:,} lines, {family}, {'with' if pieces else 'without'} other files",
        "%",
        [statistics.fmean(mine)],
        [statistics.fmean(other)],
        beside="cut by characters",
    )


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks.prompt_head", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer places")
    print(as_table(list(measure(parser.parse_args().quick))))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The first token of a real model, with and without its prompt read before.

The embedded engine with its starter model (`synconfroute engine pull`) completes half-written lines
in files of this package, each file once: some cold, as when a user turns to a file and types at
once; the others half a second after the same place was read ahead, with half of the line typed
since. Both in turns.

    python -m benchmarks.read_ahead [--files N]
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.figure import figure
from benchmarks.table import plain
from synconfroute.clients.embedded import Embedded
from synconfroute.clients.model import GenerationRequest
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.prompt import build_request
from synconfroute.server.completion.tiers import Choice, Served, served
from synconfroute.server.settings.tree import Settings

_SOURCES = Path(__file__).parents[1] / "src" / "synconfroute"
_SHORTEST = 6_000
_REST_S = 0.5
"""Between two requests, so that a machine that throttles does so for both."""
_MIDDLE = 40
"""So many lines stand before and behind a hole at least."""


def main() -> int:
    """Print one table."""
    parser = argparse.ArgumentParser("python -m benchmarks.read_ahead", description=__doc__)
    parser.add_argument("--files", type=int, default=40, help="so many files")
    cold, warm, reading = asyncio.run(_measured(parser.parse_args().files))
    rows = [
        figure("first token after reading ahead", "starter model", "ms", warm, cold, beside="cold"),
        figure("reading ahead", "starter model", "ms", reading),
    ]
    print(plain(rows))
    return 0


async def _measured(files: int) -> tuple[list[float], list[float], list[float]]:
    client = Embedded()
    try:
        await _first_token(client, _request(Hole("python", "x = ", ""), await _ready(client)))
        model = await _ready(client)  # the engine runs, and knows its speed
        cold, warm, reading = [], [], []
        for number, (at_rest, typed) in enumerate(_holes(files)):
            if number % 2:
                read = replace(_request(at_rest, model), max_tokens=1, grammar=None)
                reading.append(await _first_token(client, read))
                await asyncio.sleep(_REST_S)
                warm.append(await _first_token(client, _request(typed, model)))
            else:
                cold.append(await _first_token(client, _request(typed, model)))
            await asyncio.sleep(_REST_S)
        return cold, warm, reading
    finally:
        await client.aclose()


async def _ready(client: Embedded) -> Served:
    return served(Choice(client, await client.probe(), "it is measured"), Settings())


def _request(hole: Hole, model: Served) -> GenerationRequest:
    return build_request(hole, model.ask, max_tokens=8, request_id="")


async def _first_token(client: Embedded, request: GenerationRequest) -> float:
    """Milliseconds to the first token, or to the end where there is none; read to its end."""
    started = time.perf_counter()
    took = 0.0
    async with await client.stream(request) as stream:
        async for _ in stream:
            took = took or (time.perf_counter() - started) * 1000
    return took or (time.perf_counter() - started) * 1000


def _holes(files: int) -> Iterator[tuple[Hole, Hole]]:
    """At a line's start, and the same with half of the line typed."""
    chance = random.Random(4)
    sources = [file for file in sorted(_SOURCES.rglob("*.py")) if file.stat().st_size > _SHORTEST]
    for file in chance.sample(sources, min(files, len(sources))):
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        written = [
            number
            for number in range(_MIDDLE, len(lines) - _MIDDLE)
            if len(lines[number].strip()) > 1
        ]
        if not written:
            continue
        at = chance.choice(written)
        line = lines[at].rstrip("\n")
        before, after = "".join(lines[:at]), "\n" + "".join(lines[at + 1 :])
        hole = Hole("python", before, after, path=str(file))
        yield hole, replace(hole, prefix=before + line[: len(line) // 2 + 1])


if __name__ == "__main__":
    sys.exit(main())

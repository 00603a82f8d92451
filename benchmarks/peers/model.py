"""The knowing model as a process of its own, in the protocol of one of several servers.

Its first line on stdout is its port. After that, a line of JSON for each generation that is over:
the generation, and the end of what stood left of its place. It ends when its stdin is closed.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict

from benchmarks.model.pace import Steady
from benchmarks.model.record import Came, Generation
from benchmarks.model.script import Asked, Token
from benchmarks.model.serving import Model, listen
from benchmarks.model.shape import Shape
from benchmarks.model.shapes import SHAPES as _SERVERS
from benchmarks.peers.llama_cpp import Infill, LlamaCpp
from benchmarks.peers.tabby import Tabby
from benchmarks.trace.knowing import TAIL, Knowing
from benchmarks.trace.passages import passages

SHAPES: dict[str, type[Shape]] = {**_SERVERS, "tabby": Tabby, "llama_cpp": LlamaCpp}
SPEED = Steady(first=0.15, next=0.01)
"""A small model on a laptop's GPU."""


class _Noting:
    """A script that notes what each generation was asked for, by its number."""

    def __init__(self, knowing: Knowing, speed: Steady) -> None:
        self._knowing = knowing
        self._speed = speed
        self.lefts: dict[int, str] = {}

    def answer(self, asked: Asked) -> Iterator[Token]:
        """What the model writes, within limits that are llama.cpp's own."""
        self.lefts[len(self.lefts) + 1] = asked.prefix[-TAIL:]
        tokens = self._knowing.answer(asked)
        return _within(tokens, asked, self._speed) if isinstance(asked, Infill) else tokens


def _within(tokens: Iterator[Token], asked: Infill, speed: Steady) -> Iterator[Token]:
    """The tokens up to where the time that was given is over, or the indentation is less."""
    text = ""
    for number, token in enumerate(tokens):
        over = asked.budget is not None and number * speed.next > asked.budget and "\n" in text
        if over or _dedented(text + token.text, asked.indent):
            return
        text += token.text
        yield token


def _dedented(text: str, indent: int) -> bool:
    """Does a line's first visible character stand too far to the left?"""
    line = text.rpartition("\n")[2]
    visible = line.lstrip(" \t")
    return "\n" in text and bool(visible) and len(line) - len(visible) < indent


async def _serve(shape: Shape, script: _Noting, speed: Steady) -> None:
    def tell(event: Came | Generation) -> None:
        if isinstance(event, Generation):
            line = {"generation": asdict(event), "left": script.lefts[event.number]}
            print(json.dumps(line), flush=True)

    server = await listen(Model(shape, script, speed, tell))
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    server.close()


def main() -> None:
    """Serve until stdin is closed."""
    by_name = {passage.name: passage for passage in passages()}
    parser = argparse.ArgumentParser("python -m benchmarks.peers.model", description=__doc__)
    parser.add_argument("--shape", choices=SHAPES, default="ollama", help="whose protocol: ollama")
    parser.add_argument("--passage", choices=by_name, required=True, help="what it knows")
    parser.add_argument("--seed", default="", help="draws what it does not know")
    parser.add_argument("--first-ms", type=float, default=SPEED.first * 1000)
    parser.add_argument("--next-ms", type=float, default=SPEED.next * 1000)
    options = parser.parse_args()
    knowing = Knowing(by_name[options.passage], options.seed)
    speed = Steady(options.first_ms / 1000, options.next_ms / 1000)
    asyncio.run(_serve(SHAPES[options.shape](), _Noting(knowing, speed), speed))


if __name__ == "__main__":
    main()

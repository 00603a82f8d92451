"""What a request allocates in the server, apart from the measurement of time.

The server runs with Python's own tracer, which slows it down; the parser process is not traced.
"""

import json
import socket
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

from benchmarks import local_tier
from benchmarks.added import LINES
from benchmarks.editing import Opened
from benchmarks.figure import Figure, figure
from benchmarks.local_tier import SHAPES, PlainClient
from benchmarks.processes import ScriptedModel, scripted_model, session
from benchmarks.samples import python_source

_UNCOUNTED = 5
_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Held:
    """Memory that is traced.

    Attributes:
        now: bytes.
        most: the most bytes since it was asked last.
        blocks: pieces that Python's allocator has given out.
    """

    now: int
    most: int
    blocks: int


class Tracer:
    """Asks a traced server."""

    def __init__(self, listening: socket.socket) -> None:
        """Wait for the server to connect."""
        listening.settimeout(_SECONDS)
        self._connection, _ = listening.accept()
        self._lines = self._connection.makefile("rb")

    def held(self) -> Held:
        """What it holds now, all garbage collected."""
        self._connection.sendall(b"?")
        return Held(**json.loads(self._lines.readline()))

    def close(self) -> None:
        """Hang up."""
        self._lines.close()
        self._connection.close()


def measure(quick: bool) -> Iterator[Figure]:
    """In each shape, at each size of the document; quickly: in one, at two sizes."""
    for shape in SHAPES[:1] if quick else SHAPES:
        yield from _of_shape(shape, LINES[1::2] if quick else LINES, 5 if quick else 30)


def _of_shape(shape: str, sizes: Sequence[int], runs: int) -> Iterator[Figure]:
    with (
        scripted_model(local_tier.module(shape), first_ms=1, next_ms=1) as model,
        socket.create_server(("127.0.0.1", 0)) as listening,
        session(
            *local_tier.settings(shape, model),
            program="benchmarks.traced_server",
            environment={"BENCHMARK_PORT": str(listening.getsockname()[1])},
        ) as editor,
        closing(Tracer(listening)) as tracer,
    ):
        editor.initialize()
        for lines in sizes:
            document = Opened(editor, python_source(lines), uri=f"file:///bench/{lines}.py")
            document.go(lines // 8 * 4 + 1, 0)
            document.type("    \n")
            document.go(lines // 8 * 4 + 1, 4)
            most, left, sent = [], [], 0
            for run in range(-_UNCOUNTED, runs):
                before = tracer.held()
                document.type("v")
                assert document.complete(), "nothing was shown"
                after = tracer.held()
                sent = model.generation().sent
                if run >= 0:
                    most.append((after.most - before.now) / 1000)
                    left.append((after.now - before.now) / 1000)
            plain = _plain(shape, model, sent, runs)
            case = f"{lines:,} lines, {shape}"
            beside = "same request, plain http.client"
            yield figure("memory that a request takes", case, "kB", most, plain, beside=beside)
            yield figure("memory that a request leaves", case, "kB", left)


def _plain(shape: str, model: ScriptedModel, size: int, runs: int) -> list[float]:
    """The same of the plain client, traced in this process."""
    taken = []
    with closing(PlainClient(shape, model)) as client:
        client.read(size)
        model.generation()
        tracemalloc.start()
        for _ in range(runs):
            before, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            client.read(size)
            taken.append((tracemalloc.get_traced_memory()[1] - before) / 1000)
            model.generation()
        tracemalloc.stop()
    return taken

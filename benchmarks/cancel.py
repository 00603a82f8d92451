"""From a cancellation to the closed model stream, seen at the model server's socket."""

import random
import time
from collections.abc import Iterator

from benchmarks import local_tier
from benchmarks.editing import Opened
from benchmarks.figure import Figure, figure
from benchmarks.local_tier import SHAPES
from benchmarks.processes import scripted_model, session

MOST_MS = 50.0
_CANCELLED = -32800


def measure(quick: bool) -> Iterator[Figure]:
    """Cancelled at some moment while the model generates."""
    for shape in SHAPES:
        closed = list(_closed(shape, 10 if quick else 50))
        yield figure("cancel to closed stream", shape, "ms", closed, hold=MOST_MS)


def _closed(shape: str, runs: int) -> Iterator[float]:
    moments = random.Random(1)
    with (
        scripted_model(local_tier.module(shape), first_ms=20, next_ms=5, endless=True) as model,
        session(*local_tier.settings(shape, model), "limits.single_line_tokens=1024") as editor,
    ):
        editor.initialize()
        document = Opened(editor, "def f():\n    ")
        document.go(1, 4)
        for _ in range(runs):
            name = document.begin()
            model.came()
            time.sleep(moments.random() * 0.2)
            cancelled = time.monotonic()
            editor.notify("$/cancelRequest", {"id": name})
            assert editor.answer(name)["error"]["code"] == _CANCELLED
            yield (model.generation().ended - cancelled) * 1000

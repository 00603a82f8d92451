"""What one keystroke costs in the document store, beside pygls' own."""

import time
from collections.abc import Callable, Iterator

from lsprotocol import types
from pygls.workspace import TextDocument

from benchmarks.figure import Figure, figure
from benchmarks.samples import python_source
from synconfroute.server.protocol.documents import Document
from synconfroute.server.protocol.positions import Encoding

SIZES = (100, 1_000, 10_000, 100_000)


def measure(quick: bool) -> Iterator[Figure]:
    """A character typed in the middle of documents of all sizes; then a new line."""
    for lines in SIZES:
        text = python_source(lines)
        ours = Document(types.TextDocumentItem("file:///a.py", "python", 1, text), Encoding.UTF16)
        other = TextDocument("file:///a.py", text, 1, "python")
        few = (5 if quick else 30) if lines >= 10_000 else 100
        many = 500 if quick else 3000
        for what, inserted in (("keystroke", "x"), ("new line", "\n    ")):
            change = _typed(lines // 2, inserted)
            yield figure(
                what,
                f"{lines:,} lines",
                "µs",
                _times(ours.apply, change, many),
                _times(other.apply_change, change, few),
                beside="pygls TextDocument",
                hold=100,
                held="p50",
            )


def _typed(line: int, text: str) -> types.TextDocumentContentChangePartial:
    place = types.Position(line, 4)
    return types.TextDocumentContentChangePartial(range=types.Range(place, place), text=text)


def _times(
    apply: Callable[[types.TextDocumentContentChangePartial], object],
    change: types.TextDocumentContentChangePartial,
    runs: int,
) -> list[float]:
    samples = []
    for _ in range(runs):
        started = time.perf_counter()
        apply(change)
        samples.append((time.perf_counter() - started) * 1e6)
    return samples

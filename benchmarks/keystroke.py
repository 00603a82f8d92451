"""What one keystroke costs: in the document store, beside pygls' own, and as a message of LSP."""

import time
from collections.abc import Callable, Iterator

from lsprotocol import types
from pygls.workspace import TextDocument

from benchmarks.editing import Opened, nothing
from benchmarks.figure import Figure, figure
from benchmarks.processes import Session, session
from benchmarks.samples import python_source
from synconfroute.server.protocol.documents import Document
from synconfroute.server.protocol.positions import Encoding

SIZES = (100, 1_000, 10_000, 100_000)
MOST_US = 100
_BURST = 200


def measure(quick: bool) -> Iterator[Figure]:
    """In the store, then as messages."""
    yield from _in_the_store(quick)
    yield from _as_messages(5 if quick else 30)


def _in_the_store(quick: bool) -> Iterator[Figure]:
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
                hold=MOST_US,
                held="p50",
            )


def _as_messages(rounds: int) -> Iterator[Figure]:
    """Keys sent as fast as they are taken, until a request behind them is answered.

    All that a key costs our server: reading, JSON, the store, the parser process that follows.
    """
    with session() as editor:
        editor.initialize()
        documents = {}
        for lines in (SIZES[0], SIZES[-1]):
            text = python_source(lines)
            documents[lines] = Opened(editor, text, uri=f"file:///bench/{lines}.py")
            documents[lines].go(lines // 2, 4)
            _burst(editor, documents[lines])
        times: dict[int, list[float]] = {lines: [] for lines in documents}
        for _ in range(rounds):
            for lines, document in documents.items():
                times[lines].append(_burst(editor, document))
    small, large = times.values()
    yield figure(
        "keystroke as a message", f"{SIZES[-1]:,} lines", "µs", large, small,
        beside=f"{SIZES[0]:,} lines",
    )  # fmt: skip


def _burst(editor: Session, document: Opened) -> float:
    """Microseconds a key."""
    started = time.perf_counter()
    for _ in range(_BURST):
        document.type("x")
    nothing(editor)
    return (time.perf_counter() - started) * 1e6 / _BURST


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

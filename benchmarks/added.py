"""A key with its completion request over stdio: what is added to the model's own time.

What is added is the time from the key's notification to the answer, less the time between the
request's arrival at the model and its last token there. So it holds our protocol, hole, cleaning
and validation, and the HTTP that a plain client pays, too.
"""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from benchmarks.editing import Opened, nothing
from benchmarks.figure import Figure, figure
from benchmarks.local_tier import SHAPES, PlainClient, module, settings
from benchmarks.model.record import Generation
from benchmarks.processes import (
    ScriptedModel,
    Session,
    processor_seconds,
    scripted_model,
    session,
)
from benchmarks.samples import python_source

LINES = (100, 1_000, 10_000, 100_000)
RUNS = {0: 250, 50: 100, 150: 50}
"""Requests a size of document, by the milliseconds that the model takes for the whole answer."""

HOLDS = {1_000: {"p50": 3.0, "p99": 10.0}, 100_000: {"p99": 20.0}}
"""Most added ms, by lines, by what is ours: protocol, hole, cleaning, validation."""

IN_MEMORY_MS = (0, 50)
"""What a model in memory takes. No real one takes none: while it reads the prompt the parser is
made ready, and while it comes to its end the text is judged."""

MOST_SLOWER = 1.05
_SLOW_MS = 150
_QUICKER = 8
_UNCOUNTED = 8
"""Requests before the first that counts: they find the model and start the parser process."""

_EACH_PLAIN = 3
"""The plain client asks once for so many of our requests."""

_MOMENTS = 6
"""The model's moments: five tokens, and its own end."""


@dataclass(slots=True)
class Times:
    """Of one way of asking, in ms.

    Attributes:
        whole: from the key, or the request, to the answer.
        added: the same less the model's own.
        unknown: how many verdicts were unknown.
    """

    whole: list[float] = field(default_factory=list)
    added: list[float] = field(default_factory=list)
    unknown: int = 0

    def take(self, seconds: float, own: float) -> None:
        """One more."""
        self.whole.append(seconds * 1000)
        self.added.append((seconds - own) * 1000)


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one model.

    Attributes:
        ours: by lines.
        plain: the plain client's.
        processor: ms of processor time that a request took server and parser process, with the
            key before it, in the mean.
    """

    ours: dict[int, Times]
    plain: Times
    processor: float


def measure(quick: bool) -> Iterator[Figure]:
    """Without HTTP; then in each shape, at each speed of the model and size of the document."""
    for milliseconds in IN_MEMORY_MS:
        yield from _without_http(milliseconds, RUNS[50] // _QUICKER if quick else RUNS[50])
    for shape in SHAPES:
        for milliseconds, runs in RUNS.items():
            measured = _measured(shape, milliseconds, runs // _QUICKER if quick else runs)
            how = f"{shape}, {milliseconds} ms"
            for lines, times in measured.ours.items():
                yield from _figures(lines, how, times, measured.plain)
            yield figure(
                "processor time of a request", f"all sizes, {how}", "ms", [measured.processor]
            )


def _without_http(own: int, runs: int) -> Iterator[Figure]:
    """All that is ours, with a model that answers from memory; its time is taken off."""
    with (
        scripted_model("ollama", first_ms=0, next_ms=0) as model,
        session(
            *settings("Ollama", model),
            program="benchmarks.server_without_http",
            environment={"BENCHMARK_MODEL_MS": str(own)},
        ) as editor,
    ):
        editor.initialize()
        documents = {lines: _opened(editor, lines) for lines in LINES}
        ours: dict[int, list[float]] = {lines: [] for lines in LINES}
        unanswered: list[float] = []
        for run in range(-_UNCOUNTED, runs):
            for lines, document in documents.items():
                took = _milliseconds(document) - own
                if run >= 0:
                    ours[lines].append(took)
            started = time.perf_counter()
            nothing(editor)
            unanswered.append((time.perf_counter() - started) * 1000)
        for lines, milliseconds in ours.items():
            yield figure(
                "added per request, HTTP apart", f"{lines:,} lines, {own} ms", "ms", milliseconds,
                unanswered,
                beside="same server, nothing to answer", hold=HOLDS.get(lines),
            )  # fmt: skip


def _milliseconds(document: Opened) -> float:
    """From a key to the text that is shown for it."""
    started = time.perf_counter()
    document.type("v")
    assert document.complete(), "nothing was shown"
    return (time.perf_counter() - started) * 1000


def _figures(lines: int, how: str, times: Times, plain: Times) -> Iterator[Figure]:
    case, beside = f"{lines:,} lines, {how}", "same request, plain http.client"
    yield figure(
        "added per request", case, "ms", times.added, plain.added, beside=beside
    )  # fmt: skip
    if how.endswith(f" {_SLOW_MS} ms"):
        yield figure(
            "time to ghost text", case, "ms", times.whole, plain.whole,
            beside=beside, hold=MOST_SLOWER, held="ratio",
        )  # fmt: skip
    if lines == LINES[-1]:
        share = 100 * times.unknown / len(times.added)
        yield figure("verdicts that are unknown", case, "%", [share])


def _measured(shape: str, milliseconds: int, runs: int) -> Measured:
    """All in turn, so that a busy machine is so for all."""
    ours, plain = {lines: Times() for lines in LINES}, Times()
    step = milliseconds / _MOMENTS
    with (
        scripted_model(module(shape), first_ms=step, next_ms=step) as model,
        session(*settings(shape, model)) as editor,
        closing(PlainClient(shape, model)) as client,
    ):
        editor.initialize()
        documents = {lines: _opened(editor, lines) for lines in LINES}
        spent = 0.0
        for run in range(-_UNCOUNTED, runs):
            if run == 0:
                spent = processor_seconds(editor)
            for lines, document in documents.items():
                times = ours[lines] if run >= 0 else Times()
                own = _complete(document, model, times)
                if lines == LINES[-1]:
                    times.unknown += document.provenance()["verdict"] == "unknown"
            if run % _EACH_PLAIN == 0:
                seconds = client.read(own.sent)
                (plain if run >= 0 else Times()).take(seconds, model.generation().seconds)
        spent = processor_seconds(editor) - spent
    return Measured(ours, plain, 1000 * spent / (runs * len(documents)))


def _opened(editor: Session, lines: int) -> Opened:
    """A document with the cursor in its middle, in an empty line of a function."""
    document = Opened(editor, python_source(lines), uri=f"file:///bench/{lines}.py")
    line = lines // 8 * 4 + 1
    document.go(line, 0)
    document.type("    \n")
    document.go(line, 4)
    return document


def _complete(document: Opened, model: ScriptedModel, times: Times) -> Generation:
    """Type a character and complete; what the model did."""
    started = time.perf_counter()
    document.type("v")
    items = document.complete()
    seconds = time.perf_counter() - started
    assert items, "nothing was shown"
    own = model.generation()
    times.take(seconds, own.seconds)
    return own

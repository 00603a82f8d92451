"""From the start of the process to the answer to `initialize`, beside importing pygls alone."""

import sys
import time
from collections.abc import Iterator

from benchmarks.figure import Figure, figure
from benchmarks.processes import seconds_to_first_line, session

MOST_TIMES = 1.2
_IMPORT_PYGLS = [sys.executable, "-c", "import pygls.lsp.server; print(flush=True)"]
_UNCOUNTED = 2
"""Starts before the first that counts: they bring the files into memory and compile them."""


def measure(quick: bool) -> Iterator[Figure]:
    """Both in turn, so that a busy machine is busy for both."""
    ours, other = [], []
    for run in range(-_UNCOUNTED, 7 if quick else 40):
        alone, server = seconds_to_first_line(_IMPORT_PYGLS), _started()
        if run >= 0:
            other.append(alone * 1000)
            ours.append(server * 1000)
    yield figure(
        "start to initialize", "synconfroute serve", "ms", ours, other,
        beside="import pygls", hold=MOST_TIMES, held="ratio",
    )  # fmt: skip


def _started() -> float:
    started = time.perf_counter()
    with session() as editor:
        editor.initialize(initialized=False)
        return time.perf_counter() - started

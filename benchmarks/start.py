"""From the start of the process to the answer to `initialize`, beside importing pygls alone."""

import sys
import time
from collections.abc import Iterator

from benchmarks.figure import Figure, figure
from benchmarks.processes import seconds_to_first_line, session

_IMPORT_PYGLS = [sys.executable, "-c", "import pygls.lsp.server; print(flush=True)"]


def measure(quick: bool) -> Iterator[Figure]:
    """Both in turn, so that a busy machine is busy for both."""
    ours, other = [], []
    for _ in range(5 if quick else 20):
        other.append(seconds_to_first_line(_IMPORT_PYGLS) * 1000)
        started = time.perf_counter()
        with session() as editor:
            editor.initialize(initialized=False)
            ours.append((time.perf_counter() - started) * 1000)
    yield figure(
        "start to initialize",
        "synconfroute serve",
        "ms",
        ours,
        other,
        beside="import pygls",
        hold=1.2,
        held="ratio",
    )

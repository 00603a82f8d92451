"""The longest that the server's event loop is held by one callback."""

import tempfile
import time
from pathlib import Path

from benchmarks.editing import Opened
from benchmarks.model.ollama import MODEL
from benchmarks.processes import Session, scripted_model, session
from benchmarks.samples import python_source

_UNCOUNTED = 5
"""Requests before the first that counts: they import, find the model and start the parser."""


def longest(lines: int, runs: int) -> float:
    """Milliseconds of processor time, over so many characters typed and completed."""
    with tempfile.TemporaryDirectory() as folder, scripted_model(first_ms=20, next_ms=1) as model:
        settings = ("local.provider=ollama", f"local.url={model.url}", f"local.model={MODEL}")
        taken = Path(folder) / "taken"
        with taken.open("wb") as file:
            program = "benchmarks.validation.timed_server"
            with session(*settings, program=program, errors=file) as editor:
                editor.initialize()
                since = _typed(editor, lines, runs)
                editor.ask("shutdown", None)
                editor.notify("exit", None)
                editor.wait()
        rows = [line.split() for line in taken.read_text().splitlines()]
    return max(float(took) for began, took in rows if float(began) >= since)


def _typed(editor: Session, lines: int, runs: int) -> float:
    """Type and complete; the moment from which on callbacks count."""
    document = Opened(editor, python_source(lines))
    document.go(lines // 8 * 4 + 1, 0)
    document.type("    \n")
    document.go(lines // 8 * 4 + 1, 4)
    since = 0.0
    for run in range(_UNCOUNTED + runs):
        if run == _UNCOUNTED:
            since = time.monotonic()
        document.type("v")
        assert document.complete(), "nothing was shown"
    return since

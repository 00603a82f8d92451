"""A keystroke with its completion request over stdio: what is added to the model's own time."""

import http.client
import json
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.figure import Figure, figure
from benchmarks.model.ollama import MODEL
from benchmarks.processes import ScriptedModel, Session, scripted_model, session
from benchmarks.samples import python_source

URI = "file:///bench/a.py"
HOLD = {1_000: None, 100_000: 5.0}
"""Most added ms by document size. The small one is parsed anew for each answer, which costs what
Python's own parser takes; no promise is made for it before validation is incremental."""

_UNCOUNTED = 5
"""Requests before the first that counts: they find the model and start the parser process."""


def measure(quick: bool) -> Iterator[Figure]:
    """At 1,000 lines, where the answer is parsed, and at 100,000, where it is not."""
    runs = 60 if quick else 300
    with scripted_model(first_ms=50, next_ms=2) as model:
        straight = [_straight(model) for _ in range(runs)]
        for lines, most in HOLD.items():
            with session(
                "local.provider=ollama", f"local.url={model.url}", f"local.model={MODEL}"
            ) as editor:
                editor.initialize()
                added = [*_typed(editor, model, lines, runs)]
            yield figure(
                "added by edit and request",
                f"{lines:,} lines",
                "ms",
                added,
                straight,
                beside="same model, plain http.client",
                hold=most,
                held="p50",
            )


def _straight(model: ScriptedModel) -> float:
    """Milliseconds beyond the model's own for a client that only reads the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", model.port, timeout=20)
    started = time.perf_counter()
    connection.request("POST", "/api/generate", json.dumps({"model": MODEL, "prompt": "x"}))
    connection.getresponse().read()
    took = time.perf_counter() - started
    connection.close()
    return (took - model.generation().seconds) * 1000


def _typed(editor: Session, model: ScriptedModel, lines: int, runs: int) -> Iterator[float]:
    """Milliseconds beyond the model's own for each character typed and completed."""
    item = {"uri": URI, "languageId": "python", "version": 0, "text": python_source(lines)}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    line = lines // 8 * 4 + 1
    _edit(editor, 1, line, 0, "    \n")
    for run in range(_UNCOUNTED + runs):
        started = time.perf_counter()
        _edit(editor, run + 2, line, 4 + run, "v")
        answer = _complete(editor, line, 5 + run)
        took = time.perf_counter() - started
        assert answer["result"]["items"], answer
        own = model.generation().seconds
        if run >= _UNCOUNTED:
            yield (took - own) * 1000


def _edit(editor: Session, version: int, line: int, character: int, text: str) -> None:
    place = {"line": line, "character": character}
    params = {
        "textDocument": {"uri": URI, "version": version},
        "contentChanges": [{"range": {"start": place, "end": place}, "text": text}],
    }
    editor.notify("textDocument/didChange", params)


def _complete(editor: Session, line: int, character: int) -> Any:
    params = {
        "textDocument": {"uri": URI},
        "position": {"line": line, "character": character},
        "context": {"triggerKind": 2},
    }
    return editor.ask("textDocument/inlineCompletion", params)

"""From a cancellation to the closed model stream, seen at the model server's socket."""

import random
import time
from collections.abc import Iterator

from benchmarks.figure import Figure, figure
from benchmarks.model.ollama import MODEL
from benchmarks.processes import scripted_model, session

URI = "file:///bench/a.py"


def measure(quick: bool) -> Iterator[Figure]:
    """Cancelled at some moment while the model generates."""
    moments = random.Random(1)
    closed = []
    with (
        scripted_model(first_ms=20, next_ms=5, endless=True) as model,
        session(
            "local.provider=ollama",
            f"local.url={model.url}",
            f"local.model={MODEL}",
            "limits.single_line_tokens=1024",
        ) as editor,
    ):
        editor.initialize()
        item = {"uri": URI, "languageId": "python", "version": 1, "text": "def f():\n    "}
        editor.notify("textDocument/didOpen", {"textDocument": item})
        params = {
            "textDocument": {"uri": URI},
            "position": {"line": 1, "character": 4},
            "context": {"triggerKind": 2},
        }
        for _ in range(10 if quick else 50):
            name = editor.begin("textDocument/inlineCompletion", params)
            model.came()
            time.sleep(moments.random() * 0.2)
            cancelled = time.monotonic()
            editor.notify("$/cancelRequest", {"id": name})
            assert editor.answer(name)["error"]["code"] == -32800
            closed.append((model.generation().ended - cancelled) * 1000)
    yield figure("cancel to closed stream", "Ollama", "ms", closed, hold=50)

"""Typing along shown completions: how often the model is asked, and how long an answer takes then.

The typist takes whatever is shown as what is to be written, key by key, with a request after each
key, as editors send them; after the end of a text comes a new line.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks.figure import Figure, figure
from benchmarks.model.ollama import MODEL
from benchmarks.processes import ScriptedModel, Session, scripted_model, session
from benchmarks.samples import python_source

URI = "file:///bench/a.py"
KEYS = 200
_UNCOUNTED = 2
"""New lines before the first that counts: they find the model and start the parser process."""


@dataclass
class Typist:
    """Types on one line after another, and measures.

    Attributes:
        from_memory: ms of each answer while a shown text was typed along.
        idle: ms of each answer, in between, to a request about a document that is not open.
    """

    editor: Session
    line: int
    column: int = 0
    version: int = 1
    from_memory: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)

    def types(self, text: str) -> None:
        """One edit at the cursor."""
        place = {"line": self.line, "character": self.column}
        self.version += 1
        self.editor.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": URI, "version": self.version},
                "contentChanges": [{"range": {"start": place, "end": place}, "text": text}],
            },
        )
        self.column += len(text)

    def begins_a_line(self) -> None:
        """An empty line with the cursor in it, apart from the one typed before.

        What stands right below is not shown once more, and the model always writes the same.
        """
        self.column = 0
        self.types("    \n    apart()\n")
        self.column = 4

    def shown(self) -> str:
        """The text shown at the cursor."""
        (item,) = self._ask(URI)["items"]
        return str(item["insertText"])

    def measures(self) -> str:
        """The same, and how long it took; then how long a request takes at least."""
        started = time.perf_counter()
        text = self.shown()
        self.from_memory.append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        assert self._ask("file:///bench/not-open.py") is None
        self.idle.append((time.perf_counter() - started) * 1000)
        return text

    def _ask(self, uri: str) -> Any:
        params = {
            "textDocument": {"uri": uri},
            "position": {"line": self.line, "character": self.column},
            "context": {"triggerKind": 2},
        }
        return self.editor.ask("textDocument/inlineCompletion", params)["result"]


def measure(quick: bool) -> Iterator[Figure]:
    """At 1,000 and at 100,000 lines."""
    for lines in (1_000, 100_000):
        with (
            scripted_model(first_ms=50, next_ms=5) as model,
            session(
                "local.provider=ollama", f"local.url={model.url}", f"local.model={MODEL}"
            ) as editor,
        ):
            editor.initialize()
            yield from _typed(editor, model, lines, rounds=1 if quick else 5)


def _typed(editor: Session, model: ScriptedModel, lines: int, rounds: int) -> Iterator[Figure]:
    item = {"uri": URI, "languageId": "python", "version": 1, "text": python_source(lines)}
    editor.notify("textDocument/didOpen", {"textDocument": item})
    typist = Typist(editor, lines // 8 * 4 + 1)
    for _ in range(_UNCOUNTED):
        typist.begins_a_line()
        typist.shown()
        model.generation()
    calls = [_round(typist, model) for _ in range(rounds)]
    case = f"{lines:,} lines"
    yield figure(
        f"model calls for {KEYS} keys typed along",
        case,
        "calls",
        calls,
        [KEYS],
        beside="a request a key",
    )
    yield figure(
        "answer while typing along a shown text",
        case,
        "ms",
        typist.from_memory,
        typist.idle,
        beside="same server, nothing to answer",
        hold=2.0,
    )


def _round(typist: Typist, model: ScriptedModel) -> int:
    """Type the keys; how often the model was asked for them."""
    typed = calls = 0
    while typed < KEYS:
        typist.begins_a_line()
        text = typist.shown()
        model.generation()
        calls += 1
        for count, character in enumerate(text[:-1], 1):
            typist.types(character)
            rest = typist.measures()
            assert rest == text[count:], (rest, text[count:])
        typist.types(text[-1])
        typed += len(text)
    return calls

"""Typing along shown completions: how often the model is asked, and how long an answer takes then.

The typist takes whatever is shown as what is to be written, key by key, with a request after each
key, as editors send them; after the end of a text comes a new line.
"""

import time
from collections.abc import Iterator

from benchmarks.editing import Opened, nothing
from benchmarks.figure import Figure, figure
from benchmarks.model.ollama import MODEL
from benchmarks.processes import ScriptedModel, Session, scripted_model, session
from benchmarks.samples import python_source

KEYS = 200
_UNCOUNTED = 2
"""New lines before the first that counts: they find the model and start the parser process."""


class Typist:
    """Types on one line after another, and measures.

    Attributes:
        from_memory: ms of each answer while a shown text was typed along.
        idle: ms of each answer, in between, to a request about a document that is not open.
    """

    def __init__(self, editor: Session, lines: int) -> None:
        """Open a document of so many lines."""
        self._editor = editor
        self._document = Opened(editor, python_source(lines))
        self._document.go(lines // 8 * 4 + 1, 0)
        self.from_memory: list[float] = []
        self.idle: list[float] = []

    def types(self, text: str) -> None:
        """One edit at the cursor."""
        self._document.type(text)

    def begins_a_line(self) -> None:
        """An empty line with the cursor in it, apart from the one typed before.

        What stands right below is not shown once more, and the model always writes the same.
        """
        line = self._document.line
        self._document.go(line, 0)
        self._document.type("    \n    apart()\n")
        self._document.go(line, 4)

    def shown(self) -> str:
        """The text shown at the cursor."""
        (item,) = self._document.complete()
        return str(item["insertText"])

    def measures(self) -> str:
        """The same, and how long it took; then how long a request takes at least."""
        started = time.perf_counter()
        text = self.shown()
        self.from_memory.append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        nothing(self._editor)
        self.idle.append((time.perf_counter() - started) * 1000)
        return text


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
    typist = Typist(editor, lines)
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

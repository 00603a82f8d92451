"""What one editor does all day: edits, requests, cancellations."""

import random
from typing import Any

from tests.fuzz.damage import framed, written
from tests.fuzz.script import Batch
from tests.fuzz.text import Shown

_LANGUAGES = ("python", "java", "cpp")
_DOCUMENTS = 12
_MOST_CHARACTERS = 4_000
_BEGIN = "def add(a, b):\n    total = 0\n    "
_TYPED = (
    "return ",
    "a",
    " + b",
    "\n    ",
    "if a:\n        ",
    "# note\n    ",
    "x = f(",
    ")",
    "🦓 = 1\n",
)


class Work:
    """Batches of requests, made of a random source alone."""

    def __init__(self, rng: random.Random, run: int) -> None:
        """`run` keeps the ids of one server apart from those of another."""
        self._rng = rng
        self._run = run
        self._ids = 0
        self._shown = [
            Shown(f"file:///work/{number}", _LANGUAGES[number % 3], 1, _BEGIN)
            for number in range(_DOCUMENTS)
        ]

    def opened(self) -> Batch:
        """All documents are opened."""
        batch = Batch()
        for shown in self._shown:
            item = {"uri": shown.uri, "languageId": shown.language, "version": shown.version}
            self._tell(
                batch, "textDocument/didOpen", {"textDocument": {**item, "text": shown.text}}
            )
        return batch

    def batch(self, requests: int) -> Batch:
        """So many requests, each behind an edit, some cancelled; then the texts are compared."""
        batch = Batch()
        for _ in range(requests):
            shown = self._rng.choice(self._shown)
            self._type(batch, shown)
            place, _ = shown.end()
            context = {"triggerKind": self._rng.choice((1, 2))}
            asked = {"textDocument": {"uri": shown.uri}, "position": place, "context": context}
            identity = self._ask(batch, "textDocument/inlineCompletion", asked)
            if self._rng.random() < 0.1:
                self._tell(batch, "$/cancelRequest", {"id": identity})
        for shown in self._shown:
            looked = {"command": "synconfroute.digest", "arguments": [shown.uri]}
            batch.digests[self._ask(batch, "workspace/executeCommand", looked)] = shown.digest()
        return batch

    def _type(self, batch: Batch, shown: Shown) -> None:
        shown.version += 1
        place, at = shown.end()
        if at > _MOST_CHARACTERS:
            shown.text = f"{_BEGIN}# {self._ids}\n    "
            change: dict[str, Any] = {"text": shown.text}
        else:
            new = self._rng.choice(_TYPED)
            shown.text += new
            change = {"range": {"start": place, "end": place}, "text": new}
        document = {"uri": shown.uri, "version": shown.version}
        edit = {"textDocument": document, "contentChanges": [change]}
        self._tell(batch, "textDocument/didChange", edit)

    def _ask(self, batch: Batch, method: str, params: Any) -> str:
        self._ids += 1
        identity = f"{self._run}-{self._ids}"
        batch.asked.add(identity)
        message = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        batch.pieces.append(framed(written(message)))
        return identity

    @staticmethod
    def _tell(batch: Batch, method: str, params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        batch.pieces.append(framed(written(message)))

"""What one editor says in one session: made of a seed alone, whatever the server answers.

Documents below file:///kept/ are spoken of in valid messages only, and the server must hold each
text to the letter. Whatever is damaged, reordered or nonsense is about the others.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.fuzz.damage import bent, broken, deep, framed, misframed, written
from tests.fuzz.text import PIECES, Shown, joined

LANGUAGES = ("python", "python", "java", "cpp", "javascript", "rust", "plaintext", "shellscript")
MESSAGES = 250
"""Of a batch; then the documents are compared."""

_KEPT = 6
_VICTIMS = tuple(f"file:///victim/{number}.py" for number in range(3))
_ODD_URIS = (
    "untitled:Untitled-1",
    "",
    "x",
    "file:///%00",
    "file://host/share/a.py",
    "é:🦓",
    "git:/a",
)
_METHODS = (
    "made/up", "", "$/made/up", "textDocument/hover", "textDocument/didSave", "$/setTrace",
    "workspace/didChangeWatchedFiles", "workspace/symbol", "initialize", "initialized",
    "window/workDoneProgress/cancel", "workspace/didChangeWorkspaceFolders",
    "textDocument/completion", "notebookDocument/didSave", "completionItem/resolve",
)  # fmt: skip
_COMMANDS = (
    "synconfroute.why",
    "synconfroute.digest",
    "synconfroute.ledger",
    "synconfroute.toggle",
    "x",
)


@dataclass
class Batch:
    """What is sent in one go.

    Attributes:
        pieces: of bytes, in order; a message each, or what is left of one.
        asked: ids of the requests that must be answered.
        digests: what some of the answers must be, by id.
    """

    pieces: list[bytes] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    digests: dict[str, Any] = field(default_factory=dict)


class Script:
    """One session."""

    def __init__(self, seed: int, number: int) -> None:
        self._rng = random.Random(f"{seed}/{number}")
        self._kept = {
            f"file:///kept/{each}.{number}": self._document(f"file:///kept/{each}.{number}")
            for each in range(_KEPT)
        }
        self._open: set[str] = set()
        self._victim_version = 0
        self._ids = 0
        self._recent: list[str] = []
        self._acts: list[tuple[Callable[[Batch], None], int]] = [
            (self._edit, 45),
            (self._complete, 16),
            (self._cancel, 4),
            (self._reopen, 1),
            (self._command, 2),
            (self._victim, 14),
            (self._bent, 8),
            (self._broken, 4),
            (self._misframed, 4),
            (self._nonsense, 4),
        ]

    def before(self) -> Batch:
        """What is sent before `initialize`, where it means nothing."""
        batch = Batch()
        for _ in range(self._rng.randint(0, 5)):
            self._rng.choice((self._victim, self._misframed, self._nonsense, self._cancel))(batch)
        batch.asked.clear()
        return batch

    def batches(self, messages: int) -> Iterator[Batch]:
        """All that follows, up to so many messages, each batch ending with a look at the texts."""
        while messages > 0:
            batch = Batch()
            for uri in sorted(self._kept.keys() - self._open):
                if self._rng.random() < 0.9:
                    self._open_kept(batch, uri)
            acts, weights = zip(*self._acts, strict=True)
            for act in self._rng.choices(acts, weights, k=min(MESSAGES, messages)):
                act(batch)
            messages -= len(batch.pieces)
            for uri, shown in sorted(self._kept.items()):
                identity = self._ask(batch, *_executed("synconfroute.digest", uri))
                batch.digests[identity] = shown.digest() if uri in self._open else None
            yield batch

    def _edit(self, batch: Batch) -> None:
        if not self._open:
            return
        shown = self._kept[self._rng.choice(sorted(self._open))]
        shown.version += 1
        changes = [shown.edit(self._rng) for _ in range(self._rng.choice((0, 1, 1, 1, 1, 1, 3)))]
        document = {"uri": shown.uri, "version": shown.version}
        params = {"textDocument": document, "contentChanges": changes}
        self._tell(batch, "textDocument/didChange", params)

    def _complete(self, batch: Batch) -> None:
        uri = self._rng.choice([*sorted(self._kept), *_VICTIMS])
        shown = self._kept.get(uri)
        position = (
            {"line": self._rng.randrange(20), "character": self._rng.randrange(30)}
            if shown is None
            else shown.place(self._rng)[0]
        )
        context: dict[str, Any] = {"triggerKind": self._rng.choice((1, 2, 2, 2, 2))}
        if self._rng.random() < 0.05:
            nowhere = {"start": position, "end": position}
            context["selectedCompletionInfo"] = {"range": nowhere, "text": self._rng.choice(PIECES)}
        params = {"textDocument": {"uri": uri}, "position": position, "context": context}
        self._ask(batch, "textDocument/inlineCompletion", params)

    def _cancel(self, batch: Batch) -> None:
        known = self._recent[-20:] or ["nobody"]
        self._tell(batch, "$/cancelRequest", {"id": self._rng.choice(known)})

    def _reopen(self, batch: Batch) -> None:
        if not self._open:
            return
        uri = self._rng.choice(sorted(self._open))
        if self._rng.random() < 0.5:
            self._open.discard(uri)
            self._tell(batch, "textDocument/didClose", {"textDocument": {"uri": uri}})
        else:
            self._open_kept(batch, uri)

    def _open_kept(self, batch: Batch, uri: str) -> None:
        shown = self._kept[uri] = self._document(uri)
        self._open.add(uri)
        self._tell(batch, "textDocument/didOpen", {"textDocument": _item(shown)})

    def _command(self, batch: Batch) -> None:
        argument: Any = self._rng.choice((*_VICTIMS, 1, None, "x", {}, []))
        command = self._rng.choice(_COMMANDS)
        if command == "synconfroute.toggle":  # of one document; without one it would switch all off
            argument = self._rng.choice(_VICTIMS)
        self._ask(batch, *_executed(command, argument))

    def _victim(self, batch: Batch) -> None:
        """Any message about a victim, in no order."""
        message = self._about_victim()
        if "id" in message:
            batch.asked.add(message["id"])
        self._put(batch, framed(written(message)))

    def _bent(self, batch: Batch) -> None:
        self._put(batch, framed(bent(self._rng, self._about_victim())))

    def _broken(self, batch: Batch) -> None:
        self._put(batch, framed(broken(self._rng, self._about_victim())))

    def _misframed(self, batch: Batch) -> None:
        self._put(batch, misframed(self._rng, written(self._about_victim())))

    def _nonsense(self, batch: Batch) -> None:
        rng = self._rng
        match rng.randrange(6):
            case 0:
                self._ask(batch, rng.choice(_METHODS), rng.choice(({}, None, [], [1], {"a": 1})))
            case 1:
                self._tell(batch, rng.choice(_METHODS[:8]), rng.choice(({}, None, [], {"a": 1})))
            case 2:
                self._answer(batch, rng.choice((1, "x", -1, 2**63)), "result", {})
            case 3:
                error = rng.choice(({"code": -32603, "message": "x"}, 1, None))
                self._answer(batch, rng.choice((1, "x")), "error", error)
            case 4:
                body = rng.choice((b"null", b"[]", b"1", b'"x"', b"{}", b"[{}]", b"\xff", b"NaN"))
                self._put(batch, framed(body))
            case _:
                self._put(batch, framed(deep(rng)) if rng.random() < 0.02 else framed(b"{"))

    def _about_victim(self) -> dict[str, Any]:
        rng = self._rng
        uri = rng.choice(_VICTIMS) if rng.random() < 0.9 else rng.choice(_ODD_URIS)
        self._victim_version += 1
        place = {"line": rng.randrange(30), "character": rng.randrange(60)}
        here = {"textDocument": {"uri": uri, "version": self._victim_version}}
        text = "".join(rng.choice(PIECES) for _ in range(rng.randrange(12)))
        shown = Shown(uri, rng.choice((*LANGUAGES, "", "é")), rng.randrange(-9, 9), text)
        end = {"line": rng.randrange(40), "character": rng.randrange(60)}
        cell = {"kind": 2, "document": f"cell:{uri}"}
        book = {"uri": f"file:///book/{rng.randrange(2)}.ipynb", "version": 1}
        item = {"command": {"command": "synconfroute.accept", "arguments": ["x"]}}
        match rng.randrange(14):
            case 0 | 1 | 2:
                return _note("textDocument/didOpen", {"textDocument": _item(shown)})
            case 3 | 4 | 5:
                changes = [{"range": {"start": place, "end": end}, "text": text}, {"text": text}]
                few = changes[: rng.randrange(3)]
                return _note("textDocument/didChange", {**here, "contentChanges": few})
            case 6:
                return _note("textDocument/didClose", here)
            case 7:
                opened = {**book, "notebookType": "jupyter-notebook", "cells": [cell]}
                cells = {"notebookDocument": opened, "cellTextDocuments": [_item(shown)]}
                return _note("notebookDocument/didOpen", cells)
            case 8:
                content = [{"document": here["textDocument"], "changes": [{"text": text}]}]
                array = {"start": 0, "deleteCount": rng.randrange(3), "cells": [cell]}
                structure = {"array": array, "didOpen": [_item(shown)], "didClose": []}
                change = {"cells": {"textContent": content, "structure": structure}}
                return _note(
                    "notebookDocument/didChange", {"notebookDocument": book, "change": change}
                )
            case 9:
                return _note(
                    "notebookDocument/didClose", {"notebookDocument": book, "cellTextDocuments": []}
                )
            case 10:
                shows = {"item": item, "acceptedLength": rng.randrange(9)}
                return _note(f"textDocument/did{rng.choice(_REPORTS)}", {**here, **shows})
            case _:
                self._ids += 1
                params = {**here, "position": place, "context": {"triggerKind": rng.randrange(3)}}
                return _request(f"v{self._ids}", "textDocument/inlineCompletion", params)

    def _document(self, uri: str) -> Shown:
        rng = self._rng
        text = "".join(rng.choice(PIECES) for _ in range(rng.choice((0, 5, 60, 400))))
        return Shown(uri, rng.choice(LANGUAGES), 1, joined(text))

    def _ask(self, batch: Batch, method: str, params: Any) -> str:
        self._ids += 1
        identity = f"k{self._ids}"
        batch.asked.add(identity)
        self._recent.append(identity)
        self._put(batch, framed(written(_request(identity, method, params))))
        return identity

    def _tell(self, batch: Batch, method: str, params: Any) -> None:
        self._put(batch, framed(written(_note(method, params))))

    def _answer(self, batch: Batch, identity: Any, kind: str, value: Any) -> None:
        """To a request that was never made."""
        self._put(batch, framed(written({"jsonrpc": "2.0", "id": identity, kind: value})))

    @staticmethod
    def _put(batch: Batch, piece: bytes) -> None:
        batch.pieces.append(piece)


_REPORTS = ("ShowCompletion", "PartiallyAcceptCompletion", "Focus")


def _item(shown: Shown) -> dict[str, Any]:
    return {
        "uri": shown.uri,
        "languageId": shown.language,
        "version": shown.version,
        "text": shown.text,
    }


def _note(method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _request(identity: str, method: str, params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def _executed(command: str, *arguments: Any) -> tuple[str, dict[str, Any]]:
    return "workspace/executeCommand", {"command": command, "arguments": list(arguments)}

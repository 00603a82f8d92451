"""The documents that are open beside the one being completed."""

from dataclasses import dataclass
from typing import Protocol

from synconfroute.server.completion.context.edits import Edits
from synconfroute.server.completion.context.question import Shown
from synconfroute.validators.line_text import Splice
from synconfroute.validators.mirror import Source

MOST_SHOWN = 8
MOST_CHARACTERS = 256 * 1024
"""Of one document; a longer one is left out."""
MOST_TOGETHER = 1024 * 1024
"""Of all that are looked at for one place, in characters."""


class Followed(Source, Protocol):
    """An open document as its owner keeps it."""

    @property
    def path(self) -> str | None:
        """File system path, or None for a document without one."""
        ...


@dataclass(slots=True)
class _Open:
    """One open document, and its text as it was at a revision (-1: not read yet)."""

    source: Followed
    revision: int = -1
    text: str = ""


class OpenDocuments:
    """All open documents, the one used last standing last. They belong to one thread."""

    def __init__(self) -> None:
        """None is open yet."""
        self._open: dict[str, _Open] = {}
        self._edits = Edits()

    def open(self, key: str, source: Followed) -> None:
        """Take note of a document; one of the same key is replaced."""
        self.forget(key)
        self._open[key] = _Open(source)

    def edit(self, key: str, splice: Splice) -> None:
        """Take note of an edit that the source has made already. Costs what it touches."""
        if key in self._open:
            self._edits.add(key, splice)
            self.use(key)

    def use(self, key: str) -> None:
        """The user is in this document."""
        if key in self._open:
            self._open[key] = self._open.pop(key)

    def forget(self, key: str) -> None:
        """The document is closed."""
        self._open.pop(key, None)
        self._edits.forget(key)

    def beside(self, key: str) -> tuple[Shown, ...]:
        """What the editor shows in other documents, the one used last first."""
        shown: list[Shown] = []
        room = MOST_TOGETHER
        for other in reversed(self._open):
            document = self._open[other]
            path, size = document.source.path, document.source.size
            if other == key or not path or size > min(MOST_CHARACTERS, room):
                continue
            room -= size
            shown.append(Shown(path, _text(document), self._edits.of(other)))
            if len(shown) == MOST_SHOWN:
                break
        self._release(shown)
        return tuple(shown)

    def _release(self, shown: list[Shown]) -> None:
        """Keep no text of a document that is not looked at any more."""
        paths = {each.path for each in shown}
        for document in self._open.values():
            if document.source.path not in paths:
                document.revision, document.text = -1, ""


def _text(document: _Open) -> str:
    revision = document.source.revision
    if document.revision != revision:
        document.text = _plain(document.source.text)
        document.revision = revision
    return document.text


def _plain(text: str) -> str:
    """The text with line feeds as its line ends, and U+FFFD for halves of characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text

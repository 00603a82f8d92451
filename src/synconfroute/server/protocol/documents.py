"""The open documents: what the editor shows, kept in step with it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from lsprotocol import types

from synconfroute.server.completion.context.open_documents import Followed
from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.lines import Lines, Place, unix_line_ends
from synconfroute.server.protocol.positions import Encoding, characters, columns
from synconfroute.server.protocol.uris import key_of, path_of
from synconfroute.validators.line_text import TO_THE_END, Splice
from synconfroute.validators.mirror import Spot

WHOLE = 256 * 1024
"""The most characters of a document that a hole holds whole."""

SIDE = 64 * 1024
"""The most characters on each side of the cursor in a larger document. Its parser follows the
edits, so this need only be more than a prompt takes."""

_SIDE_LINES = 1024
"""The most lines on each side there, so that a document of empty lines is bounded too."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What stands before a document, as the cells before one of a notebook do.

    Attributes:
        text: with line feeds; "" where nothing does.
        whole: it is all of it.
    """

    text: str
    whole: bool


class Document:
    """One open document.

    Attributes:
        key: its identity, see `key_of`.
        path: file system path, or None where it has none; of a cell: the notebook's.
        earlier: says what stands before it; None where nothing ever does.
        language: LSP language id.
        version: the editor's version number.
        revision: how many edits there have been.
        asked_at: where a completion was asked for last; None where none was.
    """

    __slots__ = (
        "_encoding", "_lines", "asked_at", "earlier", "key", "language", "path", "revision",
        "version",
    )  # fmt: skip

    def __init__(self, item: types.TextDocumentItem, encoding: Encoding) -> None:
        self.key = key_of(item.uri)
        self.path = path_of(item.uri)
        self.earlier: Callable[[], Earlier] | None = None
        # cattrs lets any value through where a type is "a kind or str".
        language: object = item.language_id
        self.language = language if isinstance(language, str) else ""
        self.version = item.version
        self.revision = 0
        self.asked_at: types.Position | None = None
        self._encoding = encoding
        self._lines = Lines(item.text)

    @property
    def text(self) -> str:
        """The whole text, exactly, with the line ends that it has."""
        return self._lines.text

    @property
    def size(self) -> int:
        """How many characters. Costs nothing."""
        return self._lines.size

    def apply(self, change: types.TextDocumentContentChangeEvent) -> Splice:
        """Apply one change: of a range, or of the whole text. Returns it as one of whole lines."""
        self.revision += 1
        if isinstance(change, types.TextDocumentContentChangeWholeDocument):
            self._lines = Lines(change.text)
            return Splice(0, TO_THE_END, change.text)
        start, end = change.range.start, change.range.end
        return self._lines.replace(self._place(start), self._place(end), change.text)

    def hole(self, position: types.Position, *, explicit: bool = False) -> Hole:
        """The hole at a position: all of a document up to `WHOLE`, else `SIDE` on each side of it.

        The work is bounded by these, not by the document.
        """
        place = self._place(position)
        whole = self._lines.size <= WHOLE
        if whole:
            prefix, suffix = self._lines.around(place)
        else:
            prefix = self._lines.before(place, SIDE, _SIDE_LINES)
            suffix = self._lines.after(place, SIDE, _SIDE_LINES)
        earlier = Earlier("", whole=True) if self.earlier is None else self.earlier()
        # What stands before it is in no buffer that the validator follows.
        spot = None if earlier.text else Spot(self.key, self.revision, *place)
        return Hole(
            language=self.language,
            prefix=_plain(earlier.text + prefix),
            suffix=_plain(suffix),
            path=self.path,
            uri=self.key,
            version=self.version,
            whole=whole and earlier.whole,
            explicit=explicit,
            spot=spot,
        )

    def hole_for(self, replaced: types.Range, text: str, *, explicit: bool = False) -> Hole:
        """The hole behind `text`, as if it already stood where `replaced` stands."""
        before = self.hole(replaced.start, explicit=explicit)
        after = self.hole(replaced.end)
        rest = self.rest_of(text, replaced)
        end = self._place(replaced.end)
        followed = rest is not None and before.spot is not None
        spot = Spot(self.key, self.revision, *end, lead=rest or "") if followed else None
        return replace(before, prefix=before.prefix + text, suffix=after.suffix, spot=spot)

    def left_of(self, position: types.Position) -> str:
        """What stands on the line before a position."""
        line, character = self._place(position)
        return self._lines.content(line)[:character]

    def rest_of(self, text: str, replaced: types.Range) -> str | None:
        """What `text` adds to what stands in a range; None where it does not go on from that."""
        start, end = self._place(replaced.start), self._place(replaced.end)
        typed = self._lines.content(start[0])[start[1] : end[1]]
        if start[0] != end[0] or not text.startswith(typed):
            return None
        return text.removeprefix(typed)

    def end_of(self, text: str, position: types.Position) -> types.Position | None:
        """Where `text` ends if it stands at a position; None if something else does."""
        line, character = self._place(position)
        *whole, last = text.split("\n")
        for piece in whole:
            if line + 1 >= len(self._lines) or self._lines.content(line)[character:] != piece:
                return None
            line, character = line + 1, 0
        content = self._lines.content(line)
        if not content.startswith(last, character):
            return None
        return types.Position(line, columns(content[: character + len(last)], self._encoding))

    def clamped(self, position: types.Position) -> types.Position:
        """The same position, or the end of its line or of the document if it is beyond."""
        line, character = self._place(position)
        left = self._lines.content(line)[:character]
        return types.Position(line, columns(left, self._encoding))

    def _place(self, position: types.Position) -> Place:
        if position.line >= len(self._lines):
            last = len(self._lines) - 1
            return last, len(self._lines.content(last))
        content = self._lines.content(position.line)
        return position.line, characters(content, position.character, self._encoding)


class Follower(Protocol):
    """Is told what becomes of each document, by its key."""

    def folders(self, roots: Sequence[Path]) -> None:
        """These folders are open in the editor."""
        ...

    def open(self, key: str, language: str, source: Followed) -> None:
        """There is this document; one of the same key is replaced."""
        ...

    def edit(self, key: str, splice: Splice) -> None:
        """The document has changed so."""
        ...

    def forget(self, key: str) -> None:
        """There is no such document any more."""
        ...


class Documents:
    """All open documents, by URI, whichever way a URI is percent-encoded."""

    def __init__(self) -> None:
        self.encoding = Encoding.UTF16
        self._documents: dict[str, Document] = {}
        self._follower: Follower | None = None
        self._roots: tuple[Path, ...] = ()

    def follow(self, follower: Follower) -> None:
        """Have a follower told of what is open, and of what becomes of it from now on."""
        self._follower = follower
        follower.folders(self._roots)
        for document in self._documents.values():
            follower.open(document.key, document.language, document)

    def move(self, roots: Sequence[Path]) -> None:
        """These folders are open from now on."""
        self._roots = tuple(roots)
        if self._follower is not None:
            self._follower.folders(self._roots)

    def __iter__(self) -> Iterator[Document]:
        """All that are open now."""
        return iter([*self._documents.values()])

    def get(self, uri: str) -> Document | None:
        """The open document, or None."""
        return self._documents.get(key_of(uri))

    def held(self, key: str) -> Document | None:
        """The open document of this key, or None."""
        return self._documents.get(key)

    def open(self, item: types.TextDocumentItem) -> Document:
        """Take a document as the editor shows it. One that was open already is replaced."""
        document = Document(item, self.encoding)
        self._documents[document.key] = document
        if self._follower is not None:
            self._follower.open(document.key, document.language, document)
        return document

    def change(self, params: types.DidChangeTextDocumentParams) -> bool:
        """Apply changes in order. False if the document is not open."""
        document = self.get(params.text_document.uri)
        if document is None:
            return False
        for change in params.content_changes:
            splice = document.apply(change)
            if self._follower is not None:
                self._follower.edit(document.key, splice)
        document.version = params.text_document.version
        return True

    def close(self, uri: str) -> None:
        """Forget a document. One that is not open is none the worse for it."""
        document = self._documents.pop(key_of(uri), None)
        if document is not None and self._follower is not None:
            self._follower.forget(document.key)


def _plain(text: str) -> str:
    r"""The text with "\n" as its line ends and without lone surrogates, which are in no encoding.

    Halves of one character that came in two edits are joined; lone ones become U+FFFD.
    """
    text = unix_line_ends(text)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text

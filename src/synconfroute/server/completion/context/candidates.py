"""What may help at a place, ranked: the reader's process answers with it."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from synconfroute.server.completion.context.definitions.definition import Definition, bounded
from synconfroute.server.completion.context.imports import imports
from synconfroute.server.completion.context.imports.imported import Imported
from synconfroute.server.completion.context.outlines import Outlines, language_of, text_of
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.question import Question
from synconfroute.server.completion.context.words import (
    distances,
    likeness,
    names,
    plain,
    vocabulary,
)
from synconfroute.server.completion.context.workspace import Exhausted, Located, Workspace

MOST_PIECES = 48

NEAR_LINES = 12
"""A name is near the cursor where it stands so many lines above it at most."""
NEEDED_LINES = 1
"""What it names is needed where it stands so many lines above it at most."""
LEAST_LIKENESS = 0.2
"""Lines of an open document that share less of their names with the code around are left out."""

_AROUND = (30, 8)
"""The code around a cursor, for likeness: lines above and below."""
_MARGIN = 3
_WINDOW = 20
_MOST_WINDOWS = 1_000
_MOST_UNUSED = 20
_MOST_HOPS = 2
_LEAST_SAID = 3
"""A line of fewer characters says nothing by standing elsewhere too."""
_MOST_REPEATED = 0.5

# Ranks, the best first.
_NAMED, _EDITED, _USED, _ALIKE, _UNUSED = range(5)

_Ranked = tuple[tuple[int, float], Piece]


@dataclass(frozen=True, slots=True)
class _Place:
    """A question, and what it takes to answer it.

    Attributes:
        question: what was asked.
        workspace: where files are looked for.
        shown: texts of the other open documents that may be read, by their path on disk.
        away: how many lines from the cursor each name stands, in plain form.
        around: the names in the code around the cursor.
    """

    question: Question
    workspace: Workspace
    shown: dict[str, str]
    away: dict[str, int]
    around: frozenset[str]


class Candidates:
    """Finds what may help. One for the life of a process."""

    def __init__(self) -> None:
        """Know no file yet."""
        self._outlines = Outlines()

    def pieces(self, question: Question) -> list[Piece]:
        """What may help at a place, the best first, `MOST_PIECES` at most.

        No two of them overlap, and none stands in the file itself already. None for a file that
        could not become context itself.
        """
        place = _place_of(question)
        if place is None:
            return []
        ranked = [*self._imported(place), *_from_documents(place)]
        own = {line.strip() for line in f"{question.prefix}{question.suffix}".split("\n")}
        chosen: list[Piece] = []
        texts: set[str] = set()
        for _, piece in sorted(ranked, key=lambda each: each[0]):
            new = piece.text not in texts and not any(map(piece.overlaps, chosen))
            if new and piece.text.strip() and not _stands_in(piece.text, own):
                chosen.append(piece)
                texts.add(piece.text)
            if len(chosen) == MOST_PIECES:
                break
        return chosen

    def _imported(self, place: _Place) -> Iterator[_Ranked]:
        question = place.question
        text = question.prefix + question.suffix
        with suppress(Exhausted):  # then what was found so far is all
            for imported in imports(question.language, text, question.path, place.workspace):
                yield from self._of(imported, place)

    def _of(self, imported: Imported, place: _Place) -> Iterator[_Ranked]:
        """What one import gives, with its rank."""
        if imported.names is None:
            found = self._definitions(imported.source, place)
            unused = 0
            for definition in found:
                used = plain(definition.name) in place.away
                unused += not used
                if used or unused <= _MOST_UNUSED:
                    yield _ranked(imported.source, definition, definition.name, place, used=used)
            return
        for name, local in imported.names:
            for source, definition in self._named(name, imported.source, place, _MOST_HOPS):
                yield _ranked(source, definition, local, place, used=True)

    def _named(
        self, name: str, source: Located, place: _Place, hops: int
    ) -> Iterator[tuple[Located, Definition]]:
        """The definitions of a name in a file, or in the one that it has it from."""
        found = [each for each in self._definitions(source, place) if each.name == name]
        yield from ((source, definition) for definition in found)
        if found or not hops:
            return
        text = text_of(source, place.workspace, place.shown)
        language = language_of(source.path, place.question.language)
        for imported in imports(language, text, source.file, place.workspace):
            if imported.names is None:
                yield from self._named(name, imported.source, place, 0)
            for there, here in imported.names or ():
                if here == name:
                    yield from self._named(there, imported.source, place, hops - 1)

    def _definitions(self, source: Located, place: _Place) -> list[Definition]:
        return self._outlines.of(source, place.question.language, place.workspace, place.shown)


def _place_of(question: Question) -> _Place | None:
    workspace = Workspace(question.roots)
    own = workspace.locate(question.path)
    if own is None:
        return None
    shown = {}
    for document in question.shown:
        located = workspace.locate(document.path)
        if located is not None and located != own:
            shown[located.file] = document.text
    above = question.prefix.split("\n")[-_AROUND[0] :]
    below = question.suffix.split("\n")[: _AROUND[1]]
    around = vocabulary("\n".join((*above, *below)))
    away = distances(question.prefix, question.suffix)
    return _Place(question, workspace, shown, away, around)


def _ranked(
    source: Located, definition: Definition, local: str, place: _Place, *, used: bool
) -> _Ranked:
    away = min(place.away.get(plain(name), 10**9) for name in (local, definition.name))
    rank = _NAMED if away <= NEAR_LINES else _USED if used else _UNUSED
    alike = likeness(frozenset(names(definition.text)), place.around)
    piece = Piece(
        source.file,
        source.path,
        definition.text,
        definition.first,
        definition.last,
        plain(local),
        away <= NEEDED_LINES,
    )
    return (rank, away - alike), piece


def _from_documents(place: _Place) -> Iterator[_Ranked]:
    """What was changed elsewhere, and what of other open documents is like the code around."""
    for order, document in enumerate(place.question.shown):
        located = place.workspace.locate(document.path)
        if located is None or located.file not in place.shown:
            continue
        lines = document.text.split("\n")
        for age, (first, last) in enumerate(document.edits):
            piece = _lines(located, lines, first - _MARGIN, last + _MARGIN)
            yield (_EDITED, order + age / 100), piece
        alike, first = _most_alike(lines, place.around)
        if alike >= LEAST_LIKENESS:
            yield (_ALIKE, -alike), _lines(located, lines, first, first + _WINDOW - 1)


def _lines(located: Located, lines: list[str], first: int, last: int) -> Piece:
    """A piece of so many lines, both included, as far as there are any."""
    first, last = max(first, 0), min(last, len(lines) - 1)
    text = bounded("\n".join(lines[first : last + 1]))
    return Piece(located.file, located.path, text, first, last)


def _most_alike(lines: list[str], around: frozenset[str]) -> tuple[float, int]:
    """How like the code around the most alike window of a document is, and where it begins."""
    starts = range(0, max(1, len(lines) - _WINDOW // 2), _WINDOW // 2)[:_MOST_WINDOWS]
    windows = (vocabulary("\n".join(lines[at : at + _WINDOW])) for at in starts)
    best = max((likeness(words, around), -at) for words, at in zip(windows, starts, strict=True))
    return best[0], -best[1]


def _stands_in(text: str, own: set[str]) -> bool:
    """Do most of a text's lines stand in the file already?"""
    lines = [line.strip() for line in text.split("\n")]
    said = [line for line in lines if len(line) >= _LEAST_SAID]
    return sum(line in own for line in said) > _MOST_REPEATED * len(said)

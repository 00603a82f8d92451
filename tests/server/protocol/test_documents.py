"""Open documents: edits as an editor sends them, and the holes cut from them."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.documents import SIDE, WHOLE, Document, Documents
from synconfroute.server.protocol.positions import Encoding, columns
from synconfroute.validators.line_text import LineText, Splice
from synconfroute.validators.mirror import Source, Spot


def opened(text: str, encoding: Encoding = Encoding.UTF16, uri: str = "file:///a.py") -> Document:
    """An open Python document."""
    return Document(types.TextDocumentItem(uri, "python", 1, text), encoding)


def ranged(
    start: tuple[int, int], end: tuple[int, int], text: str
) -> types.TextDocumentContentChangePartial:
    """A change of a range."""
    return types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(*start), types.Position(*end)), text=text
    )


CHARACTERS = st.text(alphabet="ab\n\u2028\x0cé€😀", max_size=30)


@given(
    CHARACTERS,
    st.sampled_from(Encoding),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), CHARACTERS), max_size=6),
)
def test_an_editor_and_the_store_stay_in_step(
    text: str, encoding: Encoding, edits: list[tuple[float, float, str]]
) -> None:
    """Edits at any two characters, told in the editor's own columns, give the editor's text."""

    def position(offset: int) -> tuple[int, int]:
        line = text.count("\n", 0, offset)
        begin = text.rfind("\n", 0, offset) + 1
        return line, columns(text[begin:offset], encoding)

    document = opened(text, encoding)
    for one, other, new in edits:
        first, last = sorted((round(one * len(text)), round(other * len(text))))
        document.apply(ranged(position(first), position(last), new))
        text = text[:first] + new + text[last:]
        assert document.text == text
        assert document.size == len(text)


class Copy:
    """A follower that keeps its own copy of each document, by the edits it is told."""

    def __init__(self) -> None:
        self.texts: dict[str, LineText] = {}
        self.sources: dict[str, Source] = {}
        self.roots: tuple[Path, ...] = ()

    def folders(self, roots: Sequence[Path]) -> None:
        """Take note of them."""
        self.roots = tuple(roots)

    def open(self, key: str, _language: str, source: Source) -> None:
        """Begin with the whole text."""
        self.texts[key] = LineText(source.text)
        self.sources[key] = source

    def edit(self, key: str, splice: Splice) -> None:
        """Follow."""
        self.texts[key].splice([splice])

    def forget(self, key: str) -> None:
        """Drop the copy."""
        del self.texts[key], self.sources[key]

    def around(self, spot: Spot | None) -> tuple[str, str]:
        """The copy before and after a spot of the document as it is now, the lead inserted."""
        assert spot is not None
        assert spot.revision == self.sources[spot.key].revision
        copy = self.texts[spot.key]
        offset = copy.offset(spot.line, spot.character)
        return copy.text[:offset] + spot.lead, copy.text[offset:]


def _change(*changes: types.TextDocumentContentChangeEvent) -> types.DidChangeTextDocumentParams:
    identifier = types.VersionedTextDocumentIdentifier(uri="file:///a.py", version=2)
    return types.DidChangeTextDocumentParams(identifier, list(changes))


def _parts(hole: Hole) -> tuple[str, str]:
    return hole.prefix, hole.suffix


@given(
    st.text(alphabet="a\n\r😀", max_size=20),
    st.sampled_from(Encoding),
    st.lists(
        st.tuples(*[st.integers(0, 9)] * 4, st.text(alphabet="b\n\ré", max_size=9)), max_size=6
    ),
)
def test_a_follower_stays_in_step(
    text: str, encoding: Encoding, edits: list[tuple[int, int, int, int, str]]
) -> None:
    """Whatever the edits and line ends, its copy is the text, and a hole's spot is the hole."""
    documents, copy = Documents(), Copy()
    documents.encoding = encoding
    documents.open(types.TextDocumentItem("file:///a.py", "python", 1, text))
    documents.follow(copy)
    document = documents.get("file:///a.py")
    assert document is not None
    for first, left, last, right, new in edits:
        whole = types.TextDocumentContentChangeWholeDocument(text=new)
        start, end = sorted(((first, left), (last, right)))
        documents.change(_change(whole if first == left == 9 else ranged(start, end, new)))
        for place in ((first, left), (last, right)):
            hole = document.hole(types.Position(*place))
            assert copy.around(hole.spot) == _parts(hole)
    documents.close("file:///a.py")
    assert copy.texts == {}


def test_a_follower_is_told_of_documents_that_open_later() -> None:
    """And of one that takes the place of another."""
    documents, copy = Documents(), Copy()
    documents.follow(copy)
    for text in ("one\n", "two\n"):
        documents.open(types.TextDocumentItem("file:///a.py", "python", 1, text))
        assert [each.text for each in copy.texts.values()] == [text]


def test_a_follower_is_told_which_folders_are_open() -> None:
    """When it begins to follow, and when they change."""
    documents, copy = Documents(), Copy()
    documents.move([Path("/one")])
    documents.follow(copy)
    assert list(copy.roots) == [Path("/one")]
    documents.move([Path("/one"), Path("/two")])
    assert list(copy.roots) == [Path("/one"), Path("/two")]


@given(CHARACTERS, st.sampled_from(Encoding), st.integers(0, 9), st.integers(0, 40))
def test_a_hole_is_the_text_cut_at_the_cursor(
    text: str, encoding: Encoding, line: int, column: int
) -> None:
    """Prefix and suffix are the whole buffer, cut where the clamped position is."""
    document = opened(text, encoding)
    hole = document.hole(types.Position(line, column))
    clamped = document.clamped(types.Position(line, column))
    assert hole.whole
    assert hole.prefix + hole.suffix == text
    assert hole.prefix.count("\n") == clamped.line
    assert columns(hole.left, encoding) == clamped.character
    assert document.hole(clamped) == hole


def test_a_hole_has_plain_line_ends() -> None:
    r"""Whatever line ends the buffer has, the hole has "\n"."""
    hole = opened("a\r\nb\rcd\ne\r\n").hole(types.Position(2, 1))
    assert (hole.prefix, hole.suffix) == ("a\nb\nc", "d\ne\n")


def test_a_hole_tells_what_the_document_is() -> None:
    """Language, path, identity, version, and whether the user asked."""
    hole = opened("x", uri="file:///dir/a%20b.py").hole(types.Position(0, 1), explicit=True)
    assert hole.language == "python"
    assert hole.path is not None
    assert hole.path.replace("\\", "/") == "/dir/a b.py"
    assert hole.uri == "file:///dir/a b.py"
    assert hole.version == 1
    assert hole.explicit


def test_a_hole_has_no_lone_surrogates() -> None:
    """They are in no encoding; halves that stand side by side are one character."""
    hole = opened("a\ud83db").hole(types.Position(0, 3))
    assert hole.prefix == "a\ufffdb"
    halves = opened("")
    halves.apply(ranged((0, 0), (0, 0), "\ud83d"))
    halves.apply(ranged((0, 1), (0, 1), "\ude00"))
    assert halves.hole(types.Position(0, 2)).prefix == "😀"
    assert halves.text == "\ud83d\ude00"


def test_a_document_up_to_the_limit_is_whole_and_beyond_it_is_cut() -> None:
    """The cut hole is the text next to the cursor, whole lines, within the window."""
    line = "x" * 63 + "\n"
    fits = opened(line * (WHOLE // 64))
    assert fits.hole(types.Position(9, 9)).whole
    fits.apply(ranged((0, 0), (0, 0), "y"))
    middle = WHOLE // 64 // 2
    hole = fits.hole(types.Position(middle + 9, 3))
    assert not hole.whole
    assert hole.prefix.endswith("\nxxx")
    assert set(hole.prefix.split("\n")[:-1]) == {"x" * 63}
    assert SIDE - 64 < len(hole.prefix) <= SIDE
    assert SIDE - 64 < len(hole.suffix) <= SIDE


@pytest.mark.parametrize("text", ["\n" * (WHOLE * 2), "x" * (WHOLE * 2), "é😀\r\n" * WHOLE])
def test_no_document_gives_a_hole_beyond_the_window(text: str) -> None:
    """Empty lines without number, one endless line, and wide characters are bounded alike."""
    for position in (
        types.Position(0, 0),
        types.Position(5, 9),
        types.Position(2**31 - 1, 2**31 - 1),
    ):
        hole = opened(text).hole(position)
        assert not hole.whole
        assert 0 < len(hole.prefix) + len(hole.suffix) <= 2 * SIDE


def test_a_hole_behind_chosen_text_replaces_its_range() -> None:
    """As if the text stood there already; what the range held is gone."""
    chosen = types.Range(types.Position(0, 4), types.Position(0, 7))
    hole = opened("x = pri(1)\n").hole_for(chosen, "print")
    assert (hole.prefix, hole.suffix) == ("x = print", "(1)\n")
    assert hole.spot == Spot("file:///a.py", 0, 0, 7, lead="nt")


def test_chosen_text_that_does_not_go_on_has_no_spot() -> None:
    """What stands there would be gone: only the text of the hole can be judged."""
    document = opened("x = pri(1)\n\n")
    for end, text in (((0, 7), "log"), ((1, 0), "pri(1)")):
        chosen = types.Range(types.Position(0, 4), types.Position(*end))
        assert document.hole_for(chosen, text).spot is None


def test_a_whole_text_change_replaces_everything() -> None:
    """A change without a range is the new text."""
    document = opened("old\r\n")
    document.apply(types.TextDocumentContentChangeWholeDocument(text="new\n"))
    assert document.text == "new\n"
    assert document.size == 4


def test_a_position_past_the_end_is_the_end() -> None:
    """Of the line, or of the document; positions handed in are not altered."""
    document = opened("abc\r\nde")
    past = types.Position(0, 99)
    assert document.clamped(past) == types.Position(0, 3)
    assert past == types.Position(0, 99)
    assert document.clamped(types.Position(7, 0)) == types.Position(1, 2)
    document.apply(ranged((1, 99), (1, 99), "X"))
    assert document.text == "abc\r\ndeX"


def change(uri: str, version: int, text: str) -> types.DidChangeTextDocumentParams:
    """An edit at the document's start."""
    return types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(version, uri), [ranged((0, 0), (0, 0), text)]
    )


def test_spellings_of_one_uri_are_one_document() -> None:
    """Editors percent-encode differently in different messages."""
    documents = Documents()
    documents.open(types.TextDocumentItem("file:///c%3A/a%20b.py", "python", 1, "x"))
    assert documents.change(change("file:///c:/a b.py", 2, "y"))
    document = documents.get("file:///c%3a/a%20b.py")
    assert document is not None
    assert (document.text, document.version) == ("yx", 2)
    documents.close("file:///c:/a%20b.py")
    assert documents.get("file:///c%3A/a%20b.py") is None


def test_an_edit_of_an_unopened_document_is_told() -> None:
    """It changes nothing."""
    documents = Documents()
    assert not documents.change(change("file:///a.py", 2, "y"))
    documents.close("file:///a.py")
    assert documents.get("file:///a.py") is None

"""Offered texts: found where they stand, whichever way they came there."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from synconfroute.server.completion.answer import Answer
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.offers import Offers
from synconfroute.server.protocol.positions import Encoding, columns
from tests.server.completion.test_type_through import MADE

URI = "file:///a.py"
AT = types.Position(1, 4)


class Desk:
    """One document, and what was offered in it."""

    def __init__(self, text: str, *texts: str, at: types.Position = AT, lead: str = "") -> None:
        self.documents = Documents()
        self.offers = Offers()
        self.open(text)
        first, *others = (
            Answer(each, replace(MADE, request_id=f"r{count}"))
            for count, each in enumerate(texts, 1)
        )
        self.offers.add(URI, at, lead, replace(first, others=tuple(others)))

    def open(self, text: str) -> None:
        """Let the document be this."""
        self.documents.open(types.TextDocumentItem(URI, "python", 1, text))

    def taken(self) -> tuple[int, int] | None:
        """Where what was taken ends."""
        document = self.documents.get(URI)
        assert document is not None
        end = self.offers.taken(document)
        return None if end is None else (end.line, end.character)


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("def f():\n    return 1\n", (1, 12)),
        ("def f():\n    return 1 + 2", (1, 12)),
        ("def f():\n    return", None),
        ("def f():\n    \n    return 1", None),
        ("def f():\n", None),
    ],
)
def test_a_text_is_taken_when_it_stands_at_its_place(
    text: str, end: tuple[int, int] | None
) -> None:
    """Once."""
    desk = Desk("def f():\n    \n", "return 1")
    assert desk.taken() is None
    desk.open(text)
    assert desk.taken() == end
    assert desk.taken() is None


def test_of_several_the_longest_that_stands_there_is_taken() -> None:
    """One may be the beginning of another."""
    desk = Desk("def f():\n    return 1\n", "return", "return 1", "pass")
    assert desk.taken() == (1, 12)


def test_what_the_editor_previews_stands_before_the_text() -> None:
    """The entry of its list is inserted with it."""
    desk = Desk("def f():\n    turn 1\n", " 1", lead="turn")
    assert desk.taken() == (1, 10)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_text_of_several_lines_is_found_whatever_the_line_ends(ends: str) -> None:
    """Offered with line feeds, it is inserted with the document's."""
    text = "if x:\n        y()\n    z"
    written = f"def f():\n    {text}()\n".replace("\n", ends)
    assert Desk(written, text).taken() == (3, 5)
    assert Desk(written, text + "z").taken() is None
    assert Desk("def f():\n    if x:", text).taken() is None


@given(
    st.text(st.sampled_from("aé😀 \n"), max_size=6),
    st.text(st.sampled_from("aé😀\n"), min_size=1, max_size=6),
    st.text(st.sampled_from("aé😀\n"), max_size=3),
    st.sampled_from(list(Encoding)),
)
def test_the_end_is_counted_as_the_editor_counts(
    before: str, text: str, behind: str, encoding: Encoding
) -> None:
    """For any text, in each encoding."""
    documents = Documents()
    documents.encoding = encoding
    documents.open(types.TextDocumentItem(URI, "python", 1, before + text + behind))
    document = documents.get(URI)
    assert document is not None

    def position(text: str) -> types.Position:
        lines = text.split("\n")
        return types.Position(len(lines) - 1, columns(lines[-1], encoding))

    assert document.end_of(text, position(before)) == position(before + text)
    assert document.end_of(text + "x", position(before)) is None


def test_a_text_knows_its_document_until_it_is_taken_or_replaced() -> None:
    """And little is held: the documents that were offered something last."""
    desk = Desk("def f():\n    return 1\n", "return 1", "pass")
    assert desk.offers.document_of("r2") == URI
    assert desk.offers.document_of("r3") is None
    assert desk.taken() is not None
    assert desk.offers.document_of("r2") is None
    for number in range(20):
        answer = Answer("x", replace(MADE, request_id=str(number)))
        desk.offers.add(f"file:///{number}.py", AT, "", answer)
    assert desk.offers.document_of("0") is None
    assert desk.offers.document_of("19") == "file:///19.py"

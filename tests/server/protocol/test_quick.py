"""What is read and written by hand is what the protocol's own types would read and write."""

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lsprotocol import types
from lsprotocol.converters import get_converter

from synconfroute.server.protocol.items import inline_item, no_items
from synconfroute.server.protocol.quick import edit_of, question_of, written

CONVERTER = get_converter()
ODD: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2**32)
    | st.text(max_size=2)
    | st.lists(st.none(), max_size=1)
)
NUMBER = st.integers(0, 2**31 - 1)


def often(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly as usual."""
    return st.one_of(usual, usual, usual, usual, ODD)


def record(members: dict[str, st.SearchStrategy[Any]], **more: Any) -> st.SearchStrategy[Any]:
    """An object with these members, perhaps some odd ones, and perhaps one more."""
    usual = {name: often(each) for name, each in members.items()}
    return st.fixed_dictionaries(usual, optional=dict.fromkeys(more.get("or_", ()), ODD))


PLACE = record({"line": NUMBER, "character": NUMBER}, or_=("more",))
RANGE = record({"start": PLACE, "end": PLACE})
CHANGE = record({"range": RANGE, "text": st.text(max_size=4)}, or_=("rangeLength",))
DOCUMENT = record({"uri": st.text(max_size=4), "version": st.integers(0, 9)}, or_=("more",))
EDIT = record(
    {"textDocument": DOCUMENT, "contentChanges": st.lists(CHANGE, max_size=3)}, or_=("x",)
)
CONTEXT = record({"triggerKind": st.sampled_from([0, 1, 2, 3])}, or_=("selectedCompletionInfo",))
QUESTION = record(
    {"textDocument": DOCUMENT, "position": PLACE, "context": CONTEXT}, or_=("workDoneToken",)
)
TYPED: dict[str, Any] = {
    "textDocument": {"uri": "file:///a.py", "version": 2},
    "contentChanges": [
        {
            "range": {"start": {"line": 1, "character": 4}, "end": {"line": 1, "character": 4}},
            "text": "x",
        }
    ],
}
"""As Neovim sends it; VS Code adds "rangeLength"."""
ASKED = {
    "textDocument": {"uri": "file:///a.py"},
    "position": {"line": 1, "character": 5},
    "context": {"triggerKind": 2},
}


@given(params=EDIT)
@example(params=TYPED)
def test_an_edit_is_read_as_the_protocol_reads_it(params: Any) -> None:
    """Or not at all. How long a range is says nothing that the range does not."""
    read = edit_of(params)
    if read is not None:
        same = CONVERTER.structure(params, types.DidChangeTextDocumentParams)
        for change in same.content_changes:
            assert isinstance(change, types.TextDocumentContentChangePartial)
            change.range_length = None
        assert read == same


@given(params=QUESTION)
@example(params=ASKED)
def test_a_question_is_read_as_the_protocol_reads_it(params: Any) -> None:
    """Or not at all."""
    read = question_of(params)
    if read is not None:
        assert read == CONVERTER.structure(params, types.InlineCompletionParams)


@pytest.mark.parametrize("params", [None, [], 3, "x", {}, {"textDocument": {}}])
def test_what_is_no_message_is_not_read(params: Any) -> None:
    """That is said elsewhere."""
    assert edit_of(params) is None
    assert question_of(params) is None


def test_what_editors_send_is_read() -> None:
    """The usual edit and the usual question."""
    assert edit_of(TYPED) is not None
    vscode = [{**TYPED["contentChanges"][0], "rangeLength": 0}]
    assert edit_of({**TYPED, "contentChanges": vscode}) is not None
    assert question_of(ASKED) is not None


@given(texts=st.lists(st.text(), max_size=3), line=NUMBER, character=NUMBER)
def test_an_answer_is_written_as_the_protocol_writes_it(
    texts: list[str], line: int, character: int
) -> None:
    """With all its items."""
    place = types.Position(line, character)
    items = [inline_item(text, types.Range(place, place), "r1") for text in texts]
    answer = types.InlineCompletionList(items=items)
    assert written(answer) == CONVERTER.unstructure(answer)
    assert written(no_items()) == CONVERTER.unstructure(no_items())

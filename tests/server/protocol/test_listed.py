"""The one entry of a list: no client's filter hides it, and nothing is lost in it."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from synconfroute.server.completion.counts import Counts
from synconfroute.server.completion.feedback import Feedback
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.inline import InlineCompletion
from synconfroute.server.protocol.items import inline_item
from synconfroute.server.protocol.listed import ListedCompletion, word_before
from synconfroute.server.protocol.positions import Encoding
from synconfroute.server.protocol.turns import Turns

URI = "file:///a.py"


def entry_for(left: str, text: str, encoding: Encoding, *, markdown: bool) -> types.CompletionItem:
    """The entry for a proposal behind `left`, the last line of a document."""
    documents = Documents()
    documents.encoding = encoding
    documents.open(types.TextDocumentItem(URI, "python", 1, left))
    inline = InlineCompletion(
        documents,
        Turns(),
        lambda: None,
        lambda *_: None,
        Feedback(Counts().add, lambda _: None),
    )
    listed = ListedCompletion(documents, inline)
    listed.markdown = markdown
    position = types.Position(left.count("\n"), 10**6)
    asked = listed.arrived(types.CompletionParams(types.TextDocumentIdentifier(URI), position))
    assert asked is not None
    item = inline_item(text, types.Range(asked.cursor, asked.cursor), "r1")
    answer = listed.listed(asked, types.InlineCompletionList([item]))
    assert answer is not None
    (entry,) = answer.items
    return entry


CODE = st.text(st.sampled_from("ab_é😀 .(`\t"), max_size=12)


@given(
    left=CODE,
    text=st.text(st.sampled_from("ab_😀 .()`\n"), min_size=1, max_size=12),
    encoding=st.sampled_from(Encoding),
    markdown=st.booleans(),
)
def test_the_edit_adds_the_proposal_and_nothing_else(
    left: str, text: str, encoding: Encoding, markdown: bool
) -> None:
    """Whatever is written around: its text goes on from the word, which the filter begins with."""

    async def made() -> types.CompletionItem:
        return entry_for(left, text, encoding, markdown=markdown)

    entry = asyncio.run(made())
    word = word_before(left)
    assert left.endswith(word)
    assert isinstance(entry.text_edit, types.TextEdit)
    assert entry.text_edit.new_text == word + text
    documents = Documents()
    documents.encoding = encoding
    documents.open(types.TextDocumentItem(URI, "python", 1, left))
    document = documents.get(URI)
    assert document is not None
    change = types.TextDocumentContentChangePartial(entry.text_edit.range, word + text)
    document.apply(change)
    assert document.text == left + text
    assert (entry.filter_text or "").startswith(word)
    assert entry.label
    assert "\n" not in entry.label
    assert isinstance(entry.documentation, types.MarkupContent)
    assert word + text in entry.documentation.value


def test_a_fence_is_longer_than_any_in_the_proposal() -> None:
    """So that the proposal does not end it."""

    async def made() -> types.CompletionItem:
        return entry_for("", "```\n````", Encoding.UTF8, markdown=True)

    entry = asyncio.run(made())
    assert entry.documentation == types.MarkupContent(
        types.MarkupKind.Markdown, "`````python\n```\n````\n`````"
    )


def test_a_word_that_nobody_wrote_is_left_alone() -> None:
    """A line of one megabyte is not sent back."""
    assert word_before("x = " + "a" * 255) == "a" * 255
    assert word_before("a" * 1_000_000) == ""

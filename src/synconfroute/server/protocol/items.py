"""Answers as inline completion items that every editor shows and inserts alike."""

from lsprotocol import types

ACCEPT = "synconfroute.accept"
"""The command that an editor runs when the user takes an item; its argument is a request id."""


def inline_item(text: str, replaced: types.Range, request_id: str) -> types.InlineCompletionItem:
    """An item that puts `text` in place of `replaced`.

    Plain text and an explicit range, because editors disagree about snippets and about what a
    missing range means. The command carries no code.
    """
    return types.InlineCompletionItem(
        insert_text=text,
        range=replaced,
        command=types.Command(title="", command=ACCEPT, arguments=[request_id]),
    )


def no_items() -> types.InlineCompletionList:
    """Nothing to show. Unlike null it takes away what an editor shows from before."""
    return types.InlineCompletionList(items=[])

"""Answers as inline completion items that every editor shows and inserts alike."""

from lsprotocol import types

from synconfroute.server.protocol.names import ACCEPT


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

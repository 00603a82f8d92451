"""`textDocument/completion`: the same completion as an entry of a list.

For editors that do not show inline completions. There is one entry, and it is the very answer that
an inline request would get: the same turns, the same cancellation, the same text.
"""

from lsprotocol import types

from synconfroute.server.protocol.documents import Document, Documents
from synconfroute.server.protocol.inline import Asked, InlineCompletion
from synconfroute.server.protocol.lines import unix_line_ends
from synconfroute.server.protocol.positions import columns

_LONGEST_WORD = 256
_LONGEST_LABEL = 80
_FIRST = "!"
"""Sorts before every entry of other servers that begins with a letter or a digit."""


class ListedCompletion:
    """Answers requests for a list."""

    def __init__(self, documents: Documents, inline: InlineCompletion) -> None:
        """Answer what `inline` answers."""
        self._documents = documents
        self._inline = inline
        self.markdown = False

    def arrived(self, params: types.CompletionParams) -> Asked | None:
        """Take a request's turn; see `InlineCompletion.arrived`.

        Always as one that came by itself: what a client calls "invoked" is typing a word, too.
        """
        context = types.InlineCompletionContext(types.InlineCompletionTriggerKind.Automatic)
        return self._inline.arrived(
            types.InlineCompletionParams(context, params.text_document, params.position)
        )

    def listed(
        self, asked: Asked | None, answer: types.InlineCompletionList | None
    ) -> types.CompletionList | None:
        """An inline answer as a list; null for null."""
        if asked is None or answer is None:
            return None
        word = word_before(asked.document.left_of(asked.cursor))
        entries = [self._entry(asked, word, item) for item in answer.items[:1]]
        # Incomplete: what is typed next is asked about anew, and answered from memory.
        return types.CompletionList(is_incomplete=True, items=entries)

    def _entry(
        self, asked: Asked, word: str, item: types.InlineCompletionItem
    ) -> types.CompletionItem:
        start = types.Position(
            asked.cursor.line,
            asked.cursor.character - columns(word, self._documents.encoding),
        )
        text = word + unix_line_ends(str(item.insert_text))
        first, *more = text.split("\n")
        label = first.strip() or next((line.strip() for line in more if line.strip()), "…")
        return types.CompletionItem(
            label=_shortened(label) + (" …" if more else ""),
            kind=types.CompletionItemKind.Text,
            detail="SynConfRoute",
            documentation=self._documentation(asked.document, text),
            preselect=True,
            sort_text=_FIRST,
            # Begins with what is typed, or is typed next, so that no client's filter hides it.
            filter_text=first if first.strip() else label,
            insert_text_format=types.InsertTextFormat.PlainText,
            insert_text_mode=types.InsertTextMode.AsIs,
            text_edit=types.TextEdit(types.Range(start, asked.cursor), text),
            command=item.command,
        )

    def _documentation(self, document: Document, text: str) -> types.MarkupContent:
        if not self.markdown:
            return types.MarkupContent(types.MarkupKind.PlainText, text)
        fence = "`" * max(3, 1 + _longest_run(text, "`"))
        block = f"{fence}{document.language}\n{text}\n{fence}"
        return types.MarkupContent(types.MarkupKind.Markdown, block)


def word_before(left: str) -> str:
    """The word that ends where `left` ends; "" where none does, or one that nobody wrote."""
    start = len(left)
    while start and (left[start - 1].isalnum() or left[start - 1] == "_"):
        start -= 1
        if len(left) - start > _LONGEST_WORD:
            return ""
    return left[start:]


def _shortened(line: str) -> str:
    return line if len(line) <= _LONGEST_LABEL else line[: _LONGEST_LABEL - 1] + "…"


def _longest_run(text: str, character: str) -> int:
    longest = run = 0
    for each in text:
        run = run + 1 if each == character else 0
        longest = max(longest, run)
    return longest

"""Notebooks: each cell is a document, and what the cells before it say stands before its text.

Cells that begin in another language are left out, as is what is not code. The verdict on a cell is
made on the same text: names that earlier cells define are defined.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lsprotocol import types

from synconfroute.server.protocol.documents import Document, Documents, Earlier
from synconfroute.server.protocol.lines import unix_line_ends
from synconfroute.server.protocol.uris import key_of, path_of

MOST_EARLIER = 64 * 1024
"""So many characters of earlier cells stand before one at most, the nearest ones."""


@dataclass(slots=True)
class _Notebook:
    """One notebook.

    Attributes:
        path: of its file; its cells have none of their own.
        cells: the keys of its code cells and "" for every other, in their order.
    """

    path: str | None
    cells: list[str]


class Notebooks:
    """All open notebooks; their cells are among the open documents."""

    def __init__(
        self,
        documents: Documents,
        edited: Callable[[types.DidChangeTextDocumentParams], None],
        forget: Callable[[str], None],
    ) -> None:
        """Keep cells in `documents`.

        Args:
            documents: all that is open.
            edited: takes an edit of a cell.
            forget: closes a document.
        """
        self._documents = documents
        self._edited = edited
        self._forget = forget
        self._notebooks: dict[str, _Notebook] = {}

    def open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        """Take a notebook as the editor shows it, with all its cells."""
        shown = params.notebook_document
        notebook = _Notebook(path_of(shown.uri), _keys(shown.cells))
        self._notebooks[key_of(shown.uri)] = notebook
        self._take(notebook, params.cell_text_documents)

    def change(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Cells came, went, moved, or were edited. One of an unknown notebook is none."""
        notebook = self._notebooks.get(key_of(params.notebook_document.uri))
        cells = params.change.cells
        if notebook is None or cells is None:
            return
        if (structure := cells.structure) is not None:
            first = min(structure.array.start, len(notebook.cells))
            stop = first + structure.array.delete_count
            notebook.cells[first:stop] = _keys(structure.array.cells or ())
            for gone in structure.did_close or ():
                self._forget(gone.uri)
            self._take(notebook, structure.did_open or ())
        for edit in cells.text_content or ():
            self._edited(types.DidChangeTextDocumentParams(edit.document, edit.changes))

    def close(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """Forget a notebook and its cells."""
        self.drop(params.notebook_document.uri)
        for cell in params.cell_text_documents:
            self._forget(cell.uri)

    def drop(self, uri: str) -> None:
        """Forget a notebook whose cells are out of step."""
        notebook = self._notebooks.pop(key_of(uri), None)
        for key in notebook.cells if notebook is not None else ():
            if key:
                self._forget(key)

    def _take(self, notebook: _Notebook, cells: Sequence[types.TextDocumentItem]) -> None:
        for item in cells:
            document = self._documents.open(item)
            document.path = notebook.path
            document.earlier = lambda cell=document: self._before(notebook, cell)

    def _before(self, notebook: _Notebook, cell: Document) -> Earlier:
        """The code of the cells before one, the nearest ones where there is too much."""
        from synconfroute.validators.python.dialect import other_language

        parts: list[str] = []
        room = MOST_EARLIER
        if cell.key not in notebook.cells:
            return Earlier("", whole=True)
        for key in reversed(notebook.cells[: notebook.cells.index(cell.key)]):
            earlier = self._documents.held(key)
            if earlier is None or earlier.language != cell.language:
                continue
            if earlier.size > room:
                return Earlier("".join(reversed(parts)), whole=False)
            text = unix_line_ends(earlier.text).strip("\n")
            if text and not other_language(text):
                parts.append(f"{text}\n\n")
                room -= earlier.size
        return Earlier("".join(reversed(parts)), whole=True)


def _keys(cells: Sequence[types.NotebookCell]) -> list[str]:
    code = types.NotebookCellKind.Code
    return [key_of(cell.document) if cell.kind == code else "" for cell in cells]

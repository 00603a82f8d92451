"""Cells of notebooks: what stands before one, and that the verdict knows it."""

from typing import Any

import pytest
from lsprotocol import types

from synconfroute.server.completion.hole import Hole
from synconfroute.server.protocol.documents import Documents
from synconfroute.server.protocol.notebooks import MOST_EARLIER, Notebooks
from synconfroute.validators import Outcome, validate

BOOK = "file:///project/book.ipynb"
CODE, MARKUP = types.NotebookCellKind.Code, types.NotebookCellKind.Markup


def uri(name: str) -> str:
    """The URI of a cell, as VS Code writes it."""
    return f"vscode-notebook-cell:/project/book.ipynb#{name}"


def cell(name: str, kind: types.NotebookCellKind = CODE) -> types.NotebookCell:
    """A cell in the order of a notebook."""
    return types.NotebookCell(kind=kind, document=uri(name))


class Session:
    """An open notebook."""

    def __init__(self, *cells: tuple[str, str], language: str = "python") -> None:
        self.documents = Documents()
        self.edited: list[str] = []
        self._notebooks = Notebooks(self.documents, self._edit, self.documents.close)
        self._notebooks.open(
            types.DidOpenNotebookDocumentParams(
                types.NotebookDocument(
                    BOOK, "jupyter-notebook", 1, [cell(name) for name, _ in cells]
                ),
                [types.TextDocumentItem(uri(name), language, 1, text) for name, text in cells],
            )
        )

    def _edit(self, params: types.DidChangeTextDocumentParams) -> None:
        self.edited.append(params.text_document.uri)
        assert self.documents.change(params)

    def change(self, **cells: Any) -> None:
        """Something about the cells is different."""
        changes = types.NotebookDocumentCellChanges(**cells)
        self._notebooks.change(
            types.DidChangeNotebookDocumentParams(
                types.VersionedNotebookDocumentIdentifier(2, BOOK),
                types.NotebookDocumentChangeEvent(cells=changes),
            )
        )

    def drop(self) -> None:
        """The notebook is out of step."""
        self._notebooks.drop(BOOK)

    def close(self, *names: str) -> None:
        """The notebook is closed."""
        self._notebooks.close(
            types.DidCloseNotebookDocumentParams(
                types.NotebookDocumentIdentifier(BOOK),
                [types.TextDocumentIdentifier(uri(name)) for name in names],
            )
        )

    def hole(self, name: str) -> Hole:
        """The hole at the end of a cell."""
        document = self.documents.get(uri(name))
        assert document is not None
        return document.hole(types.Position(10**6, 0))


def test_earlier_cells_stand_before_a_cell() -> None:
    """In their order, each ended; later ones do not; the file is the notebook."""
    session = Session(("a", "import os\n\n"), ("b", "x = 1"), ("c", "y = x"), ("d", "later"))
    hole = session.hole("c")
    assert hole.prefix == "import os\n\nx = 1\n\ny = x"
    assert hole.suffix == ""
    assert hole.path is not None
    assert hole.path.endswith("book.ipynb")
    assert hole.whole
    assert hole.spot is None
    assert session.hole("a").spot is not None


def test_cells_in_other_languages_are_left_out() -> None:
    """By their magic, and by their language id; line magics stay."""
    session = Session(("a", "%%bash\nls -l"), ("b", "%matplotlib inline\nx = 1"), ("c", "y"))
    assert session.hole("c").prefix == "%matplotlib inline\nx = 1\n\ny"
    other = types.TextDocumentItem(uri("r"), "r", 1, "x <- 1")
    array = types.NotebookCellArrayChange(1, 0, [cell("r")])
    session.change(structure=types.NotebookDocumentCellChangeStructure(array, [other]))
    assert session.hole("c").prefix == "%matplotlib inline\nx = 1\n\ny"


def test_a_cell_is_judged_with_what_earlier_ones_define() -> None:
    """Without them the name would be one that nothing defines, and the text suspicious."""
    session = Session(("a", "def area(r):\n    return 3 * r\n"), ("c", "a = "))
    hole = session.hole("c")
    known = validate("python", hole.prefix, "area(2)", hole.suffix)
    assert (known.outcome, known.evidence) == (Outcome.VALID, ())
    unknown = validate("python", hole.prefix, "volume(2)", hole.suffix)
    assert [each.kind for each in unknown.evidence] == ["name"]


def test_a_broken_earlier_cell_is_not_this_ones_fault() -> None:
    """The verdict is about the text."""
    session = Session(("a", "def f(:\n    retur"), ("b", "x = ["))
    hole = session.hole("b")
    assert validate("python", hole.prefix, "1, 2]", hole.suffix).outcome is not Outcome.INVALID
    assert validate("python", hole.prefix, "1, 2))", hole.suffix).outcome is not Outcome.VALID


def test_cells_come_go_move_and_are_edited() -> None:
    """What stands before one follows all of it."""
    session = Session(("a", "a = 1"), ("b", "b = 2"), ("c", "c"))
    new = types.TextDocumentItem(uri("n"), "python", 1, "n = 0")
    array = types.NotebookCellArrayChange(1, 0, [cell("n")])
    session.change(structure=types.NotebookDocumentCellChangeStructure(array, [new]))
    assert session.hole("c").prefix == "a = 1\n\nn = 0\n\nb = 2\n\nc"
    move = types.NotebookCellArrayChange(0, 3, [cell("b"), cell("a")])
    gone = [types.TextDocumentIdentifier(uri("n"))]
    session.change(structure=types.NotebookDocumentCellChangeStructure(move, did_close=gone))
    assert session.hole("c").prefix == "b = 2\n\na = 1\n\nc"
    assert session.documents.get(uri("n")) is None
    edit = types.TextDocumentContentChangePartial(
        types.Range(types.Position(0, 4), types.Position(0, 5)), "9"
    )
    content = types.NotebookDocumentCellContentChanges(
        types.VersionedTextDocumentIdentifier(2, uri("a")), [edit]
    )
    session.change(text_content=[content])
    assert session.edited == [uri("a")]
    assert session.hole("c").prefix == "b = 2\n\na = 9\n\nc"
    markup = types.NotebookCellArrayChange(0, 1, [cell("b", MARKUP)])
    session.change(structure=types.NotebookDocumentCellChangeStructure(markup))
    assert session.hole("c").prefix == "a = 9\n\nc"


def test_what_stands_before_a_cell_is_bounded() -> None:
    """The nearest cells, each whole; the hole then says that it is not all."""
    session = Session(("a", "a" * MOST_EARLIER), ("b", "b = 2"), ("c", "c"))
    hole = session.hole("c")
    assert hole.prefix == "b = 2\n\nc"
    assert not hole.whole


@pytest.mark.parametrize("start", [0, 7])
def test_changes_that_do_not_fit_do_no_harm(start: int) -> None:
    """Beyond the end means the end."""
    session = Session(("a", "a = 1"), ("b", "b"))
    array = types.NotebookCellArrayChange(start, 99, None)
    session.change(structure=types.NotebookDocumentCellChangeStructure(array))
    assert session.hole("b").prefix in {"b", "a = 1\n\nb"}


def test_a_closed_notebook_is_forgotten_with_its_cells() -> None:
    """Also one whose cells are out of step."""
    session = Session(("a", "a = 1"), ("b", "b"))
    session.close("a", "b")
    assert list(session.documents) == []
    session = Session(("a", "a = 1"), ("b", "b"))
    session.drop()
    session.drop()
    assert list(session.documents) == []

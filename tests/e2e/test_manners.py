"""What clients report, and what is shown to them while they wait."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Listening, Scripted
from tests.e2e.editor import SECONDS, Editor, until

URI = "file:///project/a.py"
SHOWN = "textDocument/didShowCompletion"
PARTLY = "textDocument/didPartiallyAcceptCompletion"
FOCUS = "textDocument/didFocus"


@pytest.fixture
def scripted(listening: Listening) -> Listening:
    """The server of this module, which nothing happened in yet."""
    listening.forget_events()
    return listening


def counted(folder: Path) -> str:
    """All files of the counts below a folder, as text."""
    files = [file for file in folder.rglob("*.json") if file.parent.name == "counts"]
    return json.dumps([json.loads(file.read_text(encoding="utf-8")) for file in files])


async def item_of(session: Editor) -> Any:
    """The one item, as the editor would send it back."""
    answer = await session.complete(URI, 0, 1)
    assert answer is not None
    return session.client.protocol._converter.unstructure(answer.items[0])


def titles(session: Editor) -> list[str]:
    """Of all progress that was begun, in order."""
    begun: list[Any] = [reports[0] for reports in session.client.progress_reports.values()]
    return [each.title for each in begun]


async def test_what_is_shown_and_taken_in_part_is_counted(scripted: Scripted) -> None:
    """As editors with Copilot's words report it."""
    async with scripted.session() as session:
        session.open(URI, "x")
        item = await item_of(session)
        session.notify_raw(SHOWN, {"item": item})
        session.notify_raw(PARTLY, {"item": item, "acceptedLength": 2})
        await session.command("synconfroute.why")
    await until(lambda: '"shown": 1' in counted(scripted.folder), "the numbers")
    assert '"partly": 1' in counted(scripted.folder)


async def test_reports_that_say_nothing_do_no_harm(session: Editor, scripted: Scripted) -> None:
    """Nothing is shown to the user, no error is logged, and requests go on being answered."""
    session.open(URI, "x")
    item: dict[str, Any] = {"command": {"command": "synconfroute.accept", "arguments": ["r99"]}}
    odd: list[Any] = [
        None, {}, [], 3, "x", {"item": None}, {"item": {"command": {"arguments": []}}},
        {"item": item, "acceptedLength": True}, {"item": item, "acceptedLength": -1},
        {"item": item, "acceptedLength": 10**30}, {"textDocument": {"uri": 3}},
        {"textDocument": {"uri": "file:///never/opened"}},
    ]  # fmt: skip
    for method in (SHOWN, PARTLY, FOCUS):
        for params in odd:
            session.notify_raw(method, params)
    assert await session.text(URI, 0, 1) == "<x|>\n0"
    assert session.shown == []
    assert "ERROR" not in scripted.log()


async def test_turning_to_a_document_makes_ready(session: Editor, scripted: Scripted) -> None:
    """Once more, since models and connections may have gone meanwhile."""
    await until(lambda: scripted.events().count("warm ") == 1, "the start")
    session.open(URI, "x")
    session.notify_raw(FOCUS, {"textDocument": {"uri": URI}})
    await until(lambda: scripted.events().count("warm ") == 2, "the focus")
    session.notify_raw(FOCUS, {})
    await session.text(URI, 0, 1)
    assert scripted.events().count("warm ") == 2


async def test_a_first_answer_that_takes_long_shows_that_the_model_is_loaded(
    session: Editor,
) -> None:
    """In editors that show progress; it ends with the request."""
    session.open(URI, "slow")
    running = session.begin(URI, 0, 4)
    reports = session.client.progress_reports
    await until(lambda: any(reports.values()), "the progress")
    assert titles(session) == ["Loading the local model"]
    session.edit(URI, 2, (0, 0), (0, 4), "fast")
    assert await asyncio.wait_for(running, SECONDS) is None
    await until(lambda: len(next(iter(reports.values()))) == 2, "the end")


async def test_an_editor_that_shows_no_progress_is_asked_for_none(scripted: Scripted) -> None:
    """It would answer with an error."""
    async with scripted.session(says={"capabilities": {}}) as session:
        await session.command("synconfroute.pull")
        await session.command("synconfroute.why")
        assert session.client.progress_reports == {}


async def test_cells_of_a_notebook_are_documents(session: Editor) -> None:
    """They are completed, edited and closed by what the editor says of the notebook."""
    assert session.initialized.capabilities.notebook_document_sync is not None
    book, cell = "file:///project/book.ipynb", "vscode-notebook-cell:/project/book.ipynb#X1"
    session.notify_raw(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": book,
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [{"kind": 2, "document": cell}],
            },
            "cellTextDocuments": [
                {"uri": cell, "languageId": "python", "version": 1, "text": "fast"}
            ],
        },
    )
    assert await session.text(cell, 0, 4) == "<fast|>\n0"
    place = {"line": 0, "character": 0}
    edit = {"range": {"start": place, "end": place}, "text": "x"}
    content = [{"document": {"uri": cell, "version": 2}, "changes": [edit]}]
    changed = {"notebookDocument": {"uri": book, "version": 2}}
    session.notify_raw(
        "notebookDocument/didChange", {**changed, "change": {"cells": {"textContent": content}}}
    )
    assert await session.text(cell, 0, 5) == "<xfast|>\n0"
    session.notify_raw("notebookDocument/didChange", {**changed, "change": {"cells": 7}})
    assert await session.complete(cell, 0, 5) is None
    assert session.shown == []

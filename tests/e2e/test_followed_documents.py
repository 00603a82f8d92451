"""The real server and its parser: documents are judged where they are, by their edits."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from lsprotocol import types

from synconfroute.server.protocol.documents import WHOLE
from tests.e2e.editor import SERVE, Editor, editor, environment, until
from tests.server.command.model_server import ModelServer, serving

URI = "file:///work/a.py"
FUNCTION = "def f(a, b):\r\n    return a\r\n\r\n\r\n"


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A local model that answers what the test says."""
    with serving(ModelServer()) as one:
        yield one


@pytest.fixture
async def session(home: Path, model: ModelServer) -> AsyncIterator[Editor]:
    """An editor with the real server."""
    options = {
        "local": {"provider": "openai", "url": model.url},
        "limits": {"validation_ms": 10_000},
        "provenance": True,
    }
    async with editor(SERVE, environment(HOME=str(home)), options=options) as one:
        yield one


async def _verdict(session: Editor, line: int, character: int, **more: Any) -> str:
    known = len(session.provenance)
    await session.complete(URI, line, character, **more)
    await until(lambda: len(session.provenance) > known, "the provenance")
    return str(session.provenance[-1].verdict)


async def test_a_document_larger_than_a_prompt_is_judged(
    session: Editor, model: ModelServer
) -> None:
    """Its hole is a window, and the verdict is about all of it, edit after edit."""
    count = WHOLE // len(FUNCTION) + 10
    session.open(URI, FUNCTION * count + "x = ")
    line = 4 * count
    answers = [("a + b\n", "valid"), ("else a b\n", "invalid")] * 3
    for version, (text, verdict) in enumerate(answers):
        model.text = text
        session.edit(URI, version + 2, (line, 4), (line, 4), "c + ")
        assert await _verdict(session, line, 8 + 4 * version) == verdict


async def test_damage_elsewhere_does_not_matter(session: Editor, model: ModelServer) -> None:
    """The verdict is about the completion, in a file that the user has left broken above."""
    session.open(URI, "def f(:\r\n    return )\r\n\r\n" + FUNCTION * 3 + "x = \r\n")
    for text, verdict in (("a + b\n", "valid"), ("else a b\n", "invalid")):
        model.text = text
        # What the user asks for is not answered with what was made unasked.
        assert await _verdict(session, 15, 4, explicit=verdict == "invalid") == verdict


async def test_text_that_the_editor_previews_counts(session: Editor, model: ModelServer) -> None:
    """What is judged is the entry of the editor's list with the completion behind it."""
    session.open(URI, FUNCTION + "pri\r\n")
    chosen = types.SelectedCompletionInfo(
        types.Range(types.Position(4, 0), types.Position(4, 3)), "print(f("
    )
    for text, verdict in (("1, 2))\n", "valid"), ("1 else )) 2\n", "invalid")):
        model.text = text
        explicit = verdict == "invalid"
        assert await _verdict(session, 4, 3, chosen=chosen, explicit=explicit) == verdict


async def test_a_parser_killed_while_documents_are_open(
    session: Editor, model: ModelServer
) -> None:
    """The next answers have verdicts again."""
    session.open(URI, FUNCTION + "x = \r\n")
    model.text = "else a b\n"
    assert await _verdict(session, 4, 4) == "invalid"
    server = session.client._server
    assert server is not None
    for child in psutil.Process(server.pid).children():
        child.kill()
    verdicts = []
    for _ in range(50):
        verdicts.append(await _verdict(session, 4, 4))
        if verdicts[-1] == "invalid":
            break
    assert verdicts[-1] == "invalid"

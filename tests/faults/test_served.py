"""Rows of the table against the real server process: one process for all, told by its editor."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from synconfroute.server.completion.ledger.history import NOT_ENDED, history
from synconfroute.server.completion.ledger.verification import verify
from tests.e2e.editor import SERVE, Editor, editor, environment, homes, until
from tests.faults.bench import as_told, servers_for
from tests.faults.servers import CERTIFICATES, LOCAL_TEXT, ORG_TEXT
from tests.faults.table import NOTHING, ROWS, Row

pytestmark = pytest.mark.asyncio(loop_scope="module")

_ASKED = 3
_PATIENCE = 100
_PAUSES = {"breaker.first_pause_ms": 10, "breaker.longest_pause_ms": 50}
_NOBODY = {"local.provider": "openai", "local.url": "http://127.0.0.1:1/v1"}


class Window:
    """An editor's window that stays open over all rows."""

    def __init__(self, session: Editor, folder: Path) -> None:
        self.session = session
        self.folder = folder
        self._opened = 0

    def set(self, settings: dict[str, Any]) -> None:
        """Set these, by dotted names."""
        pushed = {"synconfroute": _PAUSES | settings}
        self.session.notify_raw("workspace/didChangeConfiguration", {"settings": pushed})

    async def ask(self) -> str | None:
        """The text that is shown in a new document, if any."""
        self._opened += 1
        uri = (self.folder / f"{self._opened}.txt").as_uri()
        self.session.open(uri, "sum = \n", "plaintext")
        answer = await self.session.complete(uri, 0, 6, explicit=True)
        self.session.close(uri)
        if answer is None or not answer.items:
            return None
        text = answer.items[0].insert_text
        assert isinstance(text, str)
        return text


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def window(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Window]:
    """A window with `synconfroute serve` behind it."""
    folder = tmp_path_factory.mktemp("served")
    authority = str(CERTIFICATES / "authority.pem")
    env = environment(**homes(str(folder)), SSL_CERT_FILE=authority)
    options = {"status": True, "provenance": True, **_NOBODY}
    async with editor(SERVE, env, options=options, says={"capabilities": {}}) as session:
        yield Window(session, folder)


@pytest.mark.parametrize("row", [row for row in ROWS if row.served], ids=str)
async def test_a_fault_is_told_once_and_heals_without_a_restart(row: Row, window: Window) -> None:
    """What the editor shows, its message, its status bar, and the next answer when all is well."""
    session = window.session
    told_before = len(session.shown)
    async with servers_for(row) as servers:
        window.set(await servers.break_down())
        shown = None if row.shown == NOTHING else LOCAL_TEXT
        assert [await window.ask() for _ in range(_ASKED)] == [shown] * _ASKED
        reasons = {made.reason for made in session.provenance[-_ASKED:]}
        assert reasons <= {row.reason, row.then or row.reason}
        told = as_told(row, servers.address, Path())
        for _ in range(_PATIENCE):  # a busy machine asks more often before it is sure of "late"
            if len(session.shown) > told_before:
                break
            assert await window.ask() == shown
        await until(lambda: session.statuses[-1].kind == row.kind, "the status")
        status = session.statuses[-1]
        slow = row.reason == "late" and "did not answer in time" in status.detail
        assert slow or told.search(f"{status.message} {status.detail}")

        settings = await servers.heal()
        if settings is not None:
            window.set(settings)
        for _ in range(_PATIENCE):
            if await window.ask() == ORG_TEXT:
                break
            await asyncio.sleep(0.02)
        assert session.provenance[-1].tier == "org"
        await until(lambda: session.statuses[-1].kind == "Normal", "the status of what is well")
        messages = session.shown[told_before:]
        assert [message for message in messages if told.fullmatch(message) is None] == []
        assert len(messages) == 1


async def test_the_ledger_of_all_of_it_is_whole(window: Window) -> None:
    """Each request has its end, and what the editor was given is noted as shown."""
    async with servers_for(ROWS[0]) as servers:
        await servers.break_down()
        settings = await servers.heal()
        window.set(settings or servers.settings())
        assert await window.ask() == ORG_TEXT
        request_id = window.session.provenance[-1].request_id
    (ledger,) = {head.parent for head in window.folder.rglob("*.head")}
    assert verify(ledger).breaks == ()
    requests = history(ledger).requests
    assert [each for each in requests if each.status == NOT_ENDED] == []
    assert [each.shown for each in requests if each.request_id == request_id] == [True]

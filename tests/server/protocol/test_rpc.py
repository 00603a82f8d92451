"""The protocol keeps nothing of what is done, and waits for nothing that was given up."""

import asyncio
import gc
import json
from typing import Any

import pytest
from lsprotocol import types

from synconfroute.server.protocol.server import Server
from synconfroute.server.settings.tree import Settings


class Written:
    """What the server writes, message by message."""

    def __init__(self) -> None:
        self.answers: list[Any] = []

    def write(self, data: bytes) -> None:
        """Take one message."""
        self.answers.append(json.loads(data.partition(b"\r\n\r\n")[2]))

    def close(self) -> None:
        """Nothing is open."""


NOTHING: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
"""The parameters of `initialize` of a client that can do nothing."""


def _unused(*_: Any, **__: Any) -> Any:
    raise AssertionError("nothing here wants a model")


def _begun() -> tuple[Server, Written]:
    """A server that writes here, without a session yet."""
    server = Server(lambda *_: (Settings(), []), _unused, _unused)
    written = Written()
    server.protocol.set_writer(written)
    return server, written


def _send(server: Server, identity: int | str, **members: Any) -> None:
    server.protocol.receive(json.dumps({"jsonrpc": "2.0", "id": identity, **members}).encode())


async def test_nothing_is_kept_of_commands_that_were_answered() -> None:
    """Editors send them all day: in pygls 2.1 a task of each stays until the session ends."""
    server, written = _begun()
    _send(server, 0, method="initialize", params=NOTHING)
    for identity in range(1, 51):
        params = {"command": "synconfroute.why"}
        _send(server, identity, method="workspace/executeCommand", params=params)
    while len(written.answers) < 51:
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()
    here = asyncio.get_running_loop()  # tasks of other tests may be alive still
    tasks = [each for each in gc.get_objects() if isinstance(each, asyncio.Task)]
    assert len([each for each in tasks if each.get_loop() is here]) < 10


async def test_an_answer_to_a_question_that_was_given_up_is_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A session that ends while it waits for the client's settings."""
    server, written = _begun()
    asking = asyncio.ensure_future(
        server.workspace_configuration_async(types.ConfigurationParams([]))
    )
    await asyncio.sleep(0)
    asking.cancel()
    await asyncio.wait({asking})
    _send(server, written.answers[-1]["id"], result=[{}])
    assert [record.message for record in caplog.records] == []

"""The protocol keeps nothing of what is done."""

import asyncio
import gc
import json
from typing import Any

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


def _unused(*_: Any, **__: Any) -> Any:
    raise AssertionError("nothing here wants a model")


async def test_nothing_is_kept_of_commands_that_were_answered() -> None:
    """Editors send them all day: in pygls 2.1 a task of each stays until the session ends."""
    server = Server(lambda *_: (Settings(), []), _unused, _unused)
    written = Written()
    server.protocol.set_writer(written)

    def send(identity: int, method: str, params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        server.protocol.receive(json.dumps(message).encode())

    send(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    for identity in range(1, 51):
        send(identity, "workspace/executeCommand", {"command": "synconfroute.why"})
    while len(written.answers) < 51:
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    gc.collect()
    here = asyncio.get_running_loop()  # tasks of other tests may be alive still
    tasks = [each for each in gc.get_objects() if isinstance(each, asyncio.Task)]
    assert len([each for each in tasks if each.get_loop() is here]) < 10

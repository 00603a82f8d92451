"""An editor's side of a session over TCP: as much of LSP as the load needs."""

import asyncio
import json
from typing import Any, Self

_ANSWER_S = 60.0
"""An answer that takes longer is lost."""


class Editor:
    """One connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begin to read; see `connect`."""
        self._reader = reader
        self._writer = writer
        self._count = 0
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.shown: list[str] = []
        self._reading = asyncio.ensure_future(self._read())

    @classmethod
    async def connect(cls, port: int, name: str) -> Self:
        """A session that has been initialized.

        Args:
            port: on this machine.
            name: of the editor.
        """
        editor = cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 20))
        params: dict[str, Any] = {
            "processId": None,
            "rootUri": None,
            "capabilities": {},
            "clientInfo": {"name": name},
        }
        await editor.ask("initialize", params)
        editor.notify("initialized", {})
        return editor

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    async def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result.

        Raises:
            TimeoutError: there was none.
            RuntimeError: it was an error, or the connection ended.
        """
        self._count += 1
        name = self._count
        answer = asyncio.get_running_loop().create_future()
        self._waiting[name] = answer
        self._send({"id": name, "method": method, "params": params})
        try:
            message = await asyncio.wait_for(answer, _ANSWER_S)
        finally:
            self._waiting.pop(name, None)
        if "error" in message:
            raise RuntimeError(str(message["error"].get("message")))
        return message.get("result")

    async def leave(self) -> None:
        """End the session as editors do."""
        try:
            await self.ask("shutdown", None)
            self.notify("exit", None)
        except (RuntimeError, TimeoutError, OSError):
            pass  # it has ended already
        self._reading.cancel()
        self._writer.close()

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def _read(self) -> None:
        try:
            while True:
                head = await self._reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
                self._take(json.loads(await self._reader.readexactly(length)))
        except (asyncio.IncompleteReadError, OSError):
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_result({"error": {"message": "the server has hung up"}})

    def _take(self, message: dict[str, Any]) -> None:
        if "method" in message:
            if "id" in message:  # it asks something: nothing to say
                self._send({"id": message["id"], "result": None})
            elif message["method"] == "window/showMessage":
                self.shown.append(message["params"]["message"])
            return
        answer = self._waiting.get(message.get("id", 0))
        if answer is not None and not answer.done():
            answer.set_result(message)

"""An editor for tests: pytest-lsp's client with the `initialize` that VS Code really sends."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp import LanguageClient
from pytest_lsp.client import make_test_lsp_client

ROOT = Path(__file__).parents[2]
WATCH = Path(__file__).with_name("watch")
SCRIPTED = (sys.executable, str(Path(__file__).with_name("scripted_server.py")))
SERVE = (sys.executable, "-m", "synconfroute", "serve")
SECONDS = 60.0
"""How long a test waits for anything that should come at once."""

RECORDED = Path(__file__).parent / "recorded" / "vscode-1.139-initialize.json"


def environment(**more: str) -> dict[str, str]:
    """This process's environment, with the sources importable, and sockets under watch."""
    path = os.pathsep.join((str(ROOT / "src"), str(WATCH)))
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **more}


def homes(folder: str) -> dict[str, str]:
    """The variables by which a process finds its user's folders, on every platform."""
    names = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
    xdg = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
    return dict.fromkeys((*names, *xdg), folder)


def recorded_initialize() -> dict[str, Any]:
    """The parameters of VS Code's `initialize`, without its own extension's options."""
    params: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    params["processId"] = os.getpid()
    params["initializationOptions"] = None
    return params


class Editor:
    """One session of one editor with a server process."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.provenance: list[Any] = []
        self.statuses: list[Any] = []
        self.registered: list[types.Registration] = []
        self.initialized: types.InitializeResult
        self._ids = count(1)

    @property
    def shown(self) -> list[str]:
        """Every message shown to the user so far."""
        return [message.message for message in self.client.messages]

    def open(self, uri: str, text: str, language: str = "python") -> None:
        """Open a document as version 1."""
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, 1, text))
        )

    def edit(
        self, uri: str, version: int, start: tuple[int, int], end: tuple[int, int], text: str
    ) -> None:
        """Replace a range."""
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version, uri),
                [
                    types.TextDocumentContentChangePartial(
                        range=types.Range(types.Position(*start), types.Position(*end)), text=text
                    )
                ],
            )
        )

    def close(self, uri: str) -> None:
        """Close a document."""
        self.client.text_document_did_close(
            types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri))
        )

    def begin(
        self,
        uri: str,
        line: int,
        character: int,
        *,
        explicit: bool = False,
        chosen: types.SelectedCompletionInfo | None = None,
        name: str | None = None,
    ) -> "asyncio.Future[types.InlineCompletionList | None]":
        """Send an inline completion request; its answer comes later."""
        kind = types.InlineCompletionTriggerKind
        sent = self.client.protocol.send_request(
            types.TEXT_DOCUMENT_INLINE_COMPLETION,
            types.InlineCompletionParams(
                context=types.InlineCompletionContext(
                    kind.Invoked if explicit else kind.Automatic, chosen
                ),
                text_document=types.TextDocumentIdentifier(uri),
                position=types.Position(line, character),
            ),
            msg_id=name,
        )
        return asyncio.wrap_future(sent)

    async def complete(
        self, uri: str, line: int, character: int, **more: Any
    ) -> types.InlineCompletionList | None:
        """The answer to an inline completion request."""
        return await asyncio.wait_for(self.begin(uri, line, character, **more), SECONDS)

    async def text(self, uri: str, line: int, character: int, **more: Any) -> str:
        """The text of the one item that a request is answered with."""
        answer = await self.complete(uri, line, character, **more)
        assert answer is not None
        (item,) = answer.items
        assert isinstance(item.insert_text, str)
        return item.insert_text

    async def command(self, name: str, *arguments: Any) -> Any:
        """The answer to a command."""
        params = types.ExecuteCommandParams(name, arguments=list(arguments))
        asked = self.client.workspace_execute_command_async(params)
        return await asyncio.wait_for(asked, SECONDS)

    async def raw(self, method: str, params: Any) -> Any:
        """Send any parameters at all; the result, or the error raised."""
        name = f"raw-{next(self._ids)}"
        answer: Future[Any] = Future()
        self.client.protocol._request_futures[name] = answer
        self.client.protocol._send_data(
            {"jsonrpc": "2.0", "id": name, "method": method, "params": params}
        )
        return await asyncio.wait_for(asyncio.wrap_future(answer), SECONDS)

    def notify_raw(self, method: str, params: Any) -> None:
        """Send a notification with any parameters at all."""
        self.client.protocol._send_data({"jsonrpc": "2.0", "method": method, "params": params})


@asynccontextmanager
async def editor(
    command: Sequence[str],
    env: dict[str, str],
    *,
    port: int = 0,
    options: dict[str, Any] | None = None,
    encodings: list[str] | None = None,
    root: Path | None = None,
    says: dict[str, Any] | None = None,
    configuration: dict[str, Any] | None = None,
) -> AsyncIterator[Editor]:
    """Start a server, initialize it as VS Code does, and shut it down in the end.

    Args:
        command: the server's command line.
        env: its environment.
        port: of this machine, where a server listens already; 0: start one.
        options: initializationOptions.
        encodings: position encodings to offer; None: those of VS Code.
        root: the folder that is open; None: the recorded one, which does not exist here.
        says: what else the editor says in `initialize`, in place of what VS Code does.
        configuration: what it answers when it is asked for its settings.
    """
    client = make_test_lsp_client()
    session = Editor(client)

    @client.feature("synconfroute/provenance")  # type: ignore[untyped-decorator]
    def provenance(params: Any) -> None:
        session.provenance.append(params)

    @client.feature("didChangeStatus")  # type: ignore[untyped-decorator]
    def status(params: Any) -> None:
        session.statuses.append(params)

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
    def register(params: types.RegistrationParams) -> None:
        session.registered.extend(params.registrations)

    client.set_configuration(configuration or {})
    if port:
        await client.start_tcp("127.0.0.1", port)
    else:
        await client.start_io(command[0], *command[1:], env=env)
    recorded = recorded_initialize()
    if encodings is not None:
        recorded["capabilities"]["general"]["positionEncodings"] = encodings
    recorded["initializationOptions"] = options
    recorded |= says or {}
    if root is not None:
        recorded["workspaceFolders"] = [{"uri": root.as_uri(), "name": root.name}]
    params = client.protocol._converter.structure(recorded, types.InitializeParams)
    try:
        session.initialized = await asyncio.wait_for(client.initialize_session(params), SECONDS)
        yield session
        await asyncio.wait_for(client.shutdown_session(), SECONDS)
    finally:
        if client._server is not None and client._server.returncode is None:
            client._server.kill()
        if isinstance(client.protocol.writer, asyncio.StreamWriter):
            client.protocol.writer.close()
        await client.stop()  # type: ignore[no-untyped-call]


async def until(condition: Any, what: str) -> None:
    """Wait until a condition holds; the test fails if it does not in time."""
    deadline = asyncio.get_running_loop().time() + SECONDS
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, f"waited in vain for {what}"
        await asyncio.sleep(0.005)

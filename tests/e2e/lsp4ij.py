"""LSP4IJ 0.20 without an IDE: what it says at the start, and what it does with an answer.

Written after its source (ClientCapabilitiesFactory, LSPInlineCompletionProvider), not recorded.
"""

import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types

from tests.e2e.editor import SERVE, Editor, editor

CAPABILITIES: dict[str, Any] = {
    "general": {
        "staleRequestSupport": {"cancel": True, "retryOnContentModified": []},
        "positionEncodings": ["utf-16"],
    },
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "executeCommand": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "workspaceEdit": {
            "documentChanges": True,
            "resourceOperations": ["create", "delete", "rename"],
        },
    },
    "textDocument": {
        "synchronization": {"willSave": True, "willSaveWaitUntil": True, "didSave": True},
        "completion": {
            "dynamicRegistration": True,
            "completionItem": {
                "snippetSupport": True,
                "documentationFormat": ["markdown", "plaintext"],
                "insertTextModeSupport": {"valueSet": [1, 2]},
            },
            "completionList": {"itemDefaults": ["editRange"]},
        },
        "inlineCompletion": {"dynamicRegistration": True},
    },
    "window": {
        "workDoneProgress": True,
        "showDocument": {"support": True},
        "showMessage": {"messageActionItem": {"additionalPropertiesSupport": False}},
    },
}
"""The part of its capabilities that a server for completions may read."""


@asynccontextmanager
async def idea(
    env: dict[str, str], root: Path, options: dict[str, Any], settings: dict[str, Any]
) -> AsyncIterator["Idea"]:
    """A session as LSP4IJ begins one, with the texts of initializationOptions and settings."""
    says = {
        "processId": os.getpid(),
        "clientInfo": {"name": "IntelliJ IDEA 2026.1", "version": "2026.1 (build IC-261.1)"},
        "capabilities": CAPABILITIES,
        "rootUri": root.as_uri(),
        "trace": "off",
    }
    async with editor(
        SERVE, env, options=options, root=root, says=says, configuration=settings
    ) as session:
        yield Idea(session)


class Idea:
    """One file in an IDE: its text, the caret in it, and the grey text behind the caret."""

    def __init__(self, session: Editor) -> None:
        self.session = session
        self.text = ""
        self._uri = ""
        self._version = 1

    def open(self, uri: str, text: str) -> int:
        """Open a file whose text has "|" where the caret is; its offset in characters."""
        self.text = text.replace("|", "")
        self._uri = uri
        self.session.open(uri, self.text)
        return text.index("|")

    def type(self, caret: int, text: str) -> int:
        """Type at the caret, in one edit; where it is then."""
        self._version += 1
        line, column = self._position(caret)
        self.session.edit(self._uri, self._version, (line, column), (line, column), text)
        self.text = self.text[:caret] + text + self.text[caret:]
        return caret + len(text)

    async def accept(self, caret: int) -> int:
        """Ask, take the first text with Tab, send the edit; where the caret is then.

        The trigger is always automatic, the item's command is not run. Of the text so many UTF-16
        units are cut as the range has before the caret; what it has behind is passed over.
        """
        answer = await self.session.complete(self._uri, *self._position(caret))
        if answer is None or not answer.items:
            return caret
        item = answer.items[0]
        shown = item.insert_text if isinstance(item.insert_text, str) else item.insert_text.value
        passed = 0
        if item.range is not None:
            start, end = self._offset(item.range.start), self._offset(item.range.end)
            typed = len(self.text[start:caret].encode("utf-16-le")) // 2
            units = shown.encode("utf-16-le")
            if start < caret <= end and 2 * typed < len(units):
                shown = units[2 * typed :].decode("utf-16-le")
            passed = max(0, end - caret)
        return self.type(caret + passed, shown)

    async def cancel(self, caret: int) -> None:
        """Ask, and give up at once, as it does when the caret moves."""
        asked = self.session.begin(self._uri, *self._position(caret), name="given up")
        self.session.client.cancel_request(types.CancelParams("given up"))
        with contextlib.suppress(Exception):
            await asked

    def _position(self, offset: int) -> tuple[int, int]:
        before = self.text[:offset]
        left = before[before.rfind("\n") + 1 :]
        return before.count("\n"), len(left.encode("utf-16-le")) // 2

    def _offset(self, position: types.Position) -> int:
        lines = self.text.split("\n")
        units = lines[position.line].encode("utf-16-le")[: 2 * position.character]
        above = sum(len(line) + 1 for line in lines[: position.line])
        return above + len(units.decode("utf-16-le"))

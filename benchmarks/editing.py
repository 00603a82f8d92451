"""A document that an editor has open in our server, and types in."""

from typing import Any

from benchmarks.processes import Session


class Opened:
    """One open document with its cursor."""

    def __init__(
        self,
        editor: Session,
        text: str,
        *,
        uri: str = "file:///bench/a.py",
        language: str = "python",
    ) -> None:
        """Open it; the cursor stands at its start."""
        self._editor = editor
        self._version = 0
        self.uri = uri
        self.line = self.column = 0
        item = {"uri": uri, "languageId": language, "version": 0, "text": text}
        editor.notify("textDocument/didOpen", {"textDocument": item})

    def go(self, line: int, column: int) -> None:
        """Put the cursor there."""
        self.line, self.column = line, column

    def type(self, text: str) -> None:
        """Type at the cursor, which goes on behind the text."""
        place = {"line": self.line, "character": self.column}
        self._version += 1
        self._editor.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self._version},
                "contentChanges": [{"range": {"start": place, "end": place}, "text": text}],
            },
        )
        _, broken, last = text.rpartition("\n")
        self.line += text.count("\n")
        self.column = len(last) if broken else self.column + len(text)

    def begin(self) -> int:
        """Ask for a completion as editors do on their own; the request's id."""
        return self._editor.begin("textDocument/inlineCompletion", self._question)

    def complete(self) -> list[dict[str, Any]]:
        """Ask for a completion and wait for it: the items, none where the answer is null."""
        answer = self._editor.ask("textDocument/inlineCompletion", self._question)
        result = answer["result"]
        return result["items"] if result else []

    def provenance(self) -> dict[str, Any]:
        """How the last answer in this document came about."""
        command = {"command": "synconfroute.why", "arguments": [self.uri]}
        found = self._editor.ask("workspace/executeCommand", command)["result"]["provenance"]
        assert isinstance(found, dict)
        return found

    @property
    def _question(self) -> dict[str, Any]:
        return {
            "textDocument": {"uri": self.uri},
            "position": {"line": self.line, "character": self.column},
            "context": {"triggerKind": 2},
        }


def nothing(editor: Session) -> None:
    """Ask for a completion in a document that is not open; returns when it is answered by none."""
    answer = editor.ask(
        "textDocument/inlineCompletion",
        {
            "textDocument": {"uri": "file:///bench/not-open.py"},
            "position": {"line": 0, "character": 0},
            "context": {"triggerKind": 2},
        },
    )
    assert answer["result"] is None, answer

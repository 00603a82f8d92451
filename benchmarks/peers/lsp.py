"""An editor that asks a language server after each key, and cancels what it asked before."""

import json
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any

from benchmarks.trace.passages import Passage
from benchmarks.trace.typist import Part, Seen, first_line

_SECONDS = 60.0
_INLINE, _LIST = "textDocument/inlineCompletion", "textDocument/completion"
_AUTOMATIC = 2
_CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"dynamicRegistration": False},
        "inlineCompletion": {"dynamicRegistration": True},
        "completion": {"completionItem": {"snippetSupport": False}, "contextSupport": True},
    },
    "workspace": {"configuration": True, "workspaceFolders": True},
}

_Answered = Callable[[Any], None]


class Channel:
    """Messages to and from a language server's process."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", registered: Callable[[str], None]
    ) -> None:
        """`registered` is told each method that the server registers while it runs."""
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self._registered = registered
        self._lock = threading.Lock()
        self._waiting: dict[int, _Answered] = {}
        self._count = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def begin(self, method: str, params: Any, answered: _Answered) -> int:
        """Send a request; its id. `answered` is told the result, None for an error."""
        with self._lock:
            self._count += 1
            number = self._count
            self._waiting[number] = answered
        self._send({"id": number, "method": method, "params": params})
        return number

    def ask(self, method: str, params: Any) -> Any:
        """Send a request and wait for its result.

        Raises:
            TimeoutError: it does not come.
        """
        there = threading.Event()
        results: list[Any] = []

        def answered(result: Any) -> None:
            results.append(result)
            there.set()

        self.begin(method, params, answered)
        if not there.wait(_SECONDS):
            raise TimeoutError(f"The language server does not answer {method}.")
        return results[0]

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self._lock:
            self._in.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self._in.flush()

    def _listen(self) -> None:
        with suppress(ValueError, OSError):  # closed while it was read
            while (message := _message(self._out)) is not None:
                self._take(message)

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            with self._lock:
                answered = self._waiting.pop(message.get("id", 0), None)
            if answered is not None:
                answered(message.get("result"))
        elif "id" in message:
            self._send({"id": message["id"], "result": self._reply(message)})

    def _reply(self, message: dict[str, Any]) -> Any:
        params = message.get("params") or {}
        for registration in params.get("registrations") or ():
            self._registered(registration["method"])
        items = params.get("items")
        is_configuration = message["method"] == "workspace/configuration"
        return [None] * len(items or ()) if is_configuration else None


def _message(out: IO[bytes]) -> dict[str, Any] | None:
    length = 0
    while (line := out.readline()) != b"\r\n":
        if not line:
            return None
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    message: dict[str, Any] = json.loads(out.read(length))
    return message


class LspEditor:
    """Types in one document, and shows what the server answers as VS Code does.

    What is shown stays while it is typed along, until the next answer takes its place. An answer
    is dropped when the document has changed since its request.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", passage: Passage, folder: str) -> None:
        """Begin a session and open the passage's file, without what is to be typed.

        Args:
            process: the server.
            passage: what is typed.
            folder: of the file, as a URI.
        """
        self._passage = passage
        self._uri = f"{folder}/{passage.name}"
        self._typed = ""
        self._shown = ""
        self._seen: list[Seen] = []
        self._version = 1
        self._asked: int | None = None
        self._command: dict[str, Any] | None = None
        self._lock = threading.RLock()
        self._method = ""
        self._ready = threading.Event()
        self._channel = Channel(process, self._registers)
        self._initialize(folder)

    def type(self, text: str) -> None:
        """Insert it, and ask."""
        with self._lock:
            agrees = self._shown.startswith(text)
            self._insert(text)
            self._show(self._shown[len(text) :] if agrees else "")
            self._ask()

    def erase(self) -> None:
        """Take the last character away, and ask."""
        with self._lock:
            end = self._place()
            self._typed = self._typed[:-1]
            self._change(self._place(), end, "")
            self._show("")
            self._ask()

    def take(self, shown: str, part: Part) -> None:
        """Insert it; where it was all, run the item's command; and ask."""
        with self._lock:
            text = shown if part is Part.WHOLE else first_line(shown)
            self._insert(text)
            self._show(shown[len(text) :])
            if not self._shown and self._command is not None:
                self._channel.begin("workspace/executeCommand", self._command, lambda _: None)
            self._ask()

    def look(self) -> Sequence[Seen]:
        """What was shown since the last look."""
        with self._lock:
            seen, self._seen = self._seen, []
            return seen

    def left(self) -> str:
        """What was typed."""
        return self._typed

    def warm(self, seconds: float) -> None:
        """Ask above where the typing begins, and give the server time."""
        lines = self._passage.before.count("\n")
        for line in (lines // 2, lines // 3):
            with self._lock:
                self._ask({"line": line, "character": 0})
            time.sleep(seconds / 2)
        with self._lock:
            self._show("")
            self._seen = []

    def close(self) -> None:
        """End the session."""
        with suppress(OSError, TimeoutError):
            self._channel.ask("shutdown", None)
            self._channel.notify("exit", None)

    def _initialize(self, folder: str) -> None:
        params = {
            "processId": None,
            "clientInfo": {"name": "trace", "version": "1"},
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": "trace"}],
            "capabilities": _CAPABILITIES,
        }
        result = self._channel.ask("initialize", params) or {}
        offered = result.get("capabilities") or {}
        if offered.get("inlineCompletionProvider") not in (None, False):
            self._registers(_INLINE)
        elif offered.get("completionProvider") is not None:
            self._registers(_LIST)
        self._channel.notify("initialized", {})
        passage = self._passage
        item = {
            "uri": self._uri,
            "languageId": passage.language,
            "version": self._version,
            "text": passage.before + passage.after,
        }
        self._channel.notify("textDocument/didOpen", {"textDocument": item})
        if not self._ready.wait(_SECONDS):
            raise TimeoutError("The language server offers no completions.")

    def _registers(self, method: str) -> None:
        if method == _INLINE or (method == _LIST and not self._method):
            self._method = method
            self._ready.set()

    def _insert(self, text: str) -> None:
        place = self._place()
        self._typed += text
        self._change(place, place, text)

    def _place(self) -> dict[str, int]:
        lines = (self._passage.before + self._typed).split("\n")
        return {"line": len(lines) - 1, "character": len(lines[-1])}

    def _change(self, start: dict[str, int], end: dict[str, int], text: str) -> None:
        self._version += 1
        params = {
            "textDocument": {"uri": self._uri, "version": self._version},
            "contentChanges": [{"range": {"start": start, "end": end}, "text": text}],
        }
        self._channel.notify("textDocument/didChange", params)

    def _ask(self, place: dict[str, int] | None = None) -> None:
        if self._asked is not None:
            self._channel.notify("$/cancelRequest", {"id": self._asked})
        context = {"triggerKind": _AUTOMATIC if self._method == _INLINE else 1}
        params = {
            "textDocument": {"uri": self._uri},
            "position": place or self._place(),
            "context": context,
        }
        version = -1 if place else self._version
        self._asked = self._channel.begin(
            self._method, params, lambda result: self._answered(version, result)
        )

    def _answered(self, version: int, result: Any) -> None:
        with self._lock:
            if version != self._version:
                return
            self._asked = None
            if result is None:
                return
            items = result.get("items", []) if isinstance(result, dict) else result
            self._command = None
            self._show(self._text(items[0]) if items else "")

    def _text(self, item: dict[str, Any]) -> str:
        """What an item adds behind the cursor; "" where it changes what stands before it."""
        edit = item.get("textEdit") or {}
        text = edit.get("newText") or item.get("insertText") or item.get("label") or ""
        span = edit.get("range") or edit.get("insert") or item.get("range")
        if span is not None:
            line = self._typed_line()
            standing = line[span["start"]["character"] :]
            if not text.startswith(standing):
                return ""
            text = text[len(standing) :]
        command = item.get("command")
        if command is not None:
            arguments = command.get("arguments") or []
            self._command = {"command": command["command"], "arguments": arguments}
        return str(text)

    def _typed_line(self) -> str:
        return (self._passage.before + self._typed).rpartition("\n")[2]

    def _show(self, text: str) -> None:
        self._shown = text
        self._seen.append(Seen(time.monotonic(), self._typed, text))

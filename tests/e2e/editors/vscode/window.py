"""One window of VS Code, as somebody sees it and types into it."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import Request, urlopen

from tests.e2e.editors.vscode.needs import Needs

SECONDS = 60.0
"""The longest wait for anything that a window should do."""

T = TypeVar("T")
_CHOSEN = ".quick-input-list .monaco-list-row.focused"
_STATUS = "#synconfroute\\.synconfroute-vscode\\.synconfroute\\.status"


class Window:
    """A browser page with VS Code, and a probe in its extension host."""

    def __init__(self, driver: subprocess.Popen[str], probe_file: Path) -> None:
        """The driver has just been started."""
        self._driver = driver
        self._probe_file = probe_file
        self._count = 0

    def act(self, name: str, **params: Any) -> Any:
        """Let the driver do something; its answer."""
        assert self._driver.stdin is not None
        self._count += 1
        message = {"id": self._count, "act": name, "params": params}
        self._driver.stdin.write(json.dumps(message) + "\n")
        self._driver.stdin.flush()
        return self.answer(self._count)

    def answer(self, number: int) -> Any:
        """The driver's answer to one message."""
        assert self._driver.stdout is not None
        line = self._driver.stdout.readline()
        assert line, "the browser's driver has ended"
        message = json.loads(line)
        assert message["id"] == number
        assert "error" not in message, message["error"]
        return message["value"]

    def probe(self, act: str, **params: Any) -> Any:
        """Ask the extension host."""
        port = until(lambda: self._probe_file.exists() and self._probe_file.read_text(), "probe")
        body = json.dumps({"act": act, "params": params}).encode()
        with urlopen(Request(f"http://127.0.0.1:{port}", body), timeout=SECONDS) as response:
            answer = json.load(response)
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.act("press", keys=key)

    def type(self, text: str, pause: float = 0.03) -> None:
        """Type a text; `pause` seconds between two keys."""
        self.act("type", text=text, pause_ms=pause * 1000)

    def ghost(self) -> str:
        """The grey text that stands in the editor now; "" where there is none."""
        return str(self.act("ghost"))

    def shows(self, wanted: str) -> None:
        """Wait for a grey text."""
        until(lambda: self.ghost() == wanted, f"the ghost {wanted!r}", self.ghost)

    def status(self) -> str:
        """What the status bar item says."""
        return "".join(self.act("text", selector=_STATUS)).strip()

    def says(self, word: str) -> None:
        """Wait for a word in the status bar."""
        until(lambda: self.status() == word, f"the status {word!r}", self.status)

    def tooltip(self) -> str:
        """What is to be read when the mouse rests on the status bar item."""
        self.act("hover", selector=_STATUS)
        hover = ".monaco-hover-content"
        return until(lambda: "".join(self.act("text", selector=hover)), "the tooltip")

    def faults(self) -> list[str]:
        """Every error that the page has met, and that the extension host has told it of."""
        return [str(fault) for fault in self.act("faults")]

    def notifications(self) -> list[str]:
        """The sentences that pop up now."""
        selector = ".notifications-toasts .notification-list-item-message"
        return [str(text) for text in self.act("text", selector=selector)]

    def silence(self) -> None:
        """Clear all sentences that pop up, also those that are just about to."""

        def cleared() -> bool:
            self.command("notifications.clearAll")
            return not self.notifications()

        until(cleared, "silence", self.notifications)

    def fill(self, text: str, line: int, column: int) -> None:
        """Put a text into the document, and the cursor where the next key goes."""
        self.press("Escape")
        self.probe("fill", text=text, line=line, column=column)

    def text(self) -> str:
        """What the document in the editor holds, in VS Code's own words."""
        return str(self.probe("document")["text"])

    def address(self) -> str:
        """The address of the document in the editor; "" where there is none."""
        return str((self.probe("document") or {}).get("uri", ""))

    def line(self) -> tuple[str, str]:
        """What stands left of the grey text on its line, and the grey text; "" where none is."""
        line = self.act("line")
        return line["left"], line["ghost"]

    def key(self, name: str) -> None:
        """Press one key, or insert a character that has none."""
        if name.isascii():
            self.press(name)
        else:
            self.type(name, 0)

    def command(self, name: str, *args: Any) -> Any:
        """Run one of VS Code's commands; what it answers."""
        return self.probe("command", name=name, args=args)

    def palette(self, title: str) -> None:
        """Run a command as somebody does: by its title in the command palette."""
        self.press("F1")
        self.choose(f"SynConfRoute: {title}")

    def choose(self, label: str) -> None:
        """Choose from the list that opens now, by typing a label."""
        # The list before it may still be closing, with what was typed there.
        until(lambda: self._typed() in ([""], [">"]), "an empty field", self._typed)
        self.type(label, 0.01)

        def found() -> bool:
            return label in "".join(self.act("text", selector=_CHOSEN))

        until(found, f"{label!r} in the list", lambda: self.act("text", selector=_CHOSEN))
        self.press("Enter")

    def enter(self, text: str) -> None:
        """Type into the field that opens now, in place of what stands there."""
        until(self.hint, "a field with a hint")
        self.press("Control+a")
        self.type(text, 0.01)
        self.press("Enter")

    def hint(self) -> str:
        """What stands below the field for typing."""
        return "".join(self.act("text", selector=".quick-input-message"))

    def _typed(self) -> list[str]:
        """What stands in the field that has the focus; nothing where none has."""
        selector = ".quick-input-widget:not([style*='display: none']) input:focus"
        return [str(value) for value in self.act("values", selector=selector)]


def until(look: Callable[[], T], what: str, instead: Callable[[], Any] = lambda: "") -> T:
    """Look until there is something to see; the test fails if there is not in time."""
    deadline = time.monotonic() + SECONDS
    while not (seen := look()):
        assert time.monotonic() < deadline, f"waited in vain for {what}; there is {instead()!r}"
        time.sleep(0.05)
    return seen


@contextmanager
def opened(
    needed: Needs, profile: Path, address: str, probe_file: Path, scale: float = 1.0
) -> Iterator[Window]:
    """Open a window; it is closed with the block."""
    command = (*needed.driver, needed.chromium, str(profile), address, str(scale))
    driver = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    window = Window(driver, probe_file)
    try:
        window.answer(0)
        yield window
    finally:
        assert driver.stdin is not None
        assert driver.stdout is not None
        driver.stdin.close()
        try:
            driver.wait(20)
        except subprocess.TimeoutExpired:
            driver.kill()
            driver.wait()
        driver.stdout.close()

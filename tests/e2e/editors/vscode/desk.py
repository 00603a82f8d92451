"""A window of VS Code, the server behind it, and the stage that both stand on."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.e2e.editors.picture import FOLDER
from tests.e2e.editors.stage import Stage
from tests.e2e.editors.vscode.code_server import CodeServer
from tests.e2e.editors.vscode.needs import Needs
from tests.e2e.editors.vscode.window import Window, opened, until

ELSEWHERE = {
    "synconfroute.org.url": "https://elsewhere.example/v1",
    "synconfroute.server.path": "/elsewhere/program",
}
"""What the settings of the opened folder say: they would send code elsewhere."""


@dataclass(frozen=True)
class Desk:
    """Where a test works."""

    stage: Stage
    code: CodeServer
    window: Window

    def digest(self) -> dict[str, Any]:
        """What the language server holds of the document in the editor."""
        uri = self.window.probe("document")["uri"]
        digest: dict[str, Any] = self.window.command("synconfroute.digest", uri)
        digest.pop("version")
        return digest

    def servers(self) -> list[psutil.Process]:
        """The language servers that run now."""
        return [process for process in self.code.children() if _serves(process)]

    def ready(self) -> None:
        """Wait until a server runs and the extension has taken up what it offers."""
        until(lambda: self.window.probe("knows", name="synconfroute.accept"), "the server")
        self.window.says("local")

    def setting(self, name: str, value: object) -> None:
        """Wait until a value stands in the user's settings; None: until none does."""

        def stands() -> bool:
            there = self.code.settings_of_this_machine()
            return there != {} and there.get(f"synconfroute.{name}") == value

        until(stands, f"{name} = {value}", self.code.settings_of_this_machine)

    def picture(self, name: str) -> None:
        """Keep what is to be seen, where somebody asked for pictures."""
        if folder := os.environ.get(FOLDER):
            self.window.act("picture", path=str(Path(folder) / f"vscode-{name}.png"))


@contextmanager
def furnished(needed: Needs, stage: Stage, folder: Path) -> Iterator[Desk]:
    """Install everything into an empty folder, and open a window with an empty Python file."""
    file = stage.workspace / "example.py"
    file.write_text("", encoding="utf-8")
    (stage.workspace / ".vscode").mkdir()
    (stage.workspace / ".vscode" / "settings.json").write_text(json.dumps(ELSEWHERE))
    code = CodeServer(needed, stage, folder)
    code.prepare()
    with code.running():
        address = code.address(file)
        with opened(needed, folder / "profile", address, code.probe_file) as window:
            desk = Desk(stage, code, window)
            desk.ready()
            window.act("click", selector=".monaco-editor .view-lines")
            yield desk


def _serves(process: psutil.Process) -> bool:
    """Is it the language server itself? Its parser process has another command line."""
    try:
        return "serve" in process.cmdline()[1:] and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False

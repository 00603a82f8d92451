"""VS Code as a server, with the extension in it; its windows are pages of a browser."""

import json
import subprocess
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen

import psutil

from tests.e2e.editors.stage import Stage
from tests.e2e.editors.vscode.needs import HERE, Needs, packaged

SECONDS = 120.0
"""Starting takes less, on a loaded machine too."""

_SETTINGS: dict[str, Any] = {
    "chat.disableAIFeatures": True,
    "editor.acceptSuggestionOnEnter": "off",
    "editor.autoClosingBrackets": "never",
    "editor.autoIndent": "none",
    "editor.fontSize": 15,
    "editor.minimap.enabled": False,
    "editor.occurrencesHighlight": "off",
    "editor.quickSuggestions": {"other": "off", "comments": "off", "strings": "off"},
    "editor.suggestOnTriggerCharacters": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "git.enabled": False,
    "telemetry.telemetryLevel": "off",
    "window.commandCenter": False,
    "workbench.activityBar.location": "hidden",
    "workbench.editor.empty.hint": "hidden",
    "workbench.layoutControl.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.sideBar.location": "right",
    "workbench.startupEditor": "none",
}


class CodeServer:
    """One code-server with a data folder of its own.

    Attributes:
        port: where it listens.
        probe_file: where the probe says on which port it listens.
    """

    def __init__(self, needed: Needs, stage: Stage, folder: Path) -> None:
        """Nothing runs yet."""
        self._needed = needed
        self._stage = stage
        self._data, self._extensions = folder / "data", folder / "extensions"
        self.probe_file = folder / "probe-port"
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def prepare(self) -> None:
        """Write VS Code's settings and install the extension and the probe."""
        self.configure({})
        (self._data / "config.yaml").write_text("auth: none\n", encoding="utf-8")
        probe = self._data / "probe.vsix"
        _zip_extension(HERE / "probe", probe)
        extensions = (packaged(self._needed), probe)
        install = [word for vsix in extensions for word in ("--install-extension", str(vsix))]
        done = subprocess.run(
            (*self._command(), *install),
            env=self._env(),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def configure(self, more: dict[str, Any]) -> None:
        """Write the settings of this machine: how the tests need VS Code, our program, `more`."""
        own = {"synconfroute.server.path": str(self._needed.server), **more}
        for place, settings in (("User", _SETTINGS), ("Machine", own)):
            file = self._data / place / "settings.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(settings), encoding="utf-8")

    def settings_of_this_machine(self) -> dict[str, Any]:
        """What stands in the settings of this machine now; nothing while VS Code writes them."""
        text = (self._data / "Machine" / "settings.json").read_text(encoding="utf-8")
        settings: dict[str, Any] = json.loads(text or "{}")
        return settings

    @contextmanager
    def running(self) -> Iterator[None]:
        """Serve until the block ends."""
        log = self._data / "code-server.log"
        options = ("--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check")
        with log.open("wb") as output:
            self._process = process = subprocess.Popen(
                (*self._command(), *options, "--disable-workspace-trust"),
                env=self._env(),
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            self.port = self._port_in(log)
            yield
        finally:
            # Extension hosts wait for hours that their window comes back.
            for left in (*self.children(), psutil.Process(process.pid)):
                with suppress(psutil.NoSuchProcess):
                    left.kill()
            process.wait(SECONDS)

    def children(self) -> list[psutil.Process]:
        """Every process that it has started, and theirs."""
        assert self._process is not None
        return psutil.Process(self._process.pid).children(recursive=True)

    def address(self, file: Path) -> str:
        """The page that opens the workspace with one file in the editor."""
        remote = f"vscode-remote://127.0.0.1:{self.port}{file.as_posix()}"
        payload = quote(json.dumps([["openFile", remote]]))
        folder = quote(self._stage.workspace.as_posix())
        return f"http://127.0.0.1:{self.port}/?folder={folder}&payload={payload}"

    def _port_in(self, log: Path) -> int:
        """Where the server listens, as soon as it answers."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline and self._process and self._process.poll() is None:
            told = log.read_text(encoding="utf-8").partition("listening on http://127.0.0.1:")[2]
            port = told.partition("\n")[0].strip("/ ")
            if port and _answers(int(port)):
                return int(port)
            time.sleep(0.1)
        raise AssertionError(log.read_text(encoding="utf-8"))

    def _command(self) -> tuple[str, ...]:
        folders = ("--user-data-dir", str(self._data), "--extensions-dir", str(self._extensions))
        config = ("--config", str(self._data / "config.yaml"))
        return (self._needed.node, str(self._needed.code_server), *config, *folders)

    def _env(self) -> dict[str, str]:
        return self._stage.env(PROBE_PORT_FILE=str(self.probe_file))


def _zip_extension(folder: Path, vsix: Path) -> None:
    with zipfile.ZipFile(vsix, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"extension/{file.name}")


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
            return True
    except (URLError, TimeoutError):
        return False

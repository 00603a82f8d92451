"""What an editor's test stands on: an empty home, two scripted models, settings that name them."""

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from synconfroute.server.places import user_settings_file
from tests.e2e.editor import environment, homes
from tests.e2e.editors.model_servers import ModelServer, Ollama, Vllm, serving
from tests.e2e.editors.script import Script

DELAY = 0.05
"""Seconds that either model takes for an answer."""

COMMAND = (sys.executable, "-m", "synconfroute", "serve")
"""What an editor starts; `Stage.env` must be its environment."""

_FAULT = re.compile(r" (ERROR|CRITICAL) |Traceback \(most recent|\w(Error|Exception)\b")


@dataclass(frozen=True)
class Stage:
    """One isolated home.

    Attributes:
        home: the home, empty but for the settings file and the log.
        workspace: a folder to open in the editor.
        local: the local tier's model, as Ollama.
        org: the organisation's model, as vLLM.
        log_file: the language server's log.
    """

    home: Path
    workspace: Path
    local: ModelServer
    org: ModelServer
    log_file: Path

    def env(self, **more: str) -> dict[str, str]:
        """The environment for the editor, and so for our server."""
        return {**environment(), **homes(str(self.home)), **more}

    def settings(self, **sections: dict[str, Any]) -> None:
        """Write the user's settings file: both models, the log, and `sections` over them."""
        whole: dict[str, dict[str, Any]] = {
            "local": {"provider": "ollama", "url": self.local.address},
            "org": {"url": f"{self.org.address}/v1"},
            "router": {"rule": "paper", "threshold": 0.7},
            "log": {"file": str(self.log_file), "level": "debug"},
        }
        for section, values in sections.items():
            whole[section] = {**whole.get(section, {}), **values}
        lines = []
        for section, values in whole.items():
            lines += [f"[{section}]", *(f"{key} = {json.dumps(values[key])}" for key in values)]
        with pytest.MonkeyPatch.context() as patch:
            for name, value in homes(str(self.home)).items():
                patch.setenv(name, value)
            file = user_settings_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([*lines, ""]), encoding="utf-8")

    def log(self) -> str:
        """The language server's log so far; "" before it began."""
        return self.log_file.read_text(encoding="utf-8") if self.log_file.exists() else ""

    def faults(self) -> list[str]:
        """Lines of the log that tell of an error or an exception."""
        return faults_in(self.log())


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """A stage in an empty folder; the models end with the block."""
    local = ModelServer(Ollama(), Script(doubts=True), DELAY)
    org = ModelServer(Vllm(), Script(mark="_org"), DELAY)
    home, workspace = folder / "home", folder / "work"
    home.mkdir()
    workspace.mkdir()
    with serving(local), serving(org):
        stage = Stage(home, workspace, local, org, folder / "server.log")
        stage.settings()
        yield stage


def faults_in(log: str) -> list[str]:
    """Lines of any log that tell of an error or an exception."""
    return [line for line in log.splitlines() if _FAULT.search(line)]


def digest_of(text: str) -> dict[str, Any]:
    """What `synconfroute.digest` answers about a document with this text, but for its version."""
    unix = re.sub(r"\r\n|\r", "\n", text)
    sha256 = hashlib.sha256(unix.encode("utf-8", "surrogatepass")).hexdigest()
    return {"characters": len(unix), "sha256": sha256}

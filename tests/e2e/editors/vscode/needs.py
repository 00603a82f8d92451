"""What the test of VS Code needs: found on this machine, or the test is skipped with a reason."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.e2e.editors.programs import program

HERE = Path(__file__).parent
EXTENSION = Path(__file__).parents[4] / "editors" / "vscode"
HOW = "run .ci/vs_code (CONTRIBUTING.md says what it fetches)"

_MODULES = HERE / "node_modules"
_NODE_AT_LEAST = 24
"""code-server 4.139 runs on no older one."""


@dataclass(frozen=True)
class Needs:
    """Programs and files.

    Attributes:
        node: Node 24 or newer.
        chromium: a Chromium, or a Chrome.
        code_server: code-server's entry point, for Node.
        server: the language server's program.
    """

    node: str
    chromium: str
    code_server: Path
    server: Path

    @property
    def driver(self) -> tuple[str, str]:
        """The command that drives a browser window."""
        return self.node, str(HERE / "driver.js")


def needs() -> Needs:
    """Find everything; the test is skipped where something is missing."""
    entry = _MODULES / "code-server" / "out" / "node" / "entry.js"
    built = _MODULES / "code-server" / "lib" / "vscode" / "node_modules"
    if not (entry.exists() and built.exists() and (EXTENSION / "node_modules").exists()):
        pytest.skip(f"code-server is not installed: {HOW}")
    chromium = program("chromium", "SYNCONFROUTE_CHROMIUM", "apt-get install chromium")
    server = shutil.which("synconfroute", path=str(Path(sys.executable).parent))
    if server is None:
        pytest.skip("synconfroute is not installed beside this Python: pip install .")
    return Needs(_node(), chromium, entry, Path(server))


def packaged(needed: Needs) -> Path:
    """The extension as `npm run package` makes it."""
    npm = program("npm", "SYNCONFROUTE_NPM", "apt-get install npm")
    path = os.pathsep.join([str(Path(needed.node).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        (npm, "run", "--silent", "package"),
        cwd=EXTENSION,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return EXTENSION / "synconfroute.vsix"


def _node() -> str:
    """The Node that npm brought for this platform, else the one on PATH if it is new enough."""
    for brought in _MODULES.glob("node-*-*/bin/node"):
        return str(brought)
    node = program("node", "SYNCONFROUTE_NODE", HOW)
    said = subprocess.run((node, "--version"), capture_output=True, text=True, check=True).stdout
    if int(said.lstrip("v").partition(".")[0]) < _NODE_AT_LEAST:
        pytest.skip(f"node is {said.strip()}, and code-server needs {_NODE_AT_LEAST}: {HOW}")
    return node

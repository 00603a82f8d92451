"""A real Ray cluster on this machine, in a folder and with a home of its own."""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

from tests.server.command.conftest import SOURCES

PROGRAM = Path(__file__).with_name("two_nodes.py")
ON_LOOPBACK = {
    "RAY_USAGE_STATS_ENABLED": "0",
    # On Linux too the nodes are at 127.0.0.1, and listen there only.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    # A node that dies is known to have within 2 s, a driver within 2 s.
    "RAY_health_check_initial_delay_ms": "1000",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_timeout_ms": "1000",
    "RAY_health_check_failure_threshold": "3",
    "RAY_CLIENT_RECONNECT_GRACE_PERIOD": "2",
}


@dataclass
class TwoNodes:
    """The cluster.

    Attributes:
        address: for `--on`.
        folder: of Ray; every process of the cluster has it in its environment.
    """

    address: str
    folder: Path
    process: "subprocess.Popen[str]"

    def kill_a_node(self) -> None:
        """Kill all processes of the second node."""
        self._say("kill")

    def add_a_node(self) -> None:
        """Have a second node again."""
        self._say("add")

    def end(self) -> None:
        """End it, and whatever it may have left."""
        try:
            self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
        left = self.processes()
        for each in left:
            each.kill()
        psutil.wait_procs(left, timeout=10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def processes(self) -> list[psutil.Process]:
        """All that run for it."""
        return [each for each in psutil.process_iter() if self._owns(each)]

    def expect(self, word: str) -> None:
        """Wait for a word of its program."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.strip() == word:
                return
        pytest.fail(f"the cluster has ended: {self._logs()}")

    def _say(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        self.expect("done")

    def _owns(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("RAY_TMPDIR") == str(self.folder)
        except psutil.Error:
            return False

    def _logs(self) -> str:
        return (self.folder / "stderr").read_text(encoding="utf-8", errors="replace")[-2000:]


@pytest.fixture(scope="module")
def cluster() -> Iterator[TwoNodes]:
    """Two nodes with a processor each."""
    if sys.platform == "win32":
        pytest.skip("Ray has no clusters of several nodes on Windows")
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install -r requirements/cluster.lock")
    folder = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp")).resolve()  # sockets' paths are short
    (folder / "home").mkdir()
    (folder / "ray").mkdir()
    port = _free_port()
    with (folder / "stderr").open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
            env={**_environment(), **ON_LOOPBACK, "PYTHONPATH": str(SOURCES),
                 "RAY_TMPDIR": str(folder), "HOME": str(folder / "home")},
        )  # fmt: skip
    nodes = TwoNodes(f"ray://127.0.0.1:{port}", folder, process)
    try:
        nodes.expect("ready")
        yield nodes
    finally:
        nodes.end()


def _environment() -> dict[str, str]:
    """Without what is said there of somebody's models."""
    ours = ("SYNCONFROUTE_", "XDG_", "OLLAMA_", "RAY_")
    return {name: value for name, value in os.environ.items() if not name.startswith(ours)}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port

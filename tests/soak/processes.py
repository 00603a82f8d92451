"""The scripted model servers and the language server as processes, for tests that run long."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.e2e.editor import SECONDS, environment, homes

_MODELS = Path(__file__).with_name("models.py")


@dataclass(frozen=True)
class Models:
    """Scripted model servers that run.

    Attributes:
        local: port of the local one.
        org: port of the organisation's.
        control: port that takes modes.
        seen: file of the request ids that the organisation's was asked.
    """

    local: int
    org: int
    control: int
    seen: Path

    def options(self) -> dict[str, Any]:
        """Settings that lead to them."""
        return {
            "local": {"provider": "openai", "url": f"http://127.0.0.1:{self.local}/v1"},
            "org": {"url": f"http://127.0.0.1:{self.org}/v1"},
        }

    def behave(self, which: str, mode: str) -> None:
        """Have `local` or `org` behave so from now on."""
        with socket.create_connection(("127.0.0.1", self.control), SECONDS) as wire:
            wire.sendall(f"{which} {mode}\n".encode())
            assert wire.makefile().readline() == "done\n"

    def asked(self) -> list[str]:
        """What the organisation's server was asked, by request id, in order."""
        return self.seen.read_text(encoding="utf-8").split() if self.seen.exists() else []


@contextmanager
def models(folder: Path) -> Iterator[Models]:
    """Scripted model servers, ended with the block."""
    seen = folder / "seen"
    process = subprocess.Popen(
        [sys.executable, str(_MODELS), str(seen)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        local, org, control = map(int, process.stdout.readline().split())
        yield Models(local, org, control, seen)
    finally:
        process.stdin.close()
        process.wait(SECONDS)
        process.stdout.close()


def server_environment(home: Path) -> dict[str, str]:
    """For a real server in a home of its own: nothing of whoever runs the test is read."""
    inherited = [name for name in os.environ if name.startswith(("SYNCONFROUTE_", "OLLAMA_"))]
    env = environment(**homes(str(home)))
    return {name: value for name, value in env.items() if name not in inherited}


def family(pid: int) -> list[psutil.Process]:
    """A process and all that it started, as far as they live."""
    try:
        parent = psutil.Process(pid)
        return [parent, *parent.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def resident(pid: int) -> int:
    """Bytes that a process and all that it started hold in memory."""
    total = 0
    for each in family(pid):
        try:
            total += each.memory_info().rss
        except psutil.Error:
            continue
    return total


def handles(pid: int) -> int:
    """Open files and sockets of a process; on Windows handles of all kinds."""
    process = psutil.Process(pid)
    if sys.platform == "win32":
        return process.num_handles()
    return process.num_fds()

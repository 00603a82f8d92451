"""What each typist has of its own: a model, an empty home, a folder with the file."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from benchmarks.model.pace import Steady
from benchmarks.model.record import Generation
from benchmarks.peers.model import SPEED
from benchmarks.trace.account import Made
from benchmarks.trace.passages import Passage

ROOT = Path(__file__).parents[2]
_SECONDS = 20.0
LONGEST_S = 180.0
"""No session takes longer: what hangs is ended then."""


class KnowingModel:
    """A running `benchmarks.peers.model`."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        self._out = process.stdout
        self.port = int(self._out.readline())
        self._made: list[Made] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def made(self) -> list[Made]:
        """All generations that are over, in the order in which they came."""
        with self._lock:
            return sorted(self._made, key=lambda made: made.generation.number)

    def forget(self) -> None:
        """Leave out of the count what came so far."""
        with self._lock:
            self._made = []

    def _listen(self) -> None:
        with suppress(ValueError, OSError):  # closed while it was read
            for line in self._out:
                event = json.loads(line)
                made = Made(Generation(**event["generation"]), event["left"])
                with self._lock:
                    self._made.append(made)


@dataclass(frozen=True, slots=True)
class Seat:
    """Where one typist sits.

    Attributes:
        passage: what is typed.
        model: what answers.
        home: an empty home.
        folder: where the passage's file goes.
    """

    passage: Passage
    model: KnowingModel
    home: Path
    folder: Path

    def environment(self, **more: str) -> dict[str, str]:
        """The environment of an editor and what it starts: nothing of the user's own settings."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("XDG_", "SYNCONFROUTE_", "OLLAMA_", "NVIM", "VIM"))
        }
        names = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME")
        homes = dict.fromkeys((*names, "XDG_STATE_HOME", "XDG_CACHE_HOME"), str(self.home))
        own = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
        return {**kept, **homes, "PYTHONPATH": own, **more}


@contextmanager
def seat(passage: Passage, shape: str, seed: str, speed: Steady = SPEED) -> Iterator[Seat]:
    """A seat before a model of this speed that speaks in a server's protocol."""
    command = [sys.executable, "-m", "benchmarks.peers.model", "--shape", shape, "--seed", seed]
    command += ["--first-ms", str(speed.first * 1000), "--next-ms", str(speed.next * 1000)]
    with TemporaryDirectory(ignore_cleanup_errors=True) as place:
        home, folder = Path(place, "home"), Path(place, "work")
        home.mkdir()
        folder.mkdir()
        with _model([*command, "--passage", passage.name]) as model:
            yield Seat(passage, model, home, folder)


@contextmanager
def ended_in_time(process: "subprocess.Popen[Any]") -> Iterator[None]:
    """A process, and what it started, is ended after `LONGEST_S` if the block still runs."""
    timer = threading.Timer(LONGEST_S, _end, (process.pid,))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _end(pid: int) -> None:
    with suppress(psutil.NoSuchProcess):
        whole = psutil.Process(pid)
        for process in (*whole.children(recursive=True), whole):
            with suppress(psutil.NoSuchProcess):
                process.kill()


@contextmanager
def _model(command: list[str]) -> Iterator[KnowingModel]:
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    with process:
        try:
            yield KnowingModel(process)
        finally:
            process.kill()
            process.wait(_SECONDS)

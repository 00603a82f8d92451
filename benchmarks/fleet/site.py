"""The processes of the load: our server on a port, and the scripted models."""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import psutil

from benchmarks.model.record import Generation
from benchmarks.model.vllm import MODEL
from benchmarks.processes import ScriptedModel, model_process

_ROOT = Path(__file__).parents[2]
_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Told:
    """What a scripted model says of itself; see `benchmarks.fleet.gate`.

    Attributes:
        at: when, by the monotonic clock.
        refused: when it refused a completion, and the request's name, since it began.
        probed: how many other requests it refused.
        busy_s: seconds that its steps took.
        seat_s: seconds of all generations in them.
        lags: by how many seconds its loop was late, since it was asked before.
    """

    at: float
    refused: list[tuple[float, str]]
    probed: int
    busy_s: float
    seat_s: float
    lags: list[float]


class FleetModel:
    """A running `benchmarks.fleet.models`."""

    def __init__(self, model: ScriptedModel) -> None:
        """Take over."""
        self._model = model
        self.url = model.url
        self._over: list[Generation] = []

    def over(self) -> list[Generation]:
        """All generations that have ended so far."""
        self._over += self._model.over()
        return self._over

    async def turn(self, mode: str) -> float:
        """Put it into a mode; when that was, by the monotonic clock."""
        told = await asyncio.to_thread(self._ask, "/fleet/mode", {"mode": mode})
        return float(told["at"])

    async def told(self) -> Told:
        """What it says of itself."""
        found = await asyncio.to_thread(self._ask, "/fleet/told", None)
        refused = [(float(at), str(name)) for at, name in found.pop("refused")]
        return Told(refused=refused, **found)

    def _ask(self, path: str, body: dict[str, str] | None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data)  # noqa: S310 - loopback
        with urllib.request.urlopen(request, timeout=_SECONDS) as reply:  # noqa: S310 - the same
            found: dict[str, Any] = json.load(reply)
            return found


@dataclass(frozen=True, slots=True)
class Server:
    """Our server.

    Attributes:
        port: where it listens.
        process: its process.
        home: its user's folder.
    """

    port: int
    process: psutil.Process
    home: Path

    def ledger(self) -> list[dict[str, Any]]:
        """All requests in the ledger, by `synconfroute ledger`."""
        return list(json.loads(self._run("ledger", "--json").stdout)["requests"])

    def ledger_is_whole(self) -> bool:
        """Is it as it was written?"""
        return self._run("ledger", "verify").returncode == 0

    def reasons(self) -> dict[str, int]:
        """How many requests were decided how, by `synconfroute stats`; once sessions have ended."""
        rows = json.loads(self._run("stats", "--json").stdout)["by"]["reason"]
        return {row["name"]: row["requests"] for row in rows if row["requests"]}

    def _run(self, *command: str) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-m", "synconfroute", *command],
            capture_output=True,
            env=_environment(self.home),
            cwd=_ROOT,
            timeout=120,
            check=False,
        )


@contextmanager
def model(role: str, *, tokens: int = 0, speed: str = "{}") -> Iterator[FleetModel]:
    """Run a scripted model; see `benchmarks.fleet.models`."""
    command = [sys.executable, "-m", "benchmarks.fleet.models", role]
    command += ["--tokens", str(tokens), "--speed", speed]
    with model_process(command) as found:
        yield FleetModel(found)


def routed(local: FleetModel, org: FleetModel) -> list[str]:
    """Settings: a local model of one's own, and the vLLM of all for what it is unsure of."""
    return [
        "local.provider=ollama",
        f"local.url={local.url}",
        f"org.url={org.url}/v1",
        f"org.model={MODEL}",
        "router.rule=paper",
        "router.threshold=0.7",
        "typing.debounce_ms=0",  # a wait that is wanted would count as ours
    ]


def alone(org: FleetModel) -> list[str]:
    """Settings: the vLLM is the only model, as the local tier's OpenAI-compatible server."""
    return [
        "local.provider=openai",
        f"local.url={org.url}/v1",
        f"local.model={MODEL}",
        "typing.debounce_ms=0",
    ]


@contextmanager
def server(settings: Sequence[str]) -> Iterator[Server]:
    """Run our server on a port, in an empty home."""
    chosen = [argument for setting in settings for argument in ("--set", setting)]
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory()))
        command = [sys.executable, "-m", "synconfroute", "serve", "--tcp", "127.0.0.1:0", *chosen]
        command += ["--log-level", "error", "--log-file", str(home / "log")]
        process = stack.enter_context(
            subprocess.Popen(command, stdout=subprocess.PIPE, env=_environment(home), cwd=_ROOT)
        )
        try:
            yield Server(_port(process.stdout), psutil.Process(process.pid), home)
        finally:
            process.terminate()
            try:
                process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _port(out: "IO[bytes] | None") -> int:
    assert out is not None
    line = out.readline().decode()
    assert "Listening" in line, line
    return int(line.rpartition(":")[2].strip().rstrip("."))


def _environment(home: Path) -> dict[str, str]:
    dropped = ("XDG_", "SYNCONFROUTE_", "OLLAMA_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    homes = dict.fromkeys(("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"), str(home))
    return {**kept, **homes, "PYTHONPATH": str(_ROOT / "src")}

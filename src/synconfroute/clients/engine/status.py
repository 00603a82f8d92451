"""What `synconfroute engine` and `doctor` tell about the engine."""

from dataclasses import dataclass
from pathlib import Path

from synconfroute.clients.engine.start import find
from synconfroute.clients.engine.state import idle_seconds
from synconfroute.clients.engine.store import name_of
from synconfroute.errors import EngineFailed


@dataclass(frozen=True, slots=True)
class EngineStatus:
    """Whether the engine runs, and how. Holds no secret.

    Attributes:
        running: a process is there.
        ready: it answers; False while it is being started or stopped.
        pid: its process.
        url: its address on loopback.
        model: the model's name.
        path: the model's file.
        memory_megabytes: resident memory, in 10^6 bytes.
        idle_seconds: since it was last used.
        started: in seconds since 1970.
        prefill_speed: prompt tokens a second, measured at its start.
        device: "cpu" or "gpu".
        version: of the llama.cpp wrapper.
    """

    running: bool
    ready: bool = False
    pid: int | None = None
    url: str = ""
    model: str = ""
    path: Path | None = None
    memory_megabytes: float = 0.0
    idle_seconds: float = 0.0
    started: float = 0.0
    prefill_speed: float = 0.0
    device: str = ""
    version: str = ""


def status() -> EngineStatus:
    """The engine as it is now. Starts nothing."""
    import psutil

    try:
        state = find()
    except EngineFailed:
        return EngineStatus(running=True)
    if state is None:
        return EngineStatus(running=False)
    try:
        memory = psutil.Process(state.pid).memory_info().rss / 1e6
    except psutil.Error:  # it has just left
        return EngineStatus(running=False)
    path = Path(state.model)
    return EngineStatus(
        running=True,
        ready=state.ready,
        pid=state.pid,
        url=state.url,
        model=name_of(path),
        path=path,
        memory_megabytes=memory,
        idle_seconds=idle_seconds(),
        started=state.started,
        prefill_speed=state.prefill_speed,
        device=state.device,
        version=state.version,
    )

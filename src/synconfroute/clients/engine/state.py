"""What a running engine tells about itself, and whether one runs.

An engine holds the file lock `engine.lock` for its life and describes itself in `engine.json`,
which only its user can read. A description counts only while the lock is held and the process
that it names is that same process: after a crash another user's program may sit on the port, and
nothing may be sent there. The time of the description's last change is when the engine was last
asked for something.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.clients.engine.folders import engine_folder
from synconfroute.errors import EngineFailed

if TYPE_CHECKING:
    from filelock import BaseFileLock

_REPLACE_SECONDS = 2.0
_POLL_SECONDS = 0.02
_SPEEDS = 8
"""Measurements that are remembered: an older machine's, or another number of threads', fade out."""


@dataclass(frozen=True, slots=True)
class EngineState:
    """A running engine.

    Attributes:
        pid: its process.
        process_created: when that process was created, as psutil tells it.
        model: path of its model file.
        started: when it began, in seconds since 1970.
        url: its address on loopback; "" while the model is being loaded.
        secret: the bearer key that it wants.
        context_tokens: its context.
        prefill_speed: prompt tokens evaluated a second, measured at the start; 0 while loading.
        device: "cpu" or "gpu".
        version: of llama.cpp's wrapper.
    """

    pid: int
    process_created: float
    model: str
    started: float
    url: str = ""
    secret: str = ""
    context_tokens: int = 0
    prefill_speed: float = 0.0
    device: str = "cpu"
    version: str = ""

    @property
    def ready(self) -> bool:
        """True once it answers."""
        return bool(self.url)


def life_lock() -> "BaseFileLock":
    """The lock that an engine holds as long as it lives."""
    from filelock import FileLock

    return FileLock(engine_folder() / "engine.lock")


@contextmanager
def alone(seconds: float) -> Iterator[None]:
    """Nobody else looks for an engine, starts one or stops one meanwhile.

    Args:
        seconds: the longest wait for whoever does now.

    Raises:
        EngineFailed: someone has been starting or stopping it for longer.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(engine_folder() / "start.lock")
    try:
        lock.acquire(timeout=max(0.0, seconds))
    except Timeout as error:
        raise EngineFailed("The engine is just being started or stopped; try again.") from error
    try:
        yield
    finally:
        lock.release()


def log_path() -> Path:
    """The engine's log: its own words, no prompt, no answer."""
    return engine_folder() / "engine.log"


def write_state(state: EngineState) -> None:
    """Publish the state in one step, readable by this user only."""
    _publish(_state_path(), asdict(state))


def note_speed(model: Path, measured: float) -> float:
    """Remember what was measured, for whoever asks while no engine runs.

    A start is often the busiest moment of a machine, and what else runs only slows it: the best of
    the latest measurements is what the machine can do.

    Args:
        model: the model file.
        measured: prompt tokens a second.

    Returns:
        The speed to go by.
    """
    latest = [*_measured(model), measured][-_SPEEDS:]
    _publish(_speeds_path(), {**_known_speeds(), str(model): latest})
    return max(latest)


def known_speed(model: Path) -> float | None:
    """The best that engines with that model file measured of late, in prompt tokens a second."""
    return max(_measured(model), default=None)


def forget_state() -> None:
    """Take the state back: the engine is leaving."""
    with suppress(PermissionError):  # Windows: someone is reading it, and will not believe it
        _state_path().unlink(missing_ok=True)


def touch_state() -> None:
    """Note that the engine is being used."""
    if _state_path().exists():
        os.utime(_state_path())


def idle_seconds() -> float:
    """How long ago the engine was last used; infinite if its state is gone."""
    try:
        return max(0.0, time.time() - _state_path().stat().st_mtime)
    except FileNotFoundError:
        return float("inf")


def lock_is_free() -> bool:
    """True if no engine lives. Ask only inside `alone`: asking takes the lock."""
    from filelock import Timeout

    lock = life_lock()
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    lock.release()
    return True


def running() -> EngineState | None:
    """The engine that lives now, loading or ready. Ask only inside `alone`."""
    if lock_is_free():
        return None
    state = _read_state()
    return state if state is not None and is_that_process(state) else None


def _read_state() -> EngineState | None:
    try:
        told = json.loads(_state_path().read_text(encoding="utf-8"))
        # An engine of another version may tell more, or less; it can still be found and ended.
        known = {field.name for field in fields(EngineState)}
        return EngineState(**{name: value for name, value in told.items() if name in known})
    except (OSError, ValueError, TypeError, AttributeError):  # none, or not ours
        return None


def _publish(path: Path, content: dict[str, object]) -> None:
    temporary = path.with_suffix(f".{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(content, file)
    deadline = time.monotonic() + _REPLACE_SECONDS
    while True:
        try:
            temporary.replace(path)
        except PermissionError:  # Windows: someone is reading the old one
            if time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return


def _known_speeds() -> dict[str, object]:
    try:
        speeds = json.loads(_speeds_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):  # never measured
        return {}
    return speeds if isinstance(speeds, dict) else {}


def _measured(model: Path) -> list[float]:
    """What was measured, the latest last."""
    measured = _known_speeds().get(str(model))
    listed = measured if isinstance(measured, list) else [measured]
    return [float(speed) for speed in listed if isinstance(speed, int | float)]


def is_that_process(state: EngineState) -> bool:
    """Does the process live that the state tells of? While it does, nobody else has its port."""
    import psutil

    try:
        process = psutil.Process(state.pid)
        if process.status() == psutil.STATUS_ZOMBIE:  # killed; its threads may hold the lock still
            return False
        created = process.create_time()
    except psutil.Error:
        return False
    # Linux counts from the boot, whose time moves when the clock is set.
    return abs(created - state.process_created) < 2.0


def _state_path() -> Path:
    return engine_folder() / "engine.json"


def _speeds_path() -> Path:
    return engine_folder() / "speeds.json"

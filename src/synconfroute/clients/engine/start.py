"""Finding the engine, or starting it: one per user, whichever window asks first."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from synconfroute.clients.engine.folders import engine_folder
from synconfroute.clients.engine.process import OWN_WORDS, EngineOptions
from synconfroute.clients.engine.state import (
    EngineState,
    alone,
    idle_seconds,
    lock_is_free,
    log_path,
    running,
    touch_state,
)
from synconfroute.clients.engine.stop import end_process
from synconfroute.clients.engine.store import check, name_of, resolve
from synconfroute.errors import EngineFailed

START_SECONDS = 60.0
# An engine that served another window within this time keeps its model.
IN_USE_SECONDS = 60.0
_LOOK_SECONDS = 0.5
_POLL_SECONDS = 0.02
_ILLEGAL_INSTRUCTION = {-getattr(signal, "SIGILL", 0), 0xC000001D}

_children: list[subprocess.Popen[bytes]] = []


def find_or_start(
    model: str = "", options: EngineOptions | None = None, timeout: float = START_SECONDS
) -> EngineState:
    """The engine, ready to answer; started if none runs. Blocks; also notes that it is used.

    Args:
        model: as for `store.resolve`.
        options: how to run it, if it has to be started.
        timeout: the longest wait, in seconds.

    Raises:
        WeightsMissing: there is no such model file on this machine.
        WeightsDamaged: the model file is not what was pulled.
        UsageError: nothing is known by that name.
        EngineFailed: it does not start, or is busy with another model for another window.
    """
    deadline = time.monotonic() + timeout
    wanted = resolve(model)
    with alone(timeout):
        state = running()
        if state is not None and not _may_serve(state, model, wanted):
            end_process(state)
            state = None
        if state is None or not state.ready:
            state = _start(wanted, options or EngineOptions(), deadline)
        touch_state()
        return state


def find() -> EngineState | None:
    """The engine that runs now, or None. Starts nothing, and does not wait for one that starts.

    Raises:
        EngineFailed: it is just being started or stopped.
    """
    with alone(_LOOK_SECONDS):
        return running()


def _may_serve(state: EngineState, model: str, wanted: Path) -> bool:
    """True if the running engine answers for that model.

    Two models at once would not fit many machines. An engine that nobody used lately gives way.

    Raises:
        EngineFailed: another window is using it with another model.
    """
    if Path(state.model) == wanted:
        return True
    if idle_seconds() > IN_USE_SECONDS:
        return False
    if not model:
        return True
    raise EngineFailed(
        f"The engine is in use with the model {name_of(Path(state.model))}; one engine serves all"
        f" windows, so set the same local.model everywhere, or run: synconfroute engine stop"
    )


def _start(model: Path, options: EngineOptions, deadline: float) -> EngineState:
    """Start an engine, unless one is already on its way, and wait for it."""
    child = None
    while time.monotonic() < deadline:
        state = running()
        if state is not None and state.ready:
            return state
        if lock_is_free():
            if child is None:
                check(model)
                child = _launch(model, options)
            elif child.poll() is not None:
                raise EngineFailed(_why_it_died(child.returncode))
        time.sleep(_POLL_SECONDS)
    raise EngineFailed(
        f"The engine does not answer after {START_SECONDS:.0f} s: the machine is too busy, or"
        f" {name_of(model)} is too big for it; its log is {log_path()}."
    )


def _launch(model: Path, options: EngineOptions) -> subprocess.Popen[bytes]:
    _children[:] = [child for child in _children if child.poll() is None]
    command = [
        sys.executable,
        "-P",  # nothing is imported from the folder that an editor was started in
        "-m",
        "synconfroute.clients.engine",
        str(model),
        f"--idle-minutes={options.idle_minutes}",
        f"--threads={options.threads}",
        f"--context-tokens={options.context_tokens}",
    ]
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
    descriptor = os.open(log_path(), flags, 0o600)
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            cwd=engine_folder(),
            env=_environment(),
            start_new_session=True,
            creationflags=_creation_flags(),
        )
    finally:
        os.close(descriptor)
    _children.append(child)
    return child


def _environment() -> dict[str, str]:
    """The engine runs this very package, however it was found here."""
    import synconfroute

    package = Path(next(iter(synconfroute.__path__))).resolve()
    search = [str(package.parent), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(folder for folder in search if folder),
        "OMP_WAIT_POLICY": "passive",
    }


def _creation_flags() -> int:
    """Windows' part of what `start_new_session` is elsewhere: the engine outlives its starter.

    A hidden console, not a detached process: the python.exe of a virtual environment starts
    another one, which would open a window if there were no console to inherit.
    """
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
    return 0


def _why_it_died(status: int) -> str:
    if status in _ILLEGAL_INSTRUCTION:
        return "The engine cannot run here: its llama.cpp needs a processor with AVX2."
    try:
        lines = log_path().read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    said = [line.strip() for line in reversed(lines) if line.strip()] or ["it says nothing"]
    ours = next((line for line in said if line.startswith(OWN_WORDS)), None)
    if ours is not None:
        return ours.removeprefix(OWN_WORDS)
    return f"The engine does not start (exit status {status}): {said[0]}"

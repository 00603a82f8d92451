"""Ending the engine, and freeing the disk."""

import time

from synconfroute.clients.engine.state import (
    EngineState,
    alone,
    forget_state,
    lock_is_free,
    running,
)
from synconfroute.clients.engine.store import delete, list_models
from synconfroute.errors import EngineFailed, UsageError

_POLITE_SECONDS = 5.0
_START_SECONDS = 65.0  # whoever is starting it gives up by then
_POLL_SECONDS = 0.02


def stop() -> bool:
    """End the engine, for all windows; a later request starts it again.

    Returns:
        False if none was running.

    Raises:
        EngineFailed: it does not end.
    """
    with alone(_START_SECONDS):
        state = running()
        if state is None:
            return False
        end_process(state)
        return True


def end_process(state: EngineState) -> None:
    """Ask the engine to end, then kill it. Call it inside `alone`.

    Args:
        state: as `running` gave it, which made sure that the process is ours.

    Raises:
        EngineFailed: it does not end.
    """
    import psutil

    try:
        process = psutil.Process(state.pid)
        process.terminate()
        if not _gone_within(_POLITE_SECONDS):
            process.kill()
    except psutil.NoSuchProcess:
        pass
    except psutil.AccessDenied as error:
        raise EngineFailed(f"The engine (process {state.pid}) may not be ended.") from error
    if not _gone_within(_POLITE_SECONDS):
        raise EngineFailed(f"The engine (process {state.pid}) does not end.")
    forget_state()


def remove(name: str | None = None) -> float:
    """Remove model files from the cache; an engine that runs is stopped first.

    Args:
        name: as `list_models` tells it; None: all of them.

    Returns:
        The disk freed, in 10^6 bytes. A file linked from elsewhere frees nothing.

    Raises:
        UsageError: there is no such model in the cache.
        EngineError: a file is in use.
    """
    models = list_models()
    chosen = [model for model in models if name is None or name in {model.name, model.path.name}]
    if name is not None and not chosen:
        here = ", ".join(model.name for model in models) or "none"
        raise UsageError(f"There is no model {name} in the cache; there is: {here}.")
    if chosen:
        stop()
    freed = 0.0
    for model in chosen:
        if model.path.stat().st_nlink == 1:
            freed += model.megabytes
        delete(model)
    return freed


def _gone_within(seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if lock_is_free():
            return True
        time.sleep(_POLL_SECONDS)
    return False

"""The engine process: llama.cpp's own server on loopback, with a secret, until it is idle."""

import contextlib
import json
import os
import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from synconfroute.clients.engine.openmp import OPENMP_MISSING, load_openmp, openmp_missing
from synconfroute.clients.engine.state import (
    EngineState,
    forget_state,
    idle_seconds,
    life_lock,
    log_path,
    note_speed,
    touch_state,
    write_state,
)
from synconfroute.clients.engine.store import check
from synconfroute.errors import EngineFailed

OWN_WORDS = "error: "
"""How the engine's own last word in its log begins; llama.cpp may write after it."""
_LOCK_SECONDS = 2.0  # whoever only looks for an engine holds the lock for a moment
_BATCH_TOKENS = 256
_HOST_CACHE_MEGABYTES = 64
_LOG_BYTES = 256 * 1024
_FAST_ENOUGH = 200.0  # prompt tokens a second: no longer prompt is worth measuring again
_QUIET_SECONDS = 20.0
_MEASURED_WORDS = 12  # about 35 tokens: enough to measure, short enough to wait for


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """How an engine runs.

    Attributes:
        idle_minutes: it ends after this long without a request.
        threads: for evaluation and generation; 0: as many as there are physical cores, less one
            above two.
        context_tokens: prompt and answer together.
    """

    idle_minutes: float = 15.0
    threads: int = 0
    context_tokens: int = 2048


def run_engine(
    model: Path, options: EngineOptions, on_ready: Callable[[EngineState], None] | None = None
) -> None:
    """Serve until idle, interrupted or terminated.

    Args:
        model: the model file.
        options: how to run.
        on_ready: called once it answers.

    Raises:
        EngineFailed: another engine runs already, or the model cannot be loaded.
        WeightsDamaged: the model file is not what was pulled.
    """
    from filelock import Timeout

    check(model)
    try:
        with life_lock().acquire(timeout=_LOCK_SECONDS), _until_signal() as asked_to_leave:
            state = _announce_loading(model)
            try:
                server = _load(model, options, state.secret)
                state = _announce_ready(state, server, options)
                if on_ready is not None:
                    on_ready(state)
                _wait_until_idle(state, options.idle_minutes * 60, asked_to_leave, server)
            finally:
                forget_state()
            del server
    except Timeout as error:
        raise EngineFailed(
            "An engine runs already; to run another first: synconfroute engine stop"
        ) from error


def default_threads() -> int:
    """Threads that leave the editor a core: the physical cores, less one above two."""
    import psutil

    cores = psutil.cpu_count(logical=False) or os.cpu_count() or 1
    return cores - 1 if cores > 2 else cores


def _announce_loading(model: Path) -> EngineState:
    import psutil

    process = psutil.Process()
    state = EngineState(
        pid=process.pid,
        process_created=process.create_time(),
        model=str(model),
        started=time.time(),
        secret=secrets.token_urlsafe(32),
    )
    write_state(state)
    return state


def _load(model: Path, options: EngineOptions, secret: str) -> Any:
    # Before the library loads: spinning threads starve each other on busy cores (measured: 2.8
    # tokens a second instead of 27).
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if openmp_missing():
        raise EngineFailed(OPENMP_MISSING)
    load_openmp()
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.n_ctx = options.context_tokens
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = _BATCH_TOKENS
    threads = options.threads or default_threads()
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.api_keys = [secret]
    parameters.cors_origins = "null"
    parameters.ui = False
    parameters.cache_ram_mib = _HOST_CACHE_MEGABYTES
    parameters.verbosity = 1  # errors only; prompts would come at higher levels
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise EngineFailed(
            f"The model {model.name} cannot be loaded: too little memory, or not a model that"
            " llama.cpp knows."
        ) from error


def _announce_ready(state: EngineState, server: Any, options: EngineOptions) -> EngineState:
    import xllamacpp

    kinds = {device["type"].name for device in xllamacpp.get_device_info()}
    ready = replace(
        state,
        url=server.listening_address,
        context_tokens=options.context_tokens,
        prefill_speed=note_speed(Path(state.model), _measure_prefill(server)),
        device="gpu" if any(kind.endswith("GPU") for kind in kinds) else "cpu",
        version=xllamacpp.__version__,
    )
    write_state(ready)
    return ready


def _measure_prefill(server: Any) -> float:
    """Prompt tokens a second: the better of two, since anything else only slows it."""
    speeds = []
    for letter in "ab":
        prompt = " ".join(f"{letter}{number}" for number in range(_MEASURED_WORDS))
        answer = server.handle_completions(
            {"prompt": prompt, "max_tokens": 1, "temperature": 0, "cache_prompt": False}
        )
        speeds.append(float(answer["timings"]["prompt_per_second"]))
    return max(speeds)


def _wait_until_idle(
    state: EngineState, limit: float, asked_to_leave: threading.Event, server: Any
) -> None:
    period = min(max(limit / 4, 0.1), 15.0)
    slow = state.prefill_speed < _FAST_ENOUGH
    while not asked_to_leave.wait(period):
        _bound_log()
        idle = idle_seconds()
        if slow and idle > _QUIET_SECONDS and not _is_generating(state):
            # The start may have been a busy moment; what is measured is told to the next window.
            slow = False
            faster = note_speed(Path(state.model), _measure_prefill(server))
            write_state(replace(state, prefill_speed=faster))
        elif idle > limit:
            if not _is_generating(state):
                return
            touch_state()


def _is_generating(state: EngineState) -> bool:
    """True while a request is being answered."""
    import http.client

    where = urlsplit(state.url)
    connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=5)
    try:
        connection.request("GET", "/slots", headers={"Authorization": f"Bearer {state.secret}"})
        return any(slot["is_processing"] for slot in json.load(connection.getresponse()))
    except (OSError, ValueError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@contextlib.contextmanager
def _until_signal() -> Iterator[threading.Event]:
    """An event that is set when the process is asked to end."""
    event = threading.Event()
    names = [signal.SIGTERM, signal.SIGINT]
    before = [signal.signal(name, lambda *_: event.set()) for name in names]
    try:
        yield event
    finally:
        for name, handler in zip(names, before, strict=True):
            signal.signal(name, handler)


def _bound_log() -> None:
    """Empty the log when it has grown. It is written in append mode, so writing just goes on."""
    with contextlib.suppress(FileNotFoundError):
        if log_path().stat().st_size > _LOG_BYTES:
            os.truncate(log_path(), 0)

"""One engine for all: started on demand, found by others, gone when it should be."""

import json
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from synconfroute.clients import engine
from synconfroute.clients.engine.folders import engine_folder
from synconfroute.clients.engine.process import EngineOptions
from synconfroute.clients.engine.start import find, find_or_start
from synconfroute.clients.engine.state import EngineState, alone, running, write_state
from synconfroute.errors import EngineFailed, WeightsDamaged, WeightsMissing

pytestmark = pytest.mark.engine

STARTER = """
import sys
from synconfroute.clients.engine.start import find_or_start
sys.stdin.readline()
print(find_or_start().pid)
"""


def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Poll until the condition holds; fail after the deadline."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def reaches(state: EngineState, path: str, secret: str | None) -> int:
    """HTTP status of a GET at the engine."""
    headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
    return httpx.get(state.url + path, headers=headers, trust_env=False, timeout=10).status_code


def kill(state: EngineState) -> None:
    """End the engine without giving it a chance, and wait until it is gone."""
    process = psutil.Process(state.pid)
    process.kill()
    wait_until(lambda: not psutil.pid_exists(state.pid) or process.status() == "zombie")


def test_two_windows_that_start_at_once_share_one_engine(engine_home: Path) -> None:
    """Two processes are released together and come back with the same engine."""
    package = Path(engine.__file__).parents[3]
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", STARTER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(package)},
        )
        for _ in range(2)
    ]
    pids = [starter.communicate("go\n", timeout=60)[0].strip() for starter in starters]
    assert pids[0] == pids[1] == str(engine.status().pid)


def test_threads_of_one_window_share_one_engine(engine_home: Path) -> None:
    """Several requests at once in one process start one engine."""
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(find_or_start().pid)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 4
    assert len(set(found)) == 1


def test_a_killed_engine_is_replaced(engine_home: Path) -> None:
    """After a crash the old address is never given out again, and a new engine answers."""
    first = find_or_start()
    kill(first)
    assert find() is None
    second = find_or_start()
    assert second.pid != first.pid
    assert reaches(second, "/health", None) == 200


def test_a_stale_state_is_not_believed(engine_home: Path) -> None:
    """A description without the lock, as after a crash, leads nowhere."""
    process = psutil.Process()
    write_state(
        EngineState(process.pid, process.create_time(), "m", 0.0, "http://127.0.0.1:9", "s")
    )
    with alone(1):
        assert running() is None


def test_a_state_of_another_process_is_not_believed(engine_home: Path) -> None:
    """While an engine lives, a description that names another process does not count."""
    state = find_or_start()
    file = engine_folder() / "engine.json"
    forged = json.loads(file.read_text()) | {"pid": os.getpid(), "url": "http://127.0.0.1:9"}
    file.write_text(json.dumps(forged))
    assert find() is None
    psutil.Process(state.pid).terminate()
    wait_until(lambda: not psutil.pid_exists(state.pid) or find() is None)


def test_an_engine_of_another_version_can_be_ended(engine_home: Path) -> None:
    """A description with fields that this version does not know is still one."""
    state = find_or_start()
    file = engine_folder() / "engine.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"new_in_2.0": True}))
    assert find() == state
    assert engine.stop()


def test_an_idle_engine_ends(engine_home: Path) -> None:
    """Without a request it leaves by itself and takes its description along."""
    state = find_or_start(options=EngineOptions(idle_minutes=1 / 60))
    wait_until(lambda: not (engine_folder() / "engine.json").exists())
    wait_until(
        lambda: not psutil.pid_exists(state.pid) or psutil.Process(state.pid).status() == "zombie"
    )
    assert not engine.status().running


def test_the_engine_wants_its_secret(shared_engine: Path) -> None:
    """Nothing but the health check is open to other users of the machine."""
    state = find_or_start()
    assert reaches(state, "/health", None) == 200
    assert reaches(state, "/slots", state.secret) == 200
    for path in ("/slots", "/props", "/v1/models"):
        assert reaches(state, path, None) == 401
        assert reaches(state, path, "guess") == 401


@pytest.mark.skipif(sys.platform == "win32", reason="file modes are POSIX")
def test_only_the_user_can_read_the_state(shared_engine: Path) -> None:
    """The file with the secret has mode 0600, in a folder of mode 0700."""
    find_or_start()
    mode = stat.S_IMODE((engine_folder() / "engine.json").stat().st_mode)
    assert mode == 0o600
    assert stat.S_IMODE(engine_folder().stat().st_mode) == 0o700


def test_status_tells_what_runs_and_no_secret(engine_home: Path) -> None:
    """Process, model, memory and idle time are there; the secret is in no field."""
    assert not engine.status().running
    state = find_or_start()
    status = engine.status()
    assert (status.pid, status.model, status.ready) == (state.pid, "smollm2", True)
    assert 50 < status.memory_megabytes < 2000
    assert 0 <= status.idle_seconds < 60
    assert status.prefill_speed > 0
    assert state.secret not in repr(status)


def test_stop_ends_it(engine_home: Path) -> None:
    """It says whether there was one, and the process is gone."""
    state = find_or_start()
    assert engine.stop()
    assert find() is None
    wait_until(
        lambda: not psutil.pid_exists(state.pid) or psutil.Process(state.pid).status() == "zombie"
    )
    assert not engine.stop()


def test_another_model_waits_for_its_turn(engine_home: Path, starter_weights: Path) -> None:
    """While the engine is in use a second model is refused in one sentence; "" takes what runs."""
    first = find_or_start("smollm2")
    other = engine.pull(str(_linked(starter_weights, engine_home / "other.gguf")))
    with pytest.raises(EngineFailed, match="smollm2"):
        find_or_start("other")
    assert find_or_start("").pid == first.pid
    os.utime(engine_folder() / "engine.json", (0, 0))
    second = find_or_start("other")
    assert (second.pid != first.pid, second.model) == (True, str(other))


def test_removing_the_weights_ends_the_engine(engine_home: Path) -> None:
    """No process keeps the disk of a removed model."""
    find_or_start()
    engine.remove("smollm2")
    assert not engine.status().running
    with pytest.raises(WeightsMissing):
        find_or_start()


def test_a_file_that_is_no_model_is_one_sentence(bare_home: Path) -> None:
    """What llama.cpp cannot load is said at once, not after the time for the start."""
    file = bare_home / "broken.gguf"
    file.write_bytes(b"GGUF" + bytes(1000))
    began = time.monotonic()
    with pytest.raises(EngineFailed, match=r"broken\.gguf cannot be loaded"):
        find_or_start(str(file))
    assert time.monotonic() - began < 30
    file.write_bytes(b"not a model")
    with pytest.raises(WeightsDamaged):
        find_or_start(str(file))


def test_a_second_engine_in_the_foreground_is_refused(engine_home: Path) -> None:
    """One per user: `run` says how to end the other."""
    find_or_start()
    with pytest.raises(EngineFailed, match="engine stop"):
        engine.run()


def test_an_engine_in_the_foreground_serves_others(engine_home: Path) -> None:
    """`run` blocks until it is stopped; meanwhile everybody finds it."""
    found: list[bool] = []

    def use(state: EngineState) -> None:
        def look() -> None:
            found.append(find_or_start().pid == state.pid == os.getpid())
            (engine_folder() / "engine.json").unlink()

        threading.Thread(target=look).start()

    engine.run(options=EngineOptions(idle_minutes=1 / 60), on_ready=use)
    assert found == [True]


def _linked(file: Path, target: Path) -> Path:
    os.link(file, target)
    return target

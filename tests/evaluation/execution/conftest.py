"""What the tests of execution share: nothing may be left running, and tasks of our own."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from synconfroute.evaluation.execution.syscalls import filter_of_calls
from synconfroute.evaluation.execution.walls import Walls, strongest


def left_running(owner: int) -> list[str]:
    """Names of the processes that carry the mark of a program that this process started."""
    found = []
    for process in psutil.process_iter():
        try:
            mark = process.environ().get("SYNCONFROUTE_PROGRAM", "")
            if mark.startswith(f"{owner}-") and process.status() != "zombie":
                found.append(process.name())
        except (psutil.Error, OSError):
            continue
    return found


def nothing_left_running(owner: int, seconds: float = 5.0) -> bool:
    """Is everything that this process started gone, or gone soon?"""
    deadline = time.monotonic() + seconds
    while left := left_running(owner):
        if time.monotonic() > deadline:
            return not left
        time.sleep(0.02)
    return True


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where what compilers have prepared is kept: made once for all tests."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module", autouse=True)
def cache_of_the_tests(prepared: Path) -> Iterator[None]:
    """Not the cache of the person who tests."""
    with pytest.MonkeyPatch.context() as patched:
        for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
            patched.setenv(name, str(prepared))
        yield


@pytest.fixture(autouse=True)
def nothing_outlives() -> Iterator[None]:
    """No test leaves a program running."""
    yield
    assert nothing_left_running(os.getpid())


def skip_without(walls: Walls) -> None:
    """Skip the test where these walls cannot be had."""
    if walls == "bubblewrap" and strongest() != "bubblewrap":
        pytest.skip("bubblewrap does not work here")
    if walls == "filter" and (strongest() not in {"bubblewrap", "filter"} or not filter_of_calls()):
        pytest.skip("the kernel takes no filter of system calls here")
    if walls == "limits" and os.name != "posix":
        pytest.skip("POSIX limits")

"""`synconfroute engine`: what it says; the engine itself has its own tests."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.editor import environment
from tests.server.command.conftest import Run


def test_there_is_nothing_to_stop_or_remove(run: Run) -> None:
    """Both are done, and say so."""
    assert run("engine", "stop").out == "No engine was running.\n"
    done = run("engine", "remove")
    assert (done.code, done.err) == (0, "")


def test_without_weights_it_cannot_run(run: Run) -> None:
    """One sentence with the remedy."""
    done = run("engine")
    assert "synconfroute engine pull" in done.sentence
    assert done.code == 1


def test_what_is_no_model_file_cannot_be_pulled(run: Run, tmp_path: Path) -> None:
    """A text named .gguf is refused in one sentence."""
    (tmp_path / "x.gguf").write_text("not a model")
    done = run("engine", "pull", tmp_path / "x.gguf")
    assert done.sentence
    assert done.code == 1


@pytest.mark.engine
@pytest.mark.usefixtures("engine_home")
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_it_runs_in_the_foreground_until_interrupted(run: Run) -> None:
    """It says where it answers; a second one says that the first runs; Ctrl+C ends it."""
    with subprocess.Popen(
        [sys.executable, "-m", "synconfroute", "engine"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"answers at http://127.0.0.1:" in process.stdout.readline()
        done = run("engine")
        assert (done.code, f"process {process.pid}" in done.out) == (0, True)
        process.send_signal(signal.SIGINT)
        process.wait(30)
        assert b"Traceback" not in process.stderr.read()
    assert run("engine", "stop").out == "No engine was running.\n"

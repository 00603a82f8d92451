"""`eval run --on` against a real Ray cluster of two nodes, one of which is killed."""

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.cluster.conftest import TwoNodes
from tests.evaluation.command import conftest as command_fixtures
from tests.evaluation.command.test_run import (
    RIGHT,
    command,
    local,
    questions,
    rows,
    started,
)
from tests.evaluation.generation.functions import tasks, write_benchmark
from tests.server.command.conftest import Run
from tests.server.command.model_server import ModelServer, serving

run = command_fixtures.run
COUNT = 20
IDS = [each.id for each in tasks(COUNT)]
Driver = Callable[[list[str], ModelServer], "subprocess.Popen[bytes]"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Tasks of one line; a sum is wrong in every third."""
    write_benchmark(tmp_path / "data", COUNT)
    (file,) = (tmp_path / "data").rglob("*.jsonl")
    found = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    for row in found[::3]:
        row["test"] = row["test"].replace("== 3", "== -1")
    file.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    return tmp_path / "data"


@pytest.fixture
def driver() -> Iterator[Driver]:
    """Starts the command with the settings that name a model server."""
    begun: list[subprocess.Popen[bytes]] = []

    def start(arguments: list[str], server: ModelServer) -> "subprocess.Popen[bytes]":
        begun.append(started(arguments, local(server)))
        return begun[-1]

    yield start
    for process in begun:
        with process:
            process.kill()


def untimed(file: Path) -> list[dict[str, Any]]:
    """The rows of a file, without what the clock decides: seconds, and whether a verdict was due.

    On a busy machine the parser may start later than a verdict waits, which then is unknown.
    """
    clocked = {"secs", "verdict", "evidence"}
    return [{name: row[name] for name in row if name not in clocked} for row in rows(file)]


def times_asked(server: ModelServer) -> list[int]:
    """How often each task was asked for, in the benchmark's order."""
    asked = questions(server)
    return [sum(f"def add_{number}(" in each for each in asked) for number in range(COUNT)]


def said(process: "subprocess.Popen[bytes]") -> str:
    """The next sentence of a command."""
    assert process.stderr is not None
    return process.stderr.readline().decode().rstrip()


def both_wait(server: ModelServer, driver: "subprocess.Popen[bytes]") -> None:
    """Let a few be answered, then wait until each node waits for an answer."""
    go_on_until(lambda: len(questions(server)) >= 4, driver)
    server.held = 0
    go_on_until(lambda: len(server.waiting) == 2, driver)


def go_on_until(holds: Callable[[], bool], driver: "subprocess.Popen[bytes]") -> None:
    """Look until something holds, as long as the driver runs."""
    deadline = time.monotonic() + 200
    while not holds():
        assert driver.poll() is None, driver.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_node_is_killed_in_the_middle(
    run: Run, driver: Driver, cluster: TwoNodes, data: Path, tmp_path: Path
) -> None:
    """Each task has one answer, as if the run had been here; what the node had begun is redone."""
    there, here = tmp_path / "there.jsonl", tmp_path / "here.jsonl"
    with serving(ModelServer(text=RIGHT.lstrip())) as server:
        process = driver(command(data, there, "--on", cluster.address), server)
        sent = said(process)
        both_wait(server, process)
        cluster.kill_a_node()
        gone = said(process)
        server.go_on.set()
        _, more = process.communicate(timeout=250)
        assert (process.returncode, more) == (0, b"")
        asked, hung_up = times_asked(server), server.hung_up
        done = run(*command(data, here), env=local(server))
    assert done.code == 0, done.err
    assert [row["task_id"] for row in rows(there)] == IDS
    assert untimed(there) == untimed(here)
    assert {row["passed"] for row in rows(there)} == {True, False}
    assert hung_up == 1
    assert set(asked) <= {1, 2}
    assert sum(asked) - COUNT <= 3  # one batch of 20 tasks for two processors
    assert sent.startswith(f"{COUNT} tasks with their prompts go to the Ray cluster at ray://")
    assert sent.endswith("(2 nodes, 2 processors).")
    assert gone.startswith("Node 127.0.0.1 (")
    assert gone.endswith(") is gone: what it had begun is done again elsewhere.")


def test_a_killed_driver_goes_on(
    run: Run, driver: Driver, cluster: TwoNodes, data: Path, tmp_path: Path
) -> None:
    """What was answered is kept as it is and not asked again; the file ends in order."""
    cluster.add_a_node()
    out = tmp_path / "run.jsonl"
    with serving(ModelServer(text=RIGHT.lstrip())) as server:
        process = driver(command(data, out, "--on", cluster.address), server)
        both_wait(server, process)
        go_on_until(lambda: len(rows(out)) > 0, process)
        process.kill()
        process.communicate()
        kept = rows(out)
        server.go_on.set()
        done = run(*command(data, out, "--on", cluster.address, "--json"), env=local(server))
        asked = times_asked(server)
    assert done.code == 0, done.err
    assert done.sentence.startswith(f"{COUNT - len(kept)} tasks with their prompts go to")
    assert [row["task_id"] for row in rows(out)] == IDS
    after = {row["task_id"]: row for row in rows(out)}
    assert all(after[row["task_id"]] == row for row in kept)
    assert all(asked[IDS.index(row["task_id"])] == 1 for row in kept)
    (summary,) = json.loads(done.out)
    assert (summary["tasks"], summary["raw"]) == (COUNT, 13 / 20)

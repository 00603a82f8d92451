"""`synconfroute eval run` against model servers on real sockets: killed, refused, sent away."""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.command.conftest import COUNT
from tests.evaluation.generation.functions import tasks, write_benchmark
from tests.ledger_lines import sent
from tests.server.command.conftest import SOURCES, Run
from tests.server.command.model_server import ModelServer, serving

RIGHT = "    return a + b\n"
BENCH = "humaneval-single-line"
IDS = [each.id for each in tasks(COUNT)]


def command(data: Path, out: Path, *options: str, model: str = "openai:qwen2.5-coder") -> list[str]:
    """The arguments of a run."""
    where = ["--data", str(data), "--bench", BENCH, "--out", str(out)]
    return ["eval", "run", *where, "--model", model, *options]


def local(server: ModelServer) -> dict[str, str]:
    """Settings that name the server as the local one."""
    return {"SYNCONFROUTE_LOCAL_URL": server.url}


def rows(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a file of answers."""
    whole = file.read_bytes().rpartition(b"\n")[0]
    return [json.loads(line) for line in whole.decode().splitlines()]


def questions(server: ModelServer) -> list[str]:
    """The prompts that were sent, without the one token that loads a model."""
    return [str(body["prompt"]) for body in server.bodies if body.get("max_tokens", 0) > 1]


def started(arguments: list[str], env: dict[str, str]) -> "subprocess.Popen[bytes]":
    """The command, running."""
    return subprocess.Popen(
        [sys.executable, "-m", "synconfroute", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCES), **env},
    )


def wait_until(holds: Callable[[], bool]) -> None:
    """Look until something holds."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_a_run_answers_every_task_once(run: Run, data: Path, tmp_path: Path) -> None:
    """Rows come in the benchmark's order, executed, with the server's own name of the model."""
    out = tmp_path / "run.jsonl"
    with serving(ModelServer(text=RIGHT.lstrip())) as server:
        done = run(*command(data, out, "--limit", "3", "--json"), env=local(server))
        assert len(questions(server)) == 3
        assert all(":\n    <|fim_suffix|>" in each for each in questions(server))
    assert (done.code, done.err) == (0, "")
    found = rows(out)
    assert [row["task_id"] for row in found] == IDS[:3]
    for row in found:
        assert (row["passed"], row["cleaned_passed"], row["verdict"]) == (True, True, "valid")
        assert (row["model"], row["server"]) == ("qwen2.5-coder", "vLLM 0.32.0")
        assert (row["text"], row["finish"]) == (RIGHT, "closed")
    (summary,) = json.loads(done.out)
    assert (summary["tasks"], summary["raw"], summary["cleaned"]) == (3, 1.0, 1.0)


@pytest.mark.parametrize("options", [("--indentation", "none"), ("--suffix", "raw")])
def test_the_published_prompt_is_given_no_indentation(
    run: Run, data: Path, tmp_path: Path, options: tuple[str, ...]
) -> None:
    """It ends where the benchmark has the cursor, the answer is as sent, and the row says so."""
    out = tmp_path / "run.jsonl"
    with serving(ModelServer(text=RIGHT)) as server:
        done = run(*command(data, out, "--limit", "2", *options), env=local(server))
        assert all(":\n<|fim_suffix|>" in each for each in questions(server))
    assert done.code == 0, done.err
    assert [(row["text"], row["indentation"]) for row in rows(out)] == [(RIGHT, "none")] * 2


def test_a_killed_run_goes_on(run: Run, data: Path, tmp_path: Path, home: Path) -> None:
    """After SIGKILL in the middle the same command finishes: nothing lost, nothing asked twice."""
    out = tmp_path / "run.jsonl"
    with serving(ModelServer(text=RIGHT)) as server:
        process = started(command(data, out), local(server))
        wait_until(lambda: len(questions(server)) >= 5)
        process.kill()
        process.communicate()
        kept = rows(out)
        asked = len(questions(server))
        done = run(*command(data, out), env=local(server))
        again = questions(server)[asked:]
    assert done.code == 0, done.err
    assert 0 < len(kept) < COUNT
    assert asked - len(kept) <= 1  # the one whose answer was on its way
    assert [row["task_id"] for row in rows(out)] == IDS
    assert len(again) == COUNT - len(kept)
    for before, after in zip(kept, rows(out), strict=False):
        assert after | {"passed": None, "cleaned_passed": None} == before
    assert all(row["passed"] for row in rows(out))
    assert {file.name for file in tmp_path.glob("run*")} == {"run.jsonl", "run.jsonl.run.json"}
    assert home.is_dir()


def test_a_finished_run_asks_nothing(run: Run, data: Path, tmp_path: Path) -> None:
    """The same command again tells the same figures, without any server."""
    out = tmp_path / "run.jsonl"
    with serving(ModelServer(text=RIGHT)) as server:
        first = run(*command(data, out, "--limit", "2", "--json"), env=local(server))
    before = out.read_bytes()
    second = run(*command(data, out, "--limit", "2", "--json"), env=local(server))
    assert (second.code, second.out) == (0, first.out)
    assert out.read_bytes() == before


def test_a_server_that_dies_in_the_middle(data: Path, tmp_path: Path, home: Path) -> None:
    """One sentence, exit code 1, and what was answered is kept with its outcome."""
    out = tmp_path / "run.jsonl"
    with serving(ModelServer(text=RIGHT)) as server:
        process = started(command(data, out), local(server))
        wait_until(lambda: len(questions(server)) >= 3)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    (sentence,) = err.decode().splitlines()
    assert f"of {COUNT} answers are in {out}; the same command goes on)." in sentence
    assert 3 <= len(rows(out)) < COUNT
    assert all(row["passed"] for row in rows(out))
    assert home.is_dir()


def test_no_server_at_all(run: Run, data: Path, tmp_path: Path) -> None:
    """Where nothing answers the sentence says what mends it."""
    with serving(ModelServer()) as server:
        pass
    done = run(*command(data, tmp_path / "run.jsonl"), env=local(server))
    assert done.code == 1
    assert "Nothing answers at" in done.sentence


def test_other_options_do_not_go_on(run: Run, data: Path, tmp_path: Path) -> None:
    """A file of a run with other options is refused by name of the option."""
    out = tmp_path / "run.jsonl"
    with serving(ModelServer(text=RIGHT)) as server:
        run(*command(data, out, "--limit", "1"), env=local(server))
        done = run(*command(data, out, "--limit", "1", "--shots", "2"), env=local(server))
    assert done.code == 1
    assert "shots = 0, not 2" in done.sentence


def test_several_models_have_a_file_each(run: Run, data: Path, tmp_path: Path) -> None:
    """Each model's name stands in its file's name."""
    models = ["--model", "openai:b/ig:1", "--limit", "1"]
    with serving(ModelServer(text=RIGHT)) as server:
        first = run(*command(data, tmp_path / "run.jsonl", *models), env=local(server))
    assert "does not have the model 'b/ig:1'" in first.sentence
    assert len(rows(tmp_path / "run.openai-qwen2.5-coder.jsonl")) == 1
    assert (tmp_path / "run.openai-ig-1.jsonl").exists()


def org(server: ModelServer) -> dict[str, str]:
    """Settings that name the server as the organisation's."""
    return {"SYNCONFROUTE_ORG_URL": server.url}


def test_nothing_leaves_unasked(run: Run, data: Path, tmp_path: Path, home: Path) -> None:
    """Without --send-to-org no byte goes to the organisation's server, and the command says so."""
    with serving(ModelServer(text=RIGHT)) as server:
        arguments = command(data, tmp_path / "run.jsonl", model="org:qwen2.5-coder")
        done = run(*arguments, env=org(server))
        assert server.asked == []
    assert done.code == 2
    assert "Nothing was sent" in done.sentence
    assert "--send-to-org" in done.sentence
    assert sent(home) == []


def test_what_leaves_is_announced_and_in_the_ledger(
    run: Run, data: Path, tmp_path: Path, home: Path
) -> None:
    """Count and address are said first; the ledger has a line for every prompt."""
    arguments = command(data, tmp_path / "run.jsonl", "--limit", "2", model="org:qwen2.5-coder")
    with serving(ModelServer(text=RIGHT)) as server:
        done = run(*arguments, "--send-to-org", env=org(server))
        assert len(questions(server)) == 2
    assert done.code == 0
    assert done.sentence == f"2 prompts go to {server.url}, to the model qwen2.5-coder."
    lines = sent(home)
    assert [(line["server"], line["reason"]) for line in lines] == [(server.url, "evaluation")] * 2
    assert [row["provider"] for row in rows(tmp_path / "run.jsonl")] == ["org", "org"]


def test_policy_holds_for_benchmarks_too(run: Run, tmp_path: Path, home: Path) -> None:
    """Tasks in a folder that looks secret stay here, whatever the options say."""
    data = tmp_path / "secrets"
    write_benchmark(data, 1)
    arguments = command(data, tmp_path / "run.jsonl", model="org:qwen2.5-coder")
    with serving(ModelServer(text=RIGHT)) as server:
        done = run(*arguments, "--send-to-org", env=org(server))
        assert questions(server) == []
    assert done.code == 1
    assert "never leave this machine" in done.err
    assert sent(home) == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--model", "qwen"], "PROVIDER:NAME"),
        (["--shots", "6"], "0 to 5"),
        (["--limit", "0"], "from 1"),
        (["--limit", "1", "--sample", "1"], "not allowed with"),
        (["--temperature", "hot"], "from 0 to 2"),
        (["--on", "http://head:10001"], "ray://HOST:PORT"),
    ],
)
def test_what_cannot_be_asked_for(
    run: Run, data: Path, tmp_path: Path, options: list[str], says: str
) -> None:
    """Options that contradict or are out of range are wrong usage, and begin nothing."""
    done = run(*command(data, tmp_path / "run.jsonl", *options))
    assert done.code == 2
    assert says in done.sentence
    assert not (tmp_path / "run.jsonl").exists()


@pytest.mark.parametrize(
    ("where", "says"),
    [
        (["--bench", "humaneval-haiku"], "no benchmark humaneval-haiku"),
        (["--data", "nowhere"], "no folder nowhere"),
    ],
)
def test_a_benchmark_that_is_not_there(
    run: Run, data: Path, tmp_path: Path, where: list[str], says: str
) -> None:
    """A name or folder that stands for nothing is a sentence."""
    done = run(*command(data, tmp_path / "run.jsonl", *where))
    assert done.code == 1
    assert says in done.sentence


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_a_terminal_sees_how_far_the_run_is(data: Path, tmp_path: Path, home: Path) -> None:
    """A bar with rate and time left is drawn on a terminal; the pipes of other tests have none."""
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 120))
    with serving(ModelServer(text=RIGHT)) as server:
        process = subprocess.Popen(
            [sys.executable, "-m", "synconfroute", *command(data, tmp_path / "run.jsonl")],
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env={**os.environ, "PYTHONPATH": str(SOURCES), **local(server)},
        )
        os.close(theirs)
        drawn = b""
        with contextlib.suppress(OSError):  # Linux says so when the other side is closed
            while piece := os.read(ours, 65536):
                drawn += piece
        process.wait()
    os.close(ours)
    assert process.returncode == 0
    assert f"/{COUNT} [".encode() in drawn
    assert b"task/s" in drawn or b"s/task" in drawn
    assert home.is_dir()


def test_a_setting_may_be_given_last(run: Run, data: Path, tmp_path: Path) -> None:
    """--set behind the action's own options counts, beside one before it."""
    with serving(ModelServer(text=RIGHT)) as server:
        arguments = command(data, tmp_path / "run.jsonl", "--limit", "1")
        done = run(
            "--set", "router.confidence=literal", *arguments, "--set", f"local.url={server.url}"
        )
    assert (done.code, done.err) == (0, "")
    assert len(rows(tmp_path / "run.jsonl")) == 1

"""`synconfroute doctor` on bare and broken machines, against real sockets."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.command.conftest import SOURCES, Done, Run
from tests.server.command.model_server import ModelServer, serving


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address of this machine where nothing answers: bound, never listened on."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"


@pytest.fixture
def no_ollama(home: Path, nobody: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """An Ollama of the person who tests is not found."""
    assert home.is_dir()  # made first: it forgets OLLAMA_HOST
    monkeypatch.setenv("OLLAMA_HOST", nobody)
    return nobody


def _findings(done: Done) -> dict[str, dict[str, str]]:
    return {finding["about"]: finding for finding in json.loads(done.out)["findings"]}


def _local(server: ModelServer) -> dict[str, str]:
    return {"SYNCONFROUTE_LOCAL_PROVIDER": "openai", "SYNCONFROUTE_LOCAL_URL": server.url}


@pytest.mark.usefixtures("no_ollama")
def test_a_machine_with_nothing(run: Run) -> None:
    """Exit code 1, one line with the remedy; what needs no model works."""
    done = run("doctor")
    assert done.code == 1
    bad = [line for line in done.out.splitlines() if line.startswith("not ok")]
    assert len(bad) == 1
    assert "synconfroute engine pull" in bad[0]
    found = _findings(run("doctor", "--json"))
    assert found["local model"]["remedy"] == "synconfroute engine pull"
    for about in ("settings", "parser python", "parser java", "parser cpp", "ledger"):
        assert found[about]["health"] == "ok"
    assert "Off" in found["org server"]["message"]


@pytest.mark.engine
@pytest.mark.usefixtures("no_ollama", "engine_home")
def test_a_machine_with_only_the_embedded_engine(run: Run) -> None:
    """Exit code 0, the median of ten completions, and that the model runs on the CPU."""
    done = run("doctor", "--json", timeout=280)
    found = _findings(done)
    assert done.code == 0
    assert "embedded" in found["local model"]["message"]
    assert "no Ollama runs here" in found["local model"]["message"]
    assert found["confidence"]["health"] == "ok"
    assert "CPU" in found["processor"]["message"]
    assert json.loads(done.out)["median_ms"] > 0


def test_the_median_stands_beside_200_ms(run: Run) -> None:
    """A fast server is well; ten completions and one to warm up were asked of it."""
    with serving(ModelServer(text="0\n")) as server:
        done = run("doctor", "--json", env=_local(server))
    found = _findings(done)
    assert done.code == 0
    assert "200 ms" in found["speed"]["message"]
    assert server.asked.count(("POST", "/v1/completions")) == 11


@pytest.mark.parametrize(
    ("setting", "health", "told"),
    [
        ({}, "note", "Nobody measured qwen2.5-coder, so the paper's 0.7 holds."),
        ({"THRESHOLD": "0.8"}, "ok", "router.threshold = 0.8"),
        ({"THRESHOLDS": '{"evidence/qwen2.5-coder/java": 0.6}'}, "ok", "java 0.6 (calibrated"),
    ],
)
def test_which_threshold_holds(
    run: Run, nobody: str, setting: dict[str, str], health: str, told: str
) -> None:
    """The user's number, a calibrated one, or the paper's, with the command that finds another."""
    env = {f"SYNCONFROUTE_ROUTER_{name}": value for name, value in setting.items()}
    with serving(ModelServer(text="0\n")) as server:
        env |= _local(server) | {"SYNCONFROUTE_ORG_URL": f"{nobody}/v1"}
        done = run("doctor", "--json", env=env)
    found = _findings(done)["threshold"]
    assert found["health"] == health
    assert told in found["message"]
    assert (found["remedy"] == "synconfroute calibrate") == (health == "note")


def test_a_score_that_nobody_fitted_gives_way(run: Run) -> None:
    """The rule that holds instead is named."""
    with serving(ModelServer(text="0\n")) as server:
        done = run("doctor", "--json", env=_local(server))
    found = _findings(done)["rule"]
    assert "no score was fitted for qwen2.5-coder, so evidence holds" in found["message"]


def test_the_organisations_server_is_asked_for_no_completion(run: Run) -> None:
    """It is well, its model is named, and no prompt of any kind reached it."""
    local, org = ModelServer(text="0\n", logprob=-3.0), ModelServer(key="k")
    with serving(local), serving(org):
        env = {"SYNCONFROUTE_ORG_URL": org.url, "SYNCONFROUTE_ORG_API_KEY": "k"}
        done = run("doctor", "--json", env=_local(local) | env)
    assert _findings(done)["org server"]["health"] == "ok"
    assert "qwen2.5-coder" in _findings(done)["org server"]["message"]
    assert {method for method, _ in org.asked} == {"GET"}


def test_a_wrong_key_of_the_organisation(run: Run) -> None:
    """One line says so and how to set it; the key is nowhere; completions work."""
    local, org = ModelServer(text="0\n"), ModelServer(key="right")
    with serving(local), serving(org):
        env = {"SYNCONFROUTE_ORG_URL": org.url, "SYNCONFROUTE_ORG_API_KEY": "wrong-key"}
        done = run("doctor", env=_local(local) | env)
    (bad,) = [line for line in done.out.splitlines() if line.startswith("not ok")]
    assert "org server" in bad
    assert "key" in bad
    assert "SYNCONFROUTE_ORG_API_KEY" in done.out
    assert "wrong-key" not in done.out + done.err
    assert done.code == 0


def test_an_organisations_server_that_is_down(run: Run, nobody: str) -> None:
    """One line names the address; completions work."""
    with serving(ModelServer(text="0\n")) as local:
        done = run("doctor", env=_local(local) | {"SYNCONFROUTE_ORG_URL": f"{nobody}/v1"})
    (bad,) = [line for line in done.out.splitlines() if line.startswith("not ok")]
    assert nobody in bad
    assert done.code == 0


def test_escalation_switched_off_asks_nobody(run: Run) -> None:
    """The server is not even asked for its models."""
    local, org = ModelServer(text="0\n"), ModelServer()
    with serving(local), serving(org):
        env = {"SYNCONFROUTE_ORG_URL": org.url, "SYNCONFROUTE_ESCALATION_ENABLED": "false"}
        done = run("doctor", "--json", env=_local(local) | env)
    assert "switched off" in _findings(done)["org server"]["message"]
    assert org.asked == []


@pytest.mark.usefixtures("no_ollama")
def test_wrong_settings_are_findings(run: Run) -> None:
    """A local address elsewhere is refused in one line."""
    done = run("doctor", "--json", env={"SYNCONFROUTE_LOCAL_URL": "http://10.1.2.3:1"})
    assert "local.allow_remote" in _findings(done)["settings"]["message"]


@pytest.mark.usefixtures("no_ollama")
def test_a_ledger_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    """It is said, with what follows from it."""
    (tmp_path / "synconfroute").write_text("")
    done = run("doctor", "--json", env={"XDG_STATE_HOME": str(tmp_path)})
    if sys.platform == "linux":
        assert _findings(done)["ledger"]["health"] == "not ok"


def test_an_ollama_without_a_code_model(run: Run) -> None:
    """Away from a terminal the line to type is printed."""
    with serving(ModelServer(models=["llama3.2:1b"])) as ollama:
        done = run("doctor", "--json", env={"OLLAMA_HOST": ollama.root})
    finding = _findings(done)["local model"]
    assert finding["remedy"].startswith("ollama pull qwen2.5-coder:")
    assert ("POST", "/api/pull") not in ollama.asked


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("reply", "pulls"), [("y", True), ("n", False), ("", False)])
def test_on_a_terminal_the_pull_is_offered(reply: str, pulls: bool) -> None:
    """Only a "y" lets Ollama pull."""
    with serving(ModelServer()) as ollama:
        _on_a_terminal(["doctor"], f"{reply}\n", {"OLLAMA_HOST": ollama.root})
    assert (("POST", "/api/pull") in ollama.asked) is pulls


def _on_a_terminal(arguments: list[str], typed: str, env: dict[str, Any]) -> None:
    import pty

    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    done = subprocess.run(
        [sys.executable, "-m", "synconfroute", *arguments],
        stdin=theirs,
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(SOURCES), **env},
        timeout=120,
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 1

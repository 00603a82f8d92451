"""`synconfroute eval latency`, over a real socket."""

import json
from pathlib import Path

from synconfroute.evaluation.latency.document import read_latency
from tests.server.command.conftest import Run
from tests.server.command.model_server import ModelServer, serving

BENCH = "humaneval-single-line"


def test_two_models_one_file(run: Run, data: Path, tmp_path: Path) -> None:
    """Each is asked once more than is counted; the file says machine, load, and each answer."""
    out = tmp_path / "latency.json"
    arguments = ["--data", data, "--bench", BENCH, "--out", out, "--sample", "3"]
    with serving(ModelServer(text="return a + b\n")) as server:
        done = run(
            "eval", "latency", *arguments, "--model", "openai:qwen2.5-coder", "openai:",
            env={"SYNCONFROUTE_LOCAL_URL": server.url},
        )  # fmt: skip
        asked = [body for body in server.bodies if body.get("max_tokens", 0) > 1]
    assert done.code == 0, done.err
    assert len(asked) == 8
    assert len({body["prompt"] for body in asked[:4]}) == 4
    found = read_latency(out)
    assert (found.bench, found.sample, found.prompt, found.profile) == (BENCH, 3, "fim", "live")
    assert found.machine.threads
    for model in found.models:
        assert (model.n, model.model, model.server) == (3, "qwen2.5-coder", "vLLM 0.32.0")
        assert all(0 < each.first_token <= each.seconds for each in model.answers)
    assert "return" not in out.read_text("utf-8")  # no code
    assert done.out.count("complete answer") == 2


def test_draws_and_unasked_sending_are_refused(run: Run, data: Path, tmp_path: Path) -> None:
    """One sentence each, and no file."""
    out = tmp_path / "latency.json"
    where = ("eval", "latency", "--data", data, "--bench", BENCH, "--out", out)
    for options, sentence in [
        (("--model", "openai:a", "--draws", "3"), "leave out --draws"),
        (("--model", "org:a"), "only with --send-to-org"),
    ]:
        done = run(*where, *options)
        assert done.code == 2
        assert sentence in done.sentence
    assert not out.exists()


def test_the_same_as_json(run: Run, data: Path, tmp_path: Path) -> None:
    """What is printed is what is written."""
    out = tmp_path / "latency.json"
    arguments = ["--data", data, "--bench", BENCH, "--out", out, "--sample", "2", "--json"]
    with serving(ModelServer(text="return a + b\n")) as server:
        env = {"SYNCONFROUTE_LOCAL_URL": server.url}
        done = run("eval", "latency", *arguments, "--model", "openai:qwen2.5-coder", env=env)
    written = json.loads(out.read_text("utf-8"))
    assert json.loads(done.out) | {"format": 1} == written

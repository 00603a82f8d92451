"""`synconfroute eval quantization`, over a real socket and from stored answers."""

import json
from pathlib import Path

from tests.evaluation.command.test_run import local, rows
from tests.server.command.conftest import Run
from tests.server.command.model_server import ModelServer, serving

BENCH = "humaneval-single-line"


def test_levels_answer_and_are_compared(run: Run, data: Path, tmp_path: Path) -> None:
    """Each level has its file; the same command asks nobody again; the files alone do too."""
    out = tmp_path / "levels"
    names = ["openai:qwen2.5-coder", "openai:"]
    command = ("eval", "quantization", "--data", data, "--bench", BENCH, "--sample", "2",
               "--out", out, "--model", *names, "--json")  # fmt: skip
    with serving(ModelServer(text="return a + b\n")) as server:
        done = run(*command, env=local(server))
        asked = len([body for body in server.bodies if body.get("max_tokens", 0) > 1])
        again = run(*command, env=local(server))
        assert asked == len([body for body in server.bodies if body.get("max_tokens", 0) > 1]) == 4
    assert (done.code, again.code) == (0, 0), done.err
    found = json.loads(done.out)
    assert found["measured"]["machine"]["threads"]
    assert [level["model"] for level in found["levels"]] == ["openai-qwen2.5-coder", "openai"]
    for level in found["levels"]:
        assert (level["tasks"], level["pass_at_1"]["value"], level["valid"]["value"]) == (2, 1, 1)
        assert level["seconds"]["median"] > 0
        assert (level["weights_bytes"], level["engine_bytes"]) == (None, None)
    files = sorted(out.glob("*.jsonl"))
    assert [row["cleaned_passed"] for file in files for row in rows(file)] == [True] * 4
    done = run("eval", "quantization", "--data", data, "--predictions", *files)
    assert done.code == 0, done.err
    assert done.out.count("  right             100.0%") == 2


def test_models_need_a_benchmark_and_a_folder(run: Run, data: Path) -> None:
    """One sentence."""
    done = run("eval", "quantization", "--data", data, "--model", "openai:a")
    assert done.code == 2
    assert "give --bench and --out" in done.sentence

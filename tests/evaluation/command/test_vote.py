"""`synconfroute eval run --draws` and `eval vote`, over a real socket and real execution."""

import json
from pathlib import Path

from tests.evaluation.command.test_run import command, local, questions, rows
from tests.server.command.conftest import Run
from tests.server.command.model_server import ModelServer, serving


def test_draws_are_asked_with_seeds_of_their_own_and_vote(
    run: Run, data: Path, tmp_path: Path
) -> None:
    """Three draws make three files; each row says its draw; the majority is executed."""
    out = tmp_path / "v.jsonl"
    options = ("--limit", "2", "--draws", "3", "--temperature", "0.6")
    with serving(ModelServer(text="return a + b\n")) as server:
        done = run(*command(data, out, *options), env=local(server))
        assert (done.code, len(questions(server))) == (0, 6)
        asked = [body for body in server.bodies if body.get("max_tokens", 0) > 1]
        seeds = [body["seed"] for body in asked]
        assert {body["temperature"] for body in asked} == {0.6}
    assert len(set(seeds)) == 6, "no two requests meet the same random numbers"
    files = [tmp_path / f"v.draw-{draw}.jsonl" for draw in (1, 2, 3)]
    assert [{row["seed"] for row in rows(file)} for file in files] == [{1}, {2}, {3}]

    done = run("eval", "vote", "--data", data, "--json", "--predictions", *files)
    found = json.loads(done.out)
    assert found["tasks"] == 2
    assert [(each["answers"], each["pass_at_1"], each["hopeless"]) for each in found["votes"]] == [
        (1, 1.0, 0),
        (3, 1.0, 0),
    ]
    done = run("eval", "vote", "--data", data, "--predictions", *files)
    assert done.out.splitlines()[-1].startswith("  3 voting: 100.0% right (95 % interval 100.0%")


def test_draws_need_a_temperature(run: Run, data: Path, tmp_path: Path) -> None:
    """Greedy draws are all the same: one sentence, and nothing is asked."""
    done = run(*command(data, tmp_path / "v.jsonl", "--draws", "3"))
    assert done.code == 2
    assert "every draw is the same" in done.sentence


def test_files_of_other_tasks_cannot_vote(run: Run, data: Path, tmp_path: Path) -> None:
    """One sentence."""
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for number, file in enumerate(files):
        row = {"task_id": f"SingleLineInfilling/HumanEval/{number}/L0", "text": "x", "tokens": []}
        file.write_text(json.dumps(row) + "\n", encoding="utf-8")
    done = run("eval", "vote", "--data", data, "--predictions", *files)
    assert done.code == 1
    assert "no task in common" in done.sentence

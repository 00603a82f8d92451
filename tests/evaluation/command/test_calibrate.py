"""`synconfroute calibrate` as a process: from stored answers, and from a repository, live."""

import json
import math
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.evaluation.generation.functions import write_benchmark
from tests.ledger_lines import sent
from tests.server.command.conftest import Done, Run
from tests.server.command.model_server import ModelServer, serving

TASKS = 60


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """A benchmark of 60 tasks and answers of two models to it.

    The local one is sure of the first 40 and right, unsure of the others and wrong; the larger one
    has all but the first ten right.
    """
    folder = tmp_path / "data"
    write_benchmark(folder, TASKS)
    (file,) = (folder / "humaneval_infilling").iterdir()
    names = [json.loads(line)["task_id"] for line in file.read_text().splitlines()]
    write(folder / "local.jsonl", names, [(0.905, True)] * 40 + [(0.305, False)] * 20)
    write(folder / "larger.jsonl", names, [(0.9, False)] * 10 + [(0.9, True)] * 50)
    write(folder / "few.jsonl", names, [(0.9, True)] * 49)
    return folder


def write(file: Path, names: Iterable[str], answers: Iterable[tuple[float, bool]]) -> None:
    """A file of predictions with these confidences and outcomes."""
    with file.open("w") as lines:
        for name, (confidence, passed) in zip(names, answers, strict=False):
            tokens = [["x", math.log(confidence)]] * 3
            row = {
                "task_id": name,
                "text": "    return a",
                "tokens": tokens,
                "secs": 1,
                "passed": passed,
            }
            lines.write(json.dumps(row) + "\n")


def stored(run: Run, data: Path, *options: str | Path, larger: bool = True) -> Done:
    """Calibrate on the stored answers."""
    files = ["--local", data / "local.jsonl"]
    files += ["--larger", data / "larger.jsonl"] if larger else []
    return run("calibrate", "--data", data, *files, *options)


def test_stored_answers_give_the_best_threshold(run: Run, answers: Path) -> None:
    """The lowest that keeps the sure ones; 40 right here and 20 there are all."""
    done = stored(run, answers, "--json")
    (found,) = json.loads(done.out)
    assert found["threshold"] == 0.31
    assert (found["pass_at_1"], found["tasks"]) == (1.0, TASKS)
    assert found["local_share"] == pytest.approx(40 / 60)
    assert found["language"] == "python"
    assert len(found["curve"]) == 101
    assert found["curve"][100][1:3] == [0.0, pytest.approx(50 / 60)]


def test_people_see_the_curve_and_what_was_chosen(
    run: Run, answers: Path, tmp_path: Path, home: Path
) -> None:
    """Within 80 columns, nothing written; the picture lies where it was asked for."""
    done = stored(run, answers, "--png", tmp_path / "c.png")
    drawn, told = done.out.split("\n\n", 1)[0], done.out
    assert max(map(len, told.partition("Not written")[0].splitlines())) <= 80
    assert drawn.startswith("python, rule evidence")
    assert "Threshold 0.31: best pass@1." in told
    assert "Always local 66.7%, always larger 83.3%." in told
    assert (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    assert list(home.rglob("settings.toml")) == []


def test_it_is_written_only_when_asked_to_and_then_holds(
    run: Run, answers: Path, tmp_path: Path, home: Path
) -> None:
    """The user's comments stay; `settings show` says it; a threshold for everything still wins."""
    show = json.loads(run("settings", "show", "--json").out)
    file = Path(show["user_file"])
    file.parent.mkdir(parents=True)
    file.write_text("# mine\n[router]\nthreshold = 0.9 # for now\n")
    done = stored(run, answers, "--write", "--set", "router.rule=paper")
    assert "router.threshold = 0.9 (user file) still holds" in done.err
    text = file.read_text()
    assert text.startswith("# mine\n[router]\nthreshold = 0.9 # for now\n")
    assert tomllib.loads(text)["router"]["thresholds"] == {"paper/local/python": 0.31}
    shown = json.loads(run("settings", "show", "--json").out)["settings"]["router.thresholds"]
    assert shown == {"value": {"paper/local/python": 0.31}, "source": "user file"}


def test_a_bound_on_what_is_escalated(run: Run, answers: Path) -> None:
    """At most a fifth may go: then none does, since the unsure third is all or nothing."""
    (found,) = json.loads(stored(run, answers, "--json", "--at-most", "20").out)
    assert (found["threshold"], found["local_share"]) == (0.0, 1.0)


def test_without_a_larger_model_it_is_a_precision(run: Run, answers: Path) -> None:
    """Which is said not to be the paper's objective."""
    done = stored(run, answers, larger=False)
    assert "Threshold 0.31: at least 80% of the kept answers right." in done.out
    assert "not the objective of the paper's" in done.out
    (found,) = json.loads(stored(run, answers, "--json", "--precision", "0.6", larger=False).out)
    assert (found["threshold"], found["pass_at_1"]) == (0.0, None)


def test_fewer_than_fifty_are_refused(run: Run, answers: Path) -> None:
    """Exit 1 and one sentence with the reason."""
    done = run("calibrate", "--data", answers, "--local", answers / "few.jsonl")
    assert done.code == 1
    assert "There are 49 tasks of python" in done.sentence
    assert "needs 50" in done.sentence


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--local", "x"], "--data"),
        (["--bench", "safim-block"], "--data"),
        (["--data", "x", "--repo", "."], "--repo"),
        (["--data", "x", "--local", "y", "--send-to-org"], "--send-to-org"),
        (["--at-most", "50", "--precision", "0.9"], "not both"),
        (["--at-most", "101"], "from 0 to 100"),
        (["--precision", "nan"], "from 0 to 1"),
        (["--sample", "0"], "from 1 to"),
        (["--no-sandbox"], "--tests"),
    ],
)
def test_options_that_contradict_each_other(run: Run, options: list[str], told: str) -> None:
    """Exit 2 and one sentence."""
    done = run("calibrate", *options)
    assert done.code == 2
    assert told in done.sentence


def test_a_bound_needs_a_larger_model(run: Run, answers: Path) -> None:
    """There is nobody to escalate to."""
    done = stored(run, answers, "--at-most", "50", larger=False)
    assert done.code == 2
    assert "--larger FILE, or --send-to-org" in done.sentence


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Sixty lines, half of which the local model gets right."""
    root = tmp_path / "repository"
    root.mkdir()
    for number in range(30):
        (root / f"m{number}.py").write_text(f"value = compute(1)\nother_{number} = compute(2)\n")
    (root / "credentials.py").write_text("value = compute(1)\n")
    return root


def test_a_repository_is_answered_by_the_local_model_alone(
    run: Run, repository: Path, tmp_path: Path
) -> None:
    """The organisation's server is asked nothing, not even for its models."""
    local, org = ModelServer(text="value = compute(1)\n"), ModelServer()
    with serving(local), serving(org):
        done = run(
            "calibrate", "--repo", repository, "--json", "--precision", "0.5",
            env=environment(local) | {"SYNCONFROUTE_ORG_URL": org.url},
        )  # fmt: skip
    (found,) = json.loads(done.out)
    assert (found["tasks"], found["precision"]) == (60, 0.5)
    assert org.asked == []
    assert "--send-to-org" in done.err
    prompts = [body["prompt"] for body in local.bodies if "fim_prefix" in body.get("prompt", "")]
    assert len(prompts) == 60
    assert list(tmp_path.rglob("ledger")) == []


def test_with_leave_the_organisations_model_is_asked_too(
    run: Run, repository: Path, home: Path
) -> None:
    """Count and address are told first, and each request has its line in the ledger."""
    local, org = ModelServer(text="value = compute(1)\n"), ModelServer(text="value = compute(1)\n")
    with serving(local), serving(org):
        done = run(
            "calibrate", "--repo", repository, "--json", "--send-to-org",
            env=environment(local) | {"SYNCONFROUTE_ORG_URL": org.url},
        )  # fmt: skip
    (found,) = json.loads(done.out)
    assert found["pass_at_1"] == 0.5
    assert f"60 prompts go to {org.url}" in done.err
    assert org.asked.count(("POST", "/v1/completions")) == 60
    lines = sent(home)
    assert len(lines) == 60
    assert {Path(line["path"]).parent for line in lines} == {repository}


def test_a_calibration_goes_on_where_it_stopped(run: Run, repository: Path, tmp_path: Path) -> None:
    """Answers that are kept are not asked for again."""
    local = ModelServer(text="value = compute(1)\n")
    with serving(local):
        for _ in range(2):
            done = run(
                "calibrate", "--repo", repository, "--keep", tmp_path / "kept",
                "--precision", "0.5", "--json", env=environment(local),
            )  # fmt: skip
            assert done.code == 0, done.err
    asked = [body for body in local.bodies if "fim_prefix" in body.get("prompt", "")]
    assert len(asked) == 60
    (repository / "m0.py").write_text("value = compute(1)\nother = compute(3)\n")
    with serving(local):
        done = run(
            "calibrate", "--repo", repository, "--keep", tmp_path / "kept", env=environment(local)
        )
    assert done.code == 1
    assert "was begun with tasks" in done.err


def test_a_benchmark_is_answered_and_executed(run: Run, answers: Path) -> None:
    """As many tasks as were asked for, each answer run with its tests."""
    local = ModelServer(text="    return b + a\n")
    with serving(local):
        done = run(
            "calibrate", "--data", answers, "--sample", "50", "--json", env=environment(local)
        )
    (found,) = json.loads(done.out)
    assert (found["tasks"], found["precision"], found["threshold"]) == (50, 1.0, 0.0)
    assert found["what"] == "of humaneval-single-line, executed"


def test_the_repositorys_own_tests_judge(run: Run, tmp_path: Path) -> None:
    """Their cost is told first; a line that they do not notice must be the very one."""
    root = tmp_path / "tested"
    root.mkdir()
    (root / "m.py").write_text("".join(f"name_{each} = compute({each})\n" for each in range(50)))
    local = ModelServer(text="name_7 = compute(7)\n")
    with serving(local):
        done = run(
            "calibrate", "--repo", root, "--tests", "test -f m.py", "--precision", "0.01",
            "--json", env=environment(local),
        )  # fmt: skip
    (found,) = json.loads(done.out)
    assert (found["tasks"], found["precision"]) == (50, 0.02)
    assert "The tests take" in done.err
    assert (root / "m.py").read_text().count("\n") == 50


def environment(local: ModelServer) -> dict[str, str]:
    """The settings that make this the local model."""
    return {"SYNCONFROUTE_LOCAL_PROVIDER": "openai", "SYNCONFROUTE_LOCAL_URL": local.url}

"""`synconfroute plan` as a process: from given and from counted rates, and measuring a server."""

import json
from datetime import date
from pathlib import Path

import pytest

from benchmarks.processes import scripted_model
from synconfroute.evaluation.capacity.profile import Profile, read_profile, write_profile
from synconfroute.server.completion.counts import Event, Rows, Source
from synconfroute.server.completion.day_files import add_days
from tests.server.command.conftest import Done, Run

PROFILE = Profile("mine", True, 8, ((1, 10.0), (8, 20.0)), 0.05, 2.0, kv_tokens=50_000)
QUICK = ("--seeds", "2", "--requests", "200")


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    """A measured profile."""
    file = tmp_path / "p.json"
    write_profile(file, PROFILE)
    return file


def test_given_rates_make_a_plan(run: Run, profile: Path, tmp_path: Path) -> None:
    """In words, with what it assumes, and as a page that needs nothing else."""
    page = tmp_path / "plan.html"
    done = run(
        "plan", "--developers", "300", "--profile", profile, "--page", page, "--gpus", "2", *QUICK
    )
    assert done.code == 0, done.err
    assert done.err == ""
    assert "300 developers ask 10 times a second in the busiest hour; 42% of that" in done.out
    assert "everything sent there" in done.out
    assert "Where this stops being valid:" in done.out
    assert "42% escalate, as in the paper" in " ".join(done.out.split())
    assert all(len(line) <= 110 for line in done.out.splitlines())
    drawn = page.read_text(encoding="utf-8")
    assert drawn.count("<svg") == 2
    assert "<script" not in drawn
    assert 'href="http' not in drawn


def test_json_holds_the_plan_and_its_question(run: Run, profile: Path) -> None:
    """Numbers of both ways, of fewer and more replicas, and each doubt."""
    done = run(
        "plan", "--developers", "200", "--profile", profile, "--sensitivity", "--json",
        "--escalation-share", "0.5", "--set", "escalation.deadline_ms=3000", *QUICK,
    )  # fmt: skip
    found = json.loads(done.out)
    assert found["demand"]["workload"]["escalated"] == 0.5
    assert found["demand"]["sources"]["escalated"] == "given"
    assert found["demand"]["sources"]["peak"] == "assumed"
    assert found["routed"]["replicas"] <= found["everything"]["replicas"]
    assert found["routed"]["found"]["p95_ms"]["mean"] <= 2_000
    assert {each["by"] for each in found["shifted"]} == {0.75, 1.25}
    assert found["doubts"]


def test_counted_rates_make_a_plan(run: Run, profile: Path, tmp_path: Path) -> None:
    """A folder a developer; what is given beside them counts more."""
    source = Source("local", "m", "python", "kept", "valid")
    sent = Source("org", "m", "python", "low_confidence", "valid")
    for name in ("one", "two"):
        rows: Rows = {source: {Event.ASKED: 300}, sent: {Event.ASKED: 100, Event.SENT: 100}}
        add_days({date(2026, 11, 3): rows}, tmp_path / name)
    done = run(
        "plan", "--stats", tmp_path / "one", tmp_path / "two", "--developers", "50",
        "--profile", profile, "--json", *QUICK,
    )  # fmt: skip
    demand = json.loads(done.out)["demand"]
    assert demand["workload"]["developers"] == 50
    assert demand["workload"]["requests_per_hour"] == 50
    assert demand["workload"]["escalated"] == 0.25
    assert demand["sources"]["escalated"] == "counted"
    assert demand["days"] == 2


def test_a_target_that_no_number_keeps_is_a_failure(run: Run, profile: Path) -> None:
    """With what to change; the exit code tells a script."""
    done = run("plan", "--developers", "20", "--profile", profile, "--p95-ms", "50", *QUICK)
    assert done.code == 1
    assert "No number of replicas keeps a p95 of 50 ms" in done.out


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("plan",), 2, "Say how many developers there are"),
        (("plan", "--developers", "0"), 2, "give a whole number from 1"),
        (("plan", "--developers", "9", "--escalation-share", "1.5"), 2, "from 0 to 1"),
        (("plan", "--developers", "9", "--peak", "nan"), 2, "give a number from 1"),
        (("plan", "--stats", "nowhere"), 1, "No completions were counted there yet"),
        (("plan", "--developers", "9", "--profile", "none.json"), 1, "none.json cannot be read"),
        (("plan", "--measure", "https://elsewhere.example/v1"), 2, "nothing was sent"),
        (("plan", "--measure", "http://127.0.0.1:9", "--yes", "--out", "p"), 1, "9"),
        (("plan", "--developers", "1000000", "--requests-per-hour", "9999"), 1, "multiply"),
    ],
)
def test_what_cannot_be_is_told(
    run: Run, arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    """In one sentence that says what to do, and no traceback."""
    done: Done = run(*arguments)
    assert done.code == code
    assert sentence in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_a_missing_simpy_is_told_in_one_sentence(run: Run, tmp_path: Path) -> None:
    """With the command that installs it."""
    (tmp_path / "simpy.py").write_text("raise ImportError\n")
    program = ("-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r});"
               "from synconfroute.__main__ import main; sys.exit(main())")  # fmt: skip
    done = run("plan", "--developers", "9", program=program)
    assert done.code == 1
    assert done.sentence == "The simulation needs simpy: pip install 'synconfroute[plan]'."


def test_a_server_is_measured_only_when_somebody_agrees(run: Run, tmp_path: Path) -> None:
    """What will be sent is said first; without --yes and without a terminal nothing is."""
    with scripted_model("vllm", first_ms=5, next_ms=3, endless=True) as model:
        asked = ("plan", "--measure", model.url, "--most-at-once", "2", "--out", tmp_path / "p")
        refused = run(*asked)
        assert refused.code == 2
        assert "16 answers of made-up lists" in refused.err
        assert "Nothing was sent" in refused.err
        assert model.over() == []
        done = run(*asked, "--yes")
        assert done.code == 0, done.err
        generated = model.over()
    profile = read_profile(tmp_path / "p")
    assert len(generated) == 16
    assert profile.measured
    assert [batch for batch, _ in profile.step_ms] == [1, 2]
    assert profile.prompt_tokens is not None
    assert "vLLM 0.32.0 at http://127.0.0.1" in profile.name
    assert f"Written to {tmp_path / 'p'}" in done.out

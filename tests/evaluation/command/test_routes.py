"""`synconfroute eval routes`: the documented JSON, the scores, the table."""

import json
from pathlib import Path

import pytest

from tests.evaluation.command.conftest import COUNT
from tests.evaluation.generation.functions import tasks
from tests.server.command.conftest import Run

OFFLINE = {"PIP_NO_INDEX": "1"}
"""No test fetches the embedding model: what needs it is left out."""

NAMES = [
    "always-local", "always-larger", "oracle", "confidence", "cascade", "static", "synconfroute",
    "evidence", "score",
]  # fmt: skip


def write(file: Path, right: list[bool], sure: list[float], passed: bool | None = None) -> Path:
    """Answers as `eval run` writes them, `passed` known for the first half only if asked."""
    rows = [
        {
            "task_id": task.id,
            "text": "    return a + b\n" if ok else "    return a - b\n",
            "tokens": [["    ", logprob], ["return", logprob], [" a", logprob], ["\n", 0.0]],
            "secs": 1.0,
            "passed": None if passed is None else ok,
        }
        for task, ok, logprob in zip(tasks(COUNT), right, sure, strict=True)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def files(data: Path, tmp_path: Path) -> tuple[str | Path, ...]:
    """The local model is right on even tasks and sure of them, the larger one on three of four."""
    even = [number % 2 == 0 for number in range(COUNT)]
    local = write(tmp_path / "local.jsonl", even, [-0.05 if ok else -1.5 for ok in even])
    most = [number % 4 != 0 for number in range(COUNT)]
    larger = write(tmp_path / "larger.jsonl", most, [-0.1] * COUNT, passed=True)
    return ("--data", data, "--local", local, "--larger", larger)


def test_the_json_that_scripts_rely_on(
    run: Run, files: tuple[str | Path, ...], tmp_path: Path
) -> None:
    """Every strategy with its figures and its curve; from the scores the curve can be rebuilt."""
    out, numbers = tmp_path / "scores.jsonl", tmp_path / "numbers.json"
    done = run("eval", "routes", *files, "--json", "--out", out, "--numbers", numbers, env=OFFLINE)
    assert done.code == 0, done.err
    assert "Without knn, combined and eagle" in done.sentence
    found = json.loads(done.out)
    rows = {row["name"]: row for row in found["strategies"]}
    assert list(rows) == list(found["curves"]) == NAMES
    for row in rows.values():
        low, high = row["ci95"]
        assert low <= row["pass_at_1"] <= high
        assert row["false_rejections"] <= row["false_escalations"]
        assert row["cost"] == pytest.approx(1 - row["local_share"])
    assert rows["always-local"]["pass_at_1"] == 0.5
    assert rows["always-larger"]["pass_at_1"] == 0.75
    assert rows["oracle"]["pass_at_1"] == 1.0
    assert rows["oracle"]["threshold"] is None
    assert rows["confidence"]["pass_at_1"] == 1.0
    assert 0.0 <= rows["confidence"]["threshold"] <= 1.0
    assert found["claims"] == {
        "synconfroute_at_least_confidence": True,
        "worse_at": [],
        "no_right_answer_rejected": True,
        "rejected": [],
    }
    scores = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(scores) == COUNT * len(NAMES)
    _check_curve(found["curves"]["score"], [row for row in scores if row["strategy"] == "score"])
    (fitted,) = json.loads(numbers.read_text("utf-8"))
    assert fitted["language"] == "python"
    assert fitted["weights"]
    assert min(fitted["weights"].values()) > 0


def _check_curve(curve: list[list[float]], rows: list[dict[str, object]]) -> None:
    """Rank by score, keep the top share."""
    assert [share for share, _ in curve] == [index / 100 for index in range(101)]
    by_score: dict[float, list[dict[str, object]]] = {}
    for row in rows:
        by_score.setdefault(float(str(row["score"])), []).append(row)
    kept = gained = 0
    for score in sorted(by_score, reverse=True):
        kept += len(by_score[score])
        gained += sum(bool(r["local_right"]) - bool(r["larger_right"]) for r in by_score[score])
        larger = sum(bool(row["larger_right"]) for row in rows)
        exact = [quality for share, quality in curve if round(share * COUNT) == kept]
        assert exact
        assert any(
            quality == pytest.approx((larger + gained) / COUNT, abs=1e-5) for quality in exact
        )


def test_the_table_and_the_papers_split(run: Run, files: tuple[str | Path, ...]) -> None:
    """One line a strategy, and what holds of the paper's claims, also with its own validator."""
    done = run(
        "eval", "routes", *files, "--protocol", "paper", "--validator", "paper",
        "--text", "cleaned", "--gates", env=OFFLINE,
    )  # fmt: skip
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    for name in NAMES:
        assert any(line.startswith(name) for line in lines)
    for gate in ("lint", "types", "agreement"):
        assert any(line.startswith(f"{gate} ") for line in lines)
    assert "Held: no right local answer rejected." in lines


def test_files_without_a_common_task_are_refused(
    run: Run, files: tuple[str | Path, ...], tmp_path: Path
) -> None:
    """One sentence names both files."""
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    done = run("eval", "routes", *files[:4], "--larger", empty)
    assert done.code == 1
    assert "no task in common" in done.sentence


def test_a_task_that_one_file_lacks_is_left_out_and_said_so(
    run: Run, files: tuple[str | Path, ...]
) -> None:
    """Only tasks that both models answered are compared."""
    larger = Path(files[5])
    larger.write_text("".join(larger.read_text().splitlines(keepends=True)[5:]))
    done = run("eval", "routes", *files, "--json", env=OFFLINE)
    assert done.code == 0
    assert "5 answers are left out" in done.err
    assert json.loads(done.out)["tasks"] == COUNT - 5

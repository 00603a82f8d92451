"""`synconfroute eval robustness`: the documented JSON, and what people read."""

import json
from pathlib import Path

from tests.evaluation.command.test_routes import files, write
from tests.server.command.conftest import Run

__all__ = ["files", "write"]


def test_thresholds_elsewhere(run: Run, files: tuple[str | Path, ...]) -> None:
    """Tried on the same tasks nothing is lost; too few tasks for sizes are complained of."""
    there = ("--on-local", files[3], "--on-larger", files[5])
    done = run("eval", "robustness", *files, *there, "--json")
    assert done.code == 0, done.err
    assert "40 tasks are too few" in done.sentence
    found = json.loads(done.out)
    assert (found["tasks"], found["sizes"]) == (40, [])
    (split,) = found["transfer"]
    assert (split["split"], split["tasks"]) == ("humaneval-single-line", 40)
    assert (split["local"]["value"], split["larger"]["value"]) == (0.5, 0.75)
    by_name = {rule["rule"]: rule for rule in split["rules"]}
    assert list(by_name) == ["confidence", "synconfroute", "evidence", "score"]
    assert by_name["confidence"]["moved"]["pass_at_1"]["value"] == 1.0
    assert by_name["synconfroute"]["over_paper"]["value"] == 0.0
    done = run("eval", "robustness", *files, *there, "--at-most", "25")
    assert "humaneval-single-line, 40 tasks: always local 50.0%" in done.out


def test_the_other_benchmark_needs_both_models(run: Run, files: tuple[str | Path, ...]) -> None:
    """One sentence."""
    done = run("eval", "robustness", *files, "--on-local", files[3])
    assert done.code == 2
    assert "Give both models' answers" in done.sentence

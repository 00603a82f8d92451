"""The ten holes: their checks tell right from wrong, and the starter model fills most of them."""

from dataclasses import replace

import pytest

from benchmarks.holes import Task, answers, ten_holes
from synconfroute.server.settings.tree import Limits, Local, Settings
from tests.clients.engine import conftest as engine_fixtures

libraries = engine_fixtures.libraries
shared_engine = engine_fixtures.shared_engine
starter_weights = engine_fixtures.starter_weights


@pytest.mark.parametrize("task", [pytest.param(task, id=task.name) for task in ten_holes()])
def test_the_checks_tell_right_from_wrong(task: Task) -> None:
    """The author's text is right; leaving the hole empty is not."""
    if not task.checkable:
        pytest.skip(f"{task.hole.language} programs cannot be run here: its compiler is missing")
    assert task.right(task.truth)
    assert not task.right("")


def test_there_are_ten() -> None:
    """Six in Python, two in Java, two in C++."""
    languages = [task.hole.language for task in ten_holes()]
    assert sorted(languages) == ["cpp"] * 2 + ["java"] * 2 + ["python"] * 6


@pytest.mark.engine
@pytest.mark.usefixtures("shared_engine")
async def test_the_starter_model_fills_seven_of_ten() -> None:
    """The whole way with the real engine and parsers; what is shown is run."""
    tasks = [task for task in ten_holes() if task.checkable]
    if len(tasks) < 10:
        pytest.skip("the programs of some holes cannot be run here: g++ or javac is missing")
    patient = Limits(local_deadline_ms=120_000, validation_ms=10_000)
    settings = replace(Settings(), local=Local(provider="embedded"), limits=patient)
    shown = [answer.text for answer in await answers(tasks, settings)]
    right = [text is not None and task.right(text) for task, text in zip(tasks, shown, strict=True)]
    assert sum(right) >= 7, shown

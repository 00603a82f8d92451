"""A level's answers, with what it weighs."""

import asyncio
from pathlib import Path

import pytest

from synconfroute.clients import engine
from synconfroute.errors import EvaluationError, ServerUnreachable
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import NONE
from synconfroute.evaluation.generation.model_name import ModelName
from synconfroute.evaluation.generation.plan import Draw, Plan
from synconfroute.evaluation.predictions import Prediction, read_predictions
from synconfroute.evaluation.quantization import answering
from synconfroute.evaluation.quantization.answering import answer_level, weight_of
from synconfroute.server.settings.tree import Settings
from tests.evaluation.generation.functions import answer, task, tasks

BENCH = "humaneval-single-line"
MODEL = ModelName("openai", "a")


class Scripted:
    """A session that answers some tasks and then fails."""

    left = 0

    def __init__(self, *_: object) -> None:
        """Ask nothing."""

    async def ask(self, to: Task) -> Prediction:
        """The right answer, while there is one."""
        if not Scripted.left:
            raise ServerUnreachable("Nobody answers.")
        Scripted.left -= 1
        return answer(to)

    async def aclose(self) -> None:
        """Nothing to close."""


def test_a_level_that_was_interrupted_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was answered is kept and not asked again; all is executed when all are there."""
    monkeypatch.setattr(answering, "Session", Scripted)
    plan = Plan(Draw(Path("data"), BENCH), Conditions(), tuple(tasks(3)), {BENCH: NONE})
    file = tmp_path / "level.jsonl"
    executed: list[str] = []

    def execute(pairs: list[tuple[Task, str]]) -> list[bool]:
        executed.extend(to.id for to, _ in pairs)
        return [True] * len(pairs)

    def run() -> list[Prediction]:
        record = plan.record(MODEL, file)
        return asyncio.run(
            answer_level(plan, MODEL, Settings(), record, execute, lambda: None)  # type: ignore[arg-type]
        )

    Scripted.left = 2
    with pytest.raises(EvaluationError, match=r"Nobody answers \(2 of 3 answers are in"):
        run()
    assert executed == []
    assert len(list(read_predictions(file))) == 2
    Scripted.left = 1
    assert [each.passed for each in run()] == [True] * 3
    assert executed == [task(number).id for number in range(3)]


def test_what_a_model_weighs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The built-in engine's file and memory; of another server nothing is known."""
    file = tmp_path / "tiny.gguf"
    file.write_bytes(b"GGUF" * 25)
    state = engine.EngineStatus(running=True, path=file, memory_megabytes=1.5)
    monkeypatch.setattr(engine, "status", lambda: state)
    embedded = ModelName("embedded", str(file))
    assert weight_of(embedded) == {"weights_bytes": 100, "engine_bytes": 1_500_000}
    assert weight_of(MODEL) == {}
    monkeypatch.setattr(engine, "status", lambda: engine.EngineStatus(running=False))
    assert weight_of(embedded) == {}

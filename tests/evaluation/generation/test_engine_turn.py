"""One embedded model after the other."""

import pytest

from synconfroute.clients import engine
from synconfroute.evaluation.generation.engine_turn import engine_turn
from synconfroute.evaluation.generation.model_name import ModelName


@pytest.mark.parametrize(
    ("provider", "ran", "stopped"),
    [("embedded", False, 1), ("embedded", True, 0), ("ollama", False, 0)],
)
def test_only_an_engine_that_was_started_for_it_ends(
    monkeypatch: pytest.MonkeyPatch, provider: str, stopped: int, *, ran: bool
) -> None:
    """One that an editor's window uses goes on; other servers are none of it."""
    stops: list[bool] = []
    monkeypatch.setattr(engine, "status", lambda: engine.EngineStatus(running=ran))
    monkeypatch.setattr(engine, "stop", lambda: stops.append(True))
    with engine_turn(ModelName(provider, "a")):
        assert stops == []
    assert len(stops) == stopped

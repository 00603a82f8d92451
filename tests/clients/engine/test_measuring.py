"""How fast a machine evaluates prompts: measured at the start, and again when it is quiet."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from synconfroute.clients.engine import process
from synconfroute.clients.engine.state import EngineState, known_speed, note_speed, write_state

STATE = EngineState(pid=1, process_created=0.0, model="m.gguf", started=0.0)


class Server:
    """Evaluates prompts at a speed."""

    def __init__(self, speed: float) -> None:
        self.speed = speed
        self.asked = 0

    def handle_completions(self, _: dict[str, Any]) -> dict[str, Any]:
        """An answer with its timings."""
        self.asked += 1
        return {"timings": {"prompt_per_second": self.speed}}


@pytest.fixture
def quiet(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home, and an engine that is quiet at once."""
    monkeypatch.setattr(process, "_QUIET_SECONDS", 0.0)


@pytest.mark.parametrize(
    ("start", "later", "known", "asked"),
    [(40.0, 160.0, 160.0, 2), (40.0, 10.0, 40.0, 2), (900.0, 1000.0, 900.0, 0)],
)
def test_a_slow_start_is_measured_again_in_a_quiet_moment(
    quiet: None, start: float, later: float, known: float, asked: int
) -> None:
    """Once, by two short prompts; a machine that is fast enough is left alone."""
    state = replace(STATE, prefill_speed=note_speed(Path(STATE.model), start))
    write_state(state)
    server = Server(later)
    process._wait_until_idle(state, 0.3, threading.Event(), server)
    assert known_speed(Path(STATE.model)) == known
    assert server.asked == asked

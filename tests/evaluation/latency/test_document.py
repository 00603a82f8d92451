"""The file of a measurement of latency."""

import json
from pathlib import Path

import pytest

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.latency.document import (
    Measured,
    ModelLatency,
    Spread,
    Timed,
    read_latency,
    write_latency,
)
from synconfroute.evaluation.machine import Load, Machine

SPREAD = Spread(0.41, 0.75, (0.37, 0.46))


def measured(*, speed: Spread | None = SPREAD) -> Measured:
    """One model, one answer."""
    model = ModelLatency(
        provider="ollama",
        model="qwen2.5-coder:0.5b",
        server="Ollama 0.33.0",
        device=None,
        n=1,
        refused=0,
        seconds=SPREAD,
        first_token=SPREAD,
        third_token=SPREAD,
        tokens_per_second=speed,
        prompt_tokens=SPREAD,
        prompt_tokens_by="estimate",
        answers=(Timed("bench", "é", "function", 0.4, 0.2, 0.3, 11, 143),),
    )
    return Measured(
        made="2026-11-30T06:00:00+00:00",
        version="0.1.0",
        machine=Machine("a processor", None, 2, 8 * 2**30, "Linux 6"),
        load_before=Load(0.1, 0.02),
        load_after=Load(1.9, 0.03),
        bench="humaneval-single-line",
        sample=1,
        seed=42,
        profile="live",
        prompt="fim",
        shots=0,
        models=(model,),
    )


@pytest.mark.parametrize("speed", [SPREAD, None])
def test_what_is_written_is_read_again(tmp_path: Path, speed: Spread | None) -> None:
    """All of it, also what is not known."""
    file = tmp_path / "latency.json"
    write_latency(file, measured(speed=speed))
    assert read_latency(file) == measured(speed=speed)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 2}'])
def test_another_file_is_refused(tmp_path: Path, content: str) -> None:
    """One sentence names the file and the command that writes one."""
    file = tmp_path / "other.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"other.json is no file of .*eval latency"):
        read_latency(file)


def test_a_file_of_a_later_format_is_refused(tmp_path: Path) -> None:
    """What its numbers mean may have changed."""
    file = tmp_path / "latency.json"
    write_latency(file, measured())
    row = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(row | {"format": row["format"] + 1}), encoding="utf-8")
    with pytest.raises(EvaluationError, match="another version"):
        read_latency(file)

"""A short run of what `python tests/fuzz/lsp.py` runs at length, with seeds that found faults."""

from pathlib import Path

import pytest

from tests.fuzz.lsp import fuzz
from tests.fuzz.script import Script

SEEDS = (
    (1, 0),  # a message too long by its header; `initialized` as a request, never answered
    (6, 1),  # an answer under the id of a request that the client itself is waiting for
)


@pytest.mark.parametrize(("seed", "session"), SEEDS)
def test_no_message_crashes_hangs_or_costs_a_document(
    seed: int, session: int, tmp_path: Path
) -> None:
    """Valid, damaged and reordered messages: every request is answered, every text kept."""
    tally = fuzz(600, seed, tmp_path / "faults", first=session)
    assert not tally.faults, [file.read_text()[:300] for file in (tmp_path / "faults").iterdir()]
    assert tally.answers > 100


def test_a_session_follows_from_its_seed() -> None:
    """So that a fault can be had again."""
    one, other = (
        [batch.pieces for batch in Script(5, 2).batches(500)] for _ in range(2)
    )  # fmt: skip
    assert one == other
    assert one != [batch.pieces for batch in Script(6, 2).batches(500)]

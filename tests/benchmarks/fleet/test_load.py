"""Ten editors before one scripted vLLM: nothing lost, whatever befalls it. No times are held."""

import asyncio
from dataclasses import replace

import pytest

from benchmarks.fleet.extent import QUICK
from benchmarks.fleet.findings import figures, sentences
from benchmarks.fleet.load import run

pytestmark = pytest.mark.timeout(180)

SMALL = replace(
    QUICK, sessions=10, every=1.0, lines=60, steady=3.0, busy=3.0, stalled=6.0, down=2.0,
    recovery=3.0, paces=(0.7,), step=2.0, alone=2.0,
)  # fmt: skip


def test_nothing_is_lost_before_a_vllm_in_trouble() -> None:
    """Every request has an answer, every one that reached the vLLM its line, documents agree."""
    found = asyncio.run(run(SMALL))
    kept = found.kept
    assert kept.asked >= 10 * 15
    assert kept.reached > 0
    assert (kept.unanswered, kept.without_line, kept.unequal, kept.whole) == (0, 0, 0, True)
    assert kept.lost == 0
    assert found.calm.org.count > 0
    assert found.calm.local.count > 0
    assert found.calm.fair.shown == pytest.approx(1.0, abs=0.05)
    assert found.calm.memory.processes == 1
    assert {each.kind for each in found.troubles} == {"busy", "stalled", "down"}
    busy = next(each for each in found.troubles if each.kind == "busy")
    assert 0 < busy.reached <= 10
    assert busy.shown == 1.0
    assert found.rates[0].per_second > 0
    assert found.rates[0].unanswered == found.alone.unanswered == 0
    assert found.alone.added.count > 0
    assert {"kept", "low_confidence"} <= set(found.reasons)
    assert sum(found.reasons.values()) >= kept.asked
    assert len(list(sentences(found))) >= 12
    rows = {row.what: row for row in figures(found)}
    assert rows["fleet: lost"].kept is True

"""A short run of what `python tests/soak/run.py` runs at length."""

from pathlib import Path

from tests.soak.run import Soaked, soak


def test_what_left_is_in_the_ledger_though_servers_are_killed(tmp_path: Path) -> None:
    """Each request that the organisation's server was asked has its line; the ledger is whole."""
    soaked = soak(75, 2, seed=1, folder=tmp_path)
    soaked.memory.clear()  # so short a run is all warming up
    assert soaked.wrong() == []
    assert soaked.seen > 0
    assert soaked.kills == 2


def test_each_failure_is_told() -> None:
    """The run can fail: by a fault, a missing line, a broken ledger, growing memory or handles."""
    grown = [*[50 << 20] * 10, *[90 << 20] * 10]
    bad = Soaked(
        memory=grown, handles=[20] * 10 + [60] * 10, without_line=1, not_told=1, broken="x"
    )
    bad.faults.append("crash: x")
    assert len(bad.wrong()) == 6
    assert Soaked(memory=[50 << 20] * 20, handles=[20] * 20).wrong() == []

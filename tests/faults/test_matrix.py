"""Each row of the table: what is shown, why, what the user is told, and that it heals."""

from pathlib import Path

import pytest

from synconfroute.server.completion.ledger.verification import verify
from tests.faults.bench import LONG_S, Bench, as_told, servers_for
from tests.faults.servers import CERTIFICATES, LOCAL_TEXT, ORG_TEXT
from tests.faults.table import LOCAL, NOTHING, ROWS, Row
from tests.ledger_lines import lines_in

_ASKED = 3
_LEFT_ALONE = {"refused_breaker", "late", "error"}
"""Where a server is not asked again before its pause is over."""
_PATIENCE = 20
"""So many requests may pass until all is well: machines are busy, and some deadlines short."""


@pytest.fixture(autouse=True)
def _trusted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Certificates of the tests' own authority are trusted."""
    assert home.is_dir()
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATES / "authority.pem"))


def test_the_matrix_is_large_and_its_rows_have_names_of_their_own() -> None:
    """Forty faults or more; at least a third of them against the real server process, too."""
    assert len(ROWS) >= 40
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert sum(row.served for row in ROWS) * 3 >= len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=str)
async def test_a_fault_costs_no_more_than_it_must_and_heals(row: Row, tmp_path: Path) -> None:
    """Three requests while it lasts; then the next answer comes, and nothing was restarted."""
    ledger, notices = tmp_path / "ledger", list[str]()
    if row.who == "machine":
        ledger.write_text("in the way")
    async with servers_for(row) as servers:
        bench = Bench(await servers.break_down(), ledger, notices)
        answers = [await bench.ask()]
        asked = len(servers.wrong.asked)
        answers += [await bench.ask() for _ in range(_ASKED - 1)]
        if (row.then or row.reason) in _LEFT_ALONE:
            assert len(servers.wrong.asked) == asked
        shown = {LOCAL: LOCAL_TEXT, NOTHING: None}.get(row.shown, ORG_TEXT)
        if row.name == "org_another_model":
            assert {answer.provenance.model for answer in answers} == {"another-model"}
            shown = "a + 1"
        assert [answer.text for answer in answers] == [shown] * _ASKED
        reasons = [answer.provenance.reason.value for answer in answers]
        assert reasons == [row.reason, *[row.then or row.reason] * (_ASKED - 1)]
        told = as_told(row, servers.address, ledger)
        assert [notice for notice in notices if told.fullmatch(notice) is None] == []
        assert len(notices) == bool(row.says)
        status = bench.statuses[-1]
        assert status["kind"] == row.kind
        if row.kind != "Normal":
            assert told.search(f"{status['message']} {status['detail']}")
        if row.shown == NOTHING:
            assert servers.org.prompts == 0  # code never leaves for want of a local model

        if row.who == "machine":
            ledger.unlink()
        settings = await servers.heal()
        if settings is not None:
            await bench.aclose()
            bench = Bench(settings, ledger, notices)
        for _ in range(_PATIENCE):
            bench.now += LONG_S
            healed = await bench.ask()
            if healed.text == ORG_TEXT:
                break
        assert (healed.text, healed.provenance.problem) == (ORG_TEXT, "")
        assert (bench.statuses[-1]["kind"], bench.statuses[-1]["tier"]) == ("Normal", "org")
        assert len(notices) == bool(row.says)
        await bench.aclose()
        assert len(lines_in(ledger.glob("*.jsonl"), "sent")) >= servers.org.prompts
    assert verify(ledger).breaks == ()

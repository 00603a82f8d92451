"""What the counts of days come to."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.counts import BOUNDS_MS, NAMES, Event, Rows, Source, Wait, cell
from synconfroute.server.completion.day_files import History
from synconfroute.server.completion.summary import percentile, summarise

DAY = date(2026, 11, 30)
LOCAL = Source("local", "small", "python", "kept", "valid")
OTHER = Source("local", "small", "java", "kept", "unknown")
ORG = Source("org", "large", "python", "invalid", "valid")
NOTHING = Source("", "small", "python", "empty", "")


def history(*days: Rows) -> History:
    """Numbers of days in a row."""
    return History({DAY + timedelta(days=count): rows for count, rows in enumerate(days)}, ())


def test_days_add_up_and_shares_are_of_all() -> None:
    """Over sources and days; tokens of what was never given to an editor are thrown away."""
    summary = summarise(
        history(
            {
                LOCAL: {"asked": 6, "shown": 4, "accepted": 1, "generated": 60, "used": 40},
                NOTHING: {"asked": 2, "generated": 2},
            },
            {
                LOCAL: {"shown": 4, "accepted": 1, "kept": 1, "partly": 1, "further": 1},
                ORG: {"asked": 2, "sent": 2, "shown": 2, "accepted": 2, "kept": 1, "gone": 1},
            },
        )
    )
    assert (summary.days, summary.first_day, summary.last_day) == (2, "2026-11-30", "2026-12-01")
    total = summary.total
    assert (total.requests, total.sent, summary.kept_local) == (10, 2, 0.8)
    assert (total.shown, total.accepted, total.acceptance) == (10, 4, 0.4)
    assert (total.partly_accepted, summary.accepted_further) == (1, 1)
    assert (total.kept, total.gone, total.still_there) == (2, 1, 0.6667)
    assert (total.tokens_generated, total.tokens_thrown_away) == (62, 22)


def test_what_has_something_in_common_stands_together() -> None:
    """By each of several things, those shown most first; days in order."""
    summary = summarise(
        history(
            {LOCAL: {"shown": 2}, OTHER: {"shown": 4}, ORG: {"shown": 3}, NOTHING: {"asked": 9}}
        )
    )
    assert {
        dimension: [(row.name, row.shown, row.requests) for row in rows]
        for dimension, rows in summary.by.items()
    } == {
        "tier": [("local", 6, 0), ("org", 3, 0), ("none", 0, 9)],
        "reason": [("kept", 6, 0), ("invalid", 3, 0), ("empty", 0, 9)],
        "verdict": [("valid", 5, 0), ("unknown", 4, 0), ("none", 0, 9)],
        "language": [("python", 5, 9), ("java", 4, 0)],
        "model": [("small", 6, 9), ("large", 3, 0)],
        "decision": [
            ("local, kept, unknown", 4, 0),
            ("org, invalid, valid", 3, 0),
            ("local, kept, valid", 2, 0),
            ("none, empty, none", 0, 9),
        ],
        "day": [("2026-11-30", 9, 9)],
    }


def test_waits_for_models_and_for_memory_are_apart() -> None:
    """And those for the organisation's from those for the local one."""
    summary = summarise(
        history(
            {
                LOCAL: {cell(Wait.MODEL, 120): 10, cell(Wait.MEMORY, 0.4): 90},
                ORG: {cell(Wait.MODEL, 800): 1, cell(Wait.MEMORY, 2.5): 10},
            }
        )
    )
    assert {name: waits.count for name, waits in summary.waits.items()} == {
        "local": 10,
        "org": 1,
        "memory": 100,
    }
    assert summary.waits["local"].p50 == 125.0
    assert summary.waits["org"].p95 == 985.0
    assert summary.waits["memory"].p50 == pytest.approx(0.6)
    assert summary.wait_counts == {
        "local": ((150, 10),),
        "org": ((1000, 1),),
        "memory": ((1, 90), (3, 10)),
    }
    (local, org) = summary.by["tier"]
    assert (local.waits.count, org.waits.count) == (10, 1)


def test_what_was_asked_for_ahead_is_counted_apart() -> None:
    """Its tokens are among the others, too."""
    numbers = {
        Event.AHEAD: 5,
        Event.AHEAD_USED: 3,
        Event.AHEAD_GENERATED: 50,
        Event.AHEAD_USED_TOKENS: 30,
        Event.GENERATED: 80,
        Event.USED: 55,
    }
    summary = summarise(history({LOCAL: {str(name): count for name, count in numbers.items()}}))
    ahead = summary.ahead
    assert (ahead.asked, ahead.used) == (5, 3)
    assert (ahead.tokens_generated, ahead.tokens_thrown_away) == (50, 20)
    assert summary.total.tokens_thrown_away == 25


def test_of_nothing_nothing_is_said() -> None:
    """No share is made up."""
    summary = summarise(History({}, ("2026-11-30.json",)))
    assert (summary.days, summary.first_day, summary.last_day) == (0, None, None)
    assert summary.kept_local is None
    assert summary.total.acceptance is None
    assert summary.waits["local"].p50 is None
    assert all(rows == () for rows in summary.by.values())
    assert summary.unreadable == ("2026-11-30.json",)


def test_days_stand_in_order_with_their_own_shares() -> None:
    """Whichever file was read first; of each its interval by Wilson's formula."""
    days = history({LOCAL: {"asked": 10, "shown": 9}}, {ORG: {"asked": 4, "sent": 3, "shown": 1}})
    days = History(dict(reversed(days.days.items())), ())
    first, second = summarise(days).by["day"]
    assert (first.name, first.kept_local, first.shown) == ("2026-11-30", 1.0, 9)
    assert (second.name, second.kept_local) == ("2026-12-01", 0.25)
    assert first.kept_local_ci95 == (0.7225, 1.0)
    assert second.kept_local_ci95 == (0.0456, 0.6994)


def test_what_went_wrong_is_counted_of_all() -> None:
    """The organisation's server left alone, the ledger not written."""
    summary = summarise(
        history({LOCAL: {"left_alone": 2}, ORG: {"unrecorded": 1}}, {LOCAL: {"left_alone": 1}})
    )
    assert (summary.left_alone, summary.ledger_failures) == (3, 1)


@given(
    st.dictionaries(
        st.sampled_from([LOCAL, OTHER, ORG, NOTHING]),
        st.dictionaries(st.sampled_from(sorted(NAMES)), st.integers(1, 1000)),
    )
)
def test_shares_are_shares_whatever_was_counted(rows: Rows) -> None:
    """An event may be counted on another day than what it follows from."""
    summary = summarise(history(rows))
    every = [summary.total, *(row for table in summary.by.values() for row in table)]
    for row in every:
        assert row.acceptance is None or 0 <= row.acceptance <= 1
        assert row.still_there is None or 0 <= row.still_there <= 1
        for share, interval in (
            (row.kept_local, row.kept_local_ci95),
            (row.acceptance, row.acceptance_ci95),
            (row.still_there, row.still_there_ci95),
        ):
            assert (share is None) == (interval is None)
            if share is not None and interval is not None:
                assert 0 <= interval[0] <= share + 1e-4
                assert share - 1e-4 <= interval[1] <= 1
        assert row.tokens_thrown_away >= 0
    assert summary.kept_local is None or 0 <= summary.kept_local <= 1
    for table in summary.by.values():
        assert sum(row.shown for row in table) == summary.total.shown


@given(st.lists(st.floats(0.01, 600_000), min_size=1, max_size=60), st.floats(0.01, 1))
def test_a_percentile_is_in_the_cell_of_the_true_one(waits: list[float], share: float) -> None:
    """Whatever was measured."""
    cells: dict[int, int] = {}
    for wait in waits:
        bound = int(cell(Wait.MODEL, wait).removeprefix("model_ms "))
        cells[bound] = cells.get(bound, 0) + 1
    found = percentile(cells, share)
    true = next(wait for count, wait in enumerate(sorted(waits), 1) if count >= share * len(waits))
    bound = int(cell(Wait.MODEL, true).removeprefix("model_ms "))
    before = max((each for each in BOUNDS_MS if each < bound), default=0)
    assert found is not None
    assert before <= found <= bound

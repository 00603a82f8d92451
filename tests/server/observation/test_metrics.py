"""The counts as OpenMetrics, read back by the library's own parser."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as read_prometheus

from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.counts import NAMES, Counts, Event, Rows, Source, Wait, cell
from synconfroute.server.completion.day_files import Totals, add_days
from synconfroute.server.observation.metrics import MOST_SOURCES, exposition

LOCAL = Source("local", "small", "python", "kept", "valid")
ORG = Source("org", 'large "one"\n\\', "c++", "invalid", "valid")
NOTHING = Source("", "small", "python", "empty", "")
OPENMETRICS = "application/openmetrics-text; version=1.0.0"

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def families_of(rows: Rows, breaker: State | None = None) -> Iterator[Metric]:
    """What a monitoring system reads."""
    content_type, text = exposition(rows, breaker, OPENMETRICS)
    assert content_type.startswith("application/openmetrics-text; version=1.0.0")
    assert text.endswith(b"# EOF\n")
    yield from text_string_to_metric_families(text.decode())  # type: ignore[no-untyped-call]


def samples(rows: Rows, breaker: State | None = None) -> Samples:
    """Every sample by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in families_of(rows, breaker)
        for sample in family.samples
    }


def labels(source: Source) -> tuple[tuple[str, str], ...]:
    """The labels of a source."""
    held = {
        "tier": source.tier or "none",
        "model": source.model,
        "language": source.language,
        "reason": source.reason,
        "verdict": source.verdict or "none",
    }
    return tuple(sorted(held.items()))


def test_each_count_is_a_counter_by_who_made_the_text_and_why() -> None:
    """Names that need quoting come through; what was never counted has no sample."""
    found = samples(
        {
            LOCAL: {"asked": 7, "shown": 5, "accepted": 2, "generated": 90, "used": 60},
            ORG: {"asked": 3, "sent": 3, "kept": 1, "gone": 1, "partly": 1},
            NOTHING: {"asked": 1, "unrecorded": 2, "left_alone": 4, "ahead": 5, "ahead_used": 3},
        }
    )
    for name, source, value in (
        ("synconfroute_requests_total", LOCAL, 7),
        ("synconfroute_requests_total", NOTHING, 1),
        ("synconfroute_shown_total", LOCAL, 5),
        ("synconfroute_accepted_total", LOCAL, 2),
        ("synconfroute_tokens_generated_total", LOCAL, 90),
        ("synconfroute_tokens_given_total", LOCAL, 60),
        ("synconfroute_escalations_total", ORG, 3),
        ("synconfroute_kept_total", ORG, 1),
        ("synconfroute_gone_total", ORG, 1),
        ("synconfroute_partly_accepted_total", ORG, 1),
    ):
        assert found[name, labels(source)] == value
    assert ("synconfroute_escalations_total", labels(LOCAL)) not in found
    assert found["synconfroute_ledger_failures_total", ()] == 2
    assert found["synconfroute_requests_org_left_alone_total", ()] == 4
    assert found["synconfroute_asked_ahead_total", ()] == 5
    assert found["synconfroute_asked_ahead_used_total", ()] == 3


def test_waits_are_histograms_in_seconds() -> None:
    """Each step holds those before it; the longest waits are in no step but the last."""
    found = samples(
        {
            LOCAL: {cell(Wait.MODEL, 120): 10, cell(Wait.MODEL, 190): 5, cell(Wait.MEMORY, 0.4): 9},
            ORG: {cell(Wait.MODEL, 10_000_000): 2, cell(Wait.MODEL, 800): 1},
        }
    )

    def bucket(tier: str, waited_for: str, le: str) -> float:
        of = tuple(sorted({"tier": tier, "waited_for": waited_for, "le": le}.items()))
        return found["synconfroute_answer_seconds_bucket", of]

    assert bucket("local", "model", "0.1") == 0
    assert bucket("local", "model", "0.15") == 10
    assert bucket("local", "model", "0.2") == 15
    assert bucket("local", "model", "+Inf") == 15
    assert bucket("local", "memory", "0.001") == 9
    assert bucket("org", "model", "60.0") == 1
    assert bucket("org", "model", "+Inf") == 3


@pytest.mark.parametrize("state", list(State))
def test_the_breaker_is_in_one_state(state: State) -> None:
    """And where there is none nothing is said of it."""
    found = {
        labels: value
        for (name, labels), value in samples({}, state).items()
        if name == "synconfroute_org_breaker"
    }
    assert found == {(("synconfroute_org_breaker", each.value),): each is state for each in State}
    assert not any("breaker" in name for name, _ in samples({}, None))


def test_the_older_text_is_given_to_who_knows_no_other() -> None:
    """Such as a browser."""
    content_type, text = exposition({LOCAL: {"asked": 7}}, None, "text/html")
    assert content_type.startswith("text/plain; version=0.0.4")
    (counter,) = (
        each for each in read_prometheus(text.decode()) if each.name == "synconfroute_requests"
    )
    assert counter.samples[0].value == 7


def test_sources_are_bounded_and_nothing_is_lost() -> None:
    """What an editor calls languages cannot flood a monitoring system."""
    rows: Rows = {
        Source("local", "small", f"language {number}", "kept", "valid"): {"shown": 1}
        for number in range(MOST_SOURCES * 3)
    }
    shown = [
        value for (name, _), value in samples(rows).items() if name == "synconfroute_shown_total"
    ]
    assert len(shown) == MOST_SOURCES + 1
    assert sum(shown) == MOST_SOURCES * 3


TEXTS = st.text(max_size=12)
SOURCES = st.builds(Source, st.sampled_from(["local", "org", ""]), TEXTS, TEXTS, TEXTS, TEXTS)


@given(
    st.dictionaries(
        SOURCES, st.dictionaries(st.sampled_from(sorted(NAMES)), st.integers(1, 10**9), min_size=1)
    )
)
def test_whatever_was_counted_is_valid_openmetrics(rows: Rows) -> None:
    """Any name of a model or language; the parser takes it all, and the sum is right."""
    asked = sum(numbers.get("asked", 0) for numbers in rows.values())
    found = samples(rows, State.CLOSED)
    counted = sum(v for (name, _), v in found.items() if name == "synconfroute_requests_total")
    assert counted == asked


def test_totals_follow_the_files_and_never_fall(tmp_path: Path) -> None:
    """A day that another process added to is read anew; a forgotten one still counts."""
    totals = Totals(tmp_path)
    assert totals.rows() == {}
    day = date(2026, 11, 29)
    one = Counts(tmp_path, lambda: day)
    one.add(LOCAL, Event.SHOWN)
    assert one.save()
    assert totals.rows() == {LOCAL: {"shown": 1}}
    one.add(LOCAL, Event.SHOWN, 2)
    assert one.save()
    assert totals.rows() == {LOCAL: {"shown": 3}}
    later = {date.fromordinal(day.toordinal() + number): {ORG: {"sent": 1}} for number in (1, 2)}
    assert not add_days(later, tmp_path)
    assert totals.rows() == {LOCAL: {"shown": 3}, ORG: {"sent": 2}}
    (tmp_path / f"{day}.json").rename(tmp_path / "earlier.json")
    assert totals.rows() == {LOCAL: {"shown": 3}, ORG: {"sent": 2}}

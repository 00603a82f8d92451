"""How many replicas, what they take, and what a plan says of its own numbers."""

import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.capacity.cost import gpu_hours
from synconfroute.evaluation.capacity.fleet import Site
from synconfroute.evaluation.capacity.plan import Demand, plan
from synconfroute.evaluation.capacity.profile import ASSUMED, Profile
from synconfroute.evaluation.capacity.rates import rates_of
from synconfroute.evaluation.capacity.sizing import Effort, Target, expect, smallest
from synconfroute.evaluation.capacity.validity import doubts
from synconfroute.evaluation.capacity.workload import Workload, requests
from synconfroute.server.completion.counts import Event, Source
from synconfroute.server.completion.day_files import add_days
from synconfroute.server.settings.tree import Settings

QUICK = Effort(seeds=2, escalations=300)
PROFILE = Profile(
    "known", True, 8, ((1, 10.0), (8, 20.0)), 0.05, 2.0, kv_tokens=50_000,
    prompt_tokens=(50, 2_000), spread=0.02,
)  # fmt: skip
TARGET = Target(800.0, 0.01)


def test_the_number_found_keeps_the_target_and_one_less_does_not() -> None:
    """Which is what smallest means."""
    workload, site = Workload(900, requests_per_hour=90, peak=2.0), Site(PROFILE, 1)
    found = smallest(workload, site, Settings(), TARGET, QUICK)
    assert found is not None
    replicas, outcome = found
    assert replicas > 1
    assert TARGET.kept(outcome)
    fewer = expect(workload, replace(site, replicas=replicas - 1), Settings(), QUICK)
    assert not TARGET.kept(fewer)


def test_more_developers_never_need_fewer_replicas() -> None:
    """Nor does a larger share that escalates."""
    site = Site(PROFILE, 1)
    numbers = []
    for workload in (Workload(100), Workload(600), Workload(600, escalated=1.0)):
        found = smallest(workload, site, Settings(), TARGET, QUICK)
        assert found is not None
        numbers.append(found[0])
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[2]


def test_no_number_helps_where_one_request_takes_too_long() -> None:
    """It is said at once, and not tried with thousands."""
    workload = Workload(10, answer_tokens=500.0)
    assert smallest(workload, Site(PROFILE, 1), Settings(), TARGET, QUICK) is None


def test_nothing_escalated_needs_one_replica_that_rests() -> None:
    """A share of 0 is a share."""
    found = smallest(Workload(50, escalated=0.0), Site(PROFILE, 1), Settings(), TARGET, QUICK)
    assert found is not None
    assert found[0] == 1
    assert found[1].busy.mean == 0


def test_gpu_hours_are_replicas_times_time() -> None:
    """Two replicas of four GPUs, all day or eight hours of five days in seven."""
    found = gpu_hours(2, 4, 8.0)
    assert found.day == 192
    assert found.workday == 64
    assert found.month == pytest.approx(192 * 30.4375)
    assert found.month_of_workdays == pytest.approx(64 * 30.4375 * 5 / 7)


@settings(max_examples=25)
@given(
    per_hour=st.floats(20, 400),
    peak=st.floats(1, 3),
    burst=st.floats(1, 20),
    seed=st.integers(0, 1_000),
)
def test_as_much_is_asked_as_was_said(
    per_hour: float, peak: float, burst: float, seed: int
) -> None:
    """However requests bunch, their number is the rate times the time, in order, all in it."""
    workload = Workload(200, requests_per_hour=per_hour, peak=peak, burst=burst)
    asked = requests(workload, 1_800.0, random.Random(seed))
    expected = workload.per_second * 1_800.0
    assert len(asked) == pytest.approx(expected, rel=0.05 + 5 * (2 * burst / expected) ** 0.5)
    assert [each.at for each in asked] == sorted(each.at for each in asked)
    assert all(0 <= each.at < 1_800.0 and each.answer_tokens >= 1 for each in asked)


def test_tokens_have_the_mean_that_was_said() -> None:
    """Of prompts the part that is not in the cache."""
    workload = Workload(300, prompt_tokens=1_000, cached=0.4, answer_tokens=30.0)
    asked = requests(workload, 3_600.0, random.Random(1))
    many = len(asked)
    assert sum(each.prompt_tokens for each in asked) / many == pytest.approx(600, rel=0.03)
    assert sum(each.answer_tokens for each in asked) / many == pytest.approx(30, rel=0.03)
    assert sum(each.escalated for each in asked) / many == pytest.approx(0.42, abs=0.02)


def source(reason: str, tier: str = "local") -> Source:
    """Who made some texts."""
    return Source(tier, "m", "python", reason, "valid")


def test_rates_come_from_the_day_files(tmp_path: Path) -> None:
    """Requests a day, the share sent, the local answers' tokens; nothing that was asked ahead."""
    for name, sent in (("one", 30), ("two", 10)):
        add_days(
            {
                date(2026, 11, day): {
                    source("kept"): {
                        Event.ASKED: 100, Event.AHEAD: 20, Event.GENERATED: 1_000,
                    },
                    source("low_confidence", "org"): {
                        Event.ASKED: 20, Event.SENT: sent, Event.GENERATED: 200,
                    },
                }
                for day in (2, 3)
            },
            tmp_path / name,
        )  # fmt: skip
    found = rates_of([tmp_path / "one", tmp_path / "two", tmp_path / "empty"])
    assert (found.developers, found.days, found.sent) == (2, 4, True)
    assert found.per_day == 100
    assert found.escalated == pytest.approx(80 / 400)
    assert found.answer_tokens == 10


def test_without_a_server_it_is_what_would_have_been_sent(tmp_path: Path) -> None:
    """Requests whose reason says so."""
    add_days(
        {
            date(2026, 11, 2): {
                source("kept"): {Event.ASKED: 60},
                source("invalid"): {Event.ASKED: 25},
                source("evidence"): {Event.ASKED: 15},
            }
        },
        tmp_path,
    )
    found = rates_of([tmp_path])
    assert found.escalated == pytest.approx(0.4)
    assert not found.sent
    assert found.answer_tokens is None


def test_no_numbers_are_told(tmp_path: Path) -> None:
    """With what to do instead."""
    with pytest.raises(EvaluationError, match="--developers"):
        rates_of([tmp_path])


def about(site: Site, workload: Workload, **sources: str) -> str:
    """What a plan says against itself."""
    found = expect(workload, site, Settings(), Effort(seeds=5, escalations=600))
    return "\n".join(doubts(workload, site, found, sources, days=2))


def test_each_doubt_is_told_where_it_holds() -> None:
    """And none of them where it does not."""
    workload = Workload(200, prompt_tokens=1_000.0)
    given = dict.fromkeys(
        ("peak", "escalated", "requests_per_hour", "prompt_tokens", "answer_tokens", "cached"),
        "given",
    )
    calm = about(Site(PROFILE, 2), workload, burst="given", **given)
    assert calm == "Only 2 days were counted."
    assert "measured nowhere" in about(Site(ASSUMED, 2), workload)
    assert "unlike those that were measured" in about(
        Site(PROFILE, 2), replace(workload, prompt_tokens=9_000.0)
    )
    assert "scatter by 30%" in about(Site(replace(PROFILE, spread=0.3), 2), workload)
    assert "never gets full" in about(Site(replace(PROFILE, kv_tokens=None), 2), workload)
    assert "How requests bunch is assumed" in about(Site(PROFILE, 2), workload, burst="assumed")
    assert "answers of 20 tokens" in about(Site(PROFILE, 2), workload, answer_tokens="assumed")
    assert "local model's" in about(Site(PROFILE, 2), workload, answer_tokens="counted")
    crowded = about(Site(replace(PROFILE, at_once=64), 1), replace(workload, developers=1_500))
    assert "steps are known for up to 8" in crowded
    assert "of the time: so near to 1" in crowded


def test_a_plan_says_what_sending_everything_takes() -> None:
    """More, of the same servers, for the same target."""
    demand = Demand(Workload(400), {}, None, Site(PROFILE, 1), TARGET, gpus=2)
    found = plan(demand, Settings(), QUICK, sensitivity=True)
    assert found.routed.replicas is not None
    assert found.everything.replicas is not None
    assert found.everything.replicas > found.routed.replicas
    assert found.routed.gpu_hours == gpu_hours(found.routed.replicas, 2, 8.0)
    assert found.routed.replicas in [replicas for replicas, _ in found.around]
    faster, slower = (each for each in found.shifted if each.name == "time of the server")
    assert faster.found.p95_ms.mean < slower.found.p95_ms.mean


def test_a_plan_with_nothing_to_spare_says_so() -> None:
    """One replica, and a p95 whose interval reaches beyond what was wanted."""
    workload, site = Workload(30), Site(PROFILE, 1)
    tight = Target(expect(workload, site, Settings(), QUICK).p95_ms.mean + 0.001, 0.01)
    found = plan(Demand(workload, {}, None, site, tight), Settings(), QUICK)
    told = "\n".join(found.doubts)
    assert found.routed.replicas == 1
    assert "1 may be one too few" in told
    assert "nobody is answered" in told
    roomy = replace(tight, p95_ms=4_000.0)
    relaxed = plan(Demand(workload, {}, None, site, roomy), Settings(), QUICK)
    assert "too few" not in "\n".join(relaxed.doubts)

"""The simulation where theory knows the answer, and where it must not turn round."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.evaluation.capacity.fleet import End, Run, Site, simulate
from synconfroute.evaluation.capacity.outcome import estimate, outcome
from synconfroute.evaluation.capacity.profile import Profile
from synconfroute.evaluation.capacity.workload import Asked, Workload, requests
from synconfroute.server.settings.tree import Escalation, Settings

PATIENT = Settings(escalation=Escalation(deadline_ms=120_000, concurrent=64, per_minute=6_000))
"""Clients that refuse nothing and wait for two minutes."""
WARM_UP = 200.0


def one_at_a_time(step_ms: float) -> Profile:
    """A server with one seat, in which a token takes so long and a prompt nothing."""
    return Profile("one seat", True, 1, ((1, step_ms),), 0.0, 0.0)


def poisson(rate: float, seconds: float, seed: int, tokens: list[int] | None = None) -> list[Asked]:
    """Requests of as many developers, so that none waits for another of the same one."""
    chance = random.Random(f"arrivals {seed}")
    asked: list[Asked] = []
    at = chance.expovariate(rate)
    while at < seconds:
        count = tokens.pop() if tokens else 1
        asked.append(Asked(at, len(asked), True, False, 0, count))
        at += chance.expovariate(rate)
    return asked


def run(profile: Profile, asked: list[Asked], seconds: float, **more: object) -> Run:
    """One run of one replica without a network."""
    site = Site(profile, 1, network_ms=0.0)
    return simulate(site, asked, seconds, settings=PATIENT, warm_up=WARM_UP, superseding=False)


def mean_wait(found: Run) -> float:
    """Mean seconds from the request to its answer."""
    return sum(found.waits_s) / len(found.waits_s)


def test_one_seat_with_equal_work_waits_as_long_as_theory_says() -> None:
    """M/D/1: at load 0.7 the mean time in the system is S + S * 0.7 / (2 * 0.3)."""
    service, load, seconds = 0.1, 0.7, 1_500.0
    runs = [
        run(one_at_a_time(100.0), poisson(load / service, seconds, seed), seconds)
        for seed in range(8)
    ]
    found = estimate([mean_wait(each) for each in runs])
    truth = service + service * load / (2 * (1 - load))
    assert found.low - 0.03 * truth <= truth <= found.high + 0.03 * truth
    busy = estimate([each.busy for each in runs])
    assert busy.mean == pytest.approx(load, rel=0.03)


def test_one_seat_with_exponential_work_waits_as_long_as_theory_says() -> None:
    """M/M/1: at load 0.6 the mean time in the system is S / (1 - 0.6)."""
    step, load, seconds, tokens = 0.001, 0.6, 1_500.0, 100.0
    runs = []
    for seed in range(8):
        chance = random.Random(f"work {seed}")
        lengths = [max(1, round(chance.expovariate(1 / tokens))) for _ in range(20_000)]
        asked = poisson(load / (step * tokens), seconds, seed, lengths)
        runs.append(run(one_at_a_time(step * 1000), asked, seconds))
    found = estimate([mean_wait(each) for each in runs])
    truth = step * tokens / (1 - load)
    assert found.low - 0.03 * truth <= truth <= found.high + 0.03 * truth


def test_what_is_under_way_is_rate_times_wait() -> None:
    """Little's law, on a server that runs several at once and reads prompts."""
    profile = Profile("batch", True, 8, ((1, 10.0), (8, 20.0)), 0.1, 2.0)
    workload = Workload(300, requests_per_hour=60, peak=1.0, escalated=1.0, burst=1.0)
    seconds = 1_200.0
    for seed in range(2):
        asked = requests(workload, seconds, random.Random(seed))
        found = run(profile, asked, seconds)
        rate = found.ends[End.ANSWERED] / found.seconds
        assert found.under_way == pytest.approx(rate * mean_wait(found), rel=0.02)


def test_a_request_alone_takes_what_its_parts_take() -> None:
    """Network, overhead, the prompt and a step a token; nothing else."""
    profile = Profile("alone", True, 4, ((1, 10.0), (4, 30.0)), 0.5, 3.0)
    site = Site(profile, 1, network_ms=7.0)
    asked = [Asked(1.0, 0, True, False, 100, 5)]
    found = simulate(site, asked, 10.0, settings=Settings())
    assert found.waits_s == pytest.approx([0.007 + 0.003 + 100 * 0.0005 + 5 * 0.010])


def test_those_that_run_together_share_their_steps() -> None:
    """Four at once end together, after the longer steps of four and one step that reads all."""
    profile = Profile("four", True, 4, ((1, 10.0), (4, 40.0)), 1.0, 0.0)
    asked = [Asked(0.0, developer, True, False, 10, 3) for developer in range(4)]
    found = simulate(Site(profile, 1, network_ms=0.0), asked, 10.0, settings=Settings())
    # The first is let in alone: its step reads 10 tokens; the three others come with the next one.
    first = 0.010 + 10 * 0.001
    second = 0.040 + 30 * 0.001
    assert max(found.waits_s) == pytest.approx(first + second + 0.030 + 0.030, abs=0.021)
    assert len(found.waits_s) == 4


def test_what_a_developer_asked_for_goes_first() -> None:
    """With one seat taken the explicit request overtakes the automatic ones that wait."""
    profile = one_at_a_time(100.0)
    asked = [Asked(0.001 * number, number, True, number == 3, 0, 10) for number in range(4)]
    waits = {}
    for by_rank in (True, False):
        site = Site(profile, 1, by_rank=by_rank, network_ms=0.0)
        waits[by_rank] = simulate(site, asked, 60.0, settings=Settings()).waits_s
    assert sorted(waits[True]) == pytest.approx(sorted(waits[False]), abs=0.01)
    assert waits[False][-1] == pytest.approx(4.0, abs=0.01)
    assert max(waits[True]) == pytest.approx(4.0, abs=0.01)
    ranked = simulate(
        Site(profile, 1, network_ms=0.0),
        [replace(each, explicit=each.developer == 3) for each in asked],
        2.5,
        settings=Settings(),
    )
    assert ranked.waits_s == pytest.approx([1.0, 2.0 - 0.003], abs=0.01)


def test_a_late_request_frees_its_seat() -> None:
    """Past the deadline the client hangs up, and the next one runs at the next step."""
    hasty = Settings(escalation=Escalation(deadline_ms=1_000))
    asked = [Asked(0.0, 0, True, False, 0, 1_000), Asked(0.5, 1, True, False, 0, 2)]
    found = simulate(Site(one_at_a_time(100.0), 1, network_ms=0.0), asked, 10.0, settings=hasty)
    assert found.ends == {End.ANSWERED: 1, End.LATE: 1, End.REFUSED: 0, End.SUPERSEDED: 0}
    assert sorted(found.waits_s) == pytest.approx([0.5 + 0.2, 1.0], abs=0.11)


def test_a_newer_request_closes_the_older_one() -> None:
    """Of one developer, escalated or not; another's goes on."""
    asked = [
        Asked(0.0, 0, True, False, 0, 20),
        Asked(0.0, 1, True, False, 0, 20),
        Asked(0.5, 0, False, False, 0, 20),
    ]
    site = Site(Profile("two", True, 2, ((1, 100.0),), 0.0, 0.0), 1, network_ms=0.0)
    found = simulate(site, asked, 10.0, settings=Settings())
    assert found.ends[End.SUPERSEDED] == 1
    assert found.ends[End.ANSWERED] == 1


def test_a_full_queue_refuses_and_the_breaker_leaves_it_alone() -> None:
    """The second request of a developer who was refused is not even sent."""
    site = Site(one_at_a_time(1_000.0), 1, longest_queue=1, network_ms=0.0)
    asked = [
        Asked(0.0, 0, True, False, 0, 3),
        Asked(0.1, 1, True, False, 0, 1),
        Asked(0.2, 1, True, False, 0, 1),
        Asked(9.0, 1, True, False, 0, 1),
    ]
    found = simulate(site, asked, 20.0, settings=Settings())
    assert found.ends[End.REFUSED] == 2
    assert found.ends[End.ANSWERED] == 2
    assert found.most_at_once == 1


def test_the_cache_holds_so_many_tokens_and_no_more() -> None:
    """With room for one request at a time, two take twice as long; one too large runs alone."""
    roomy = Profile("roomy", True, 8, ((1, 10.0),), 0.0, 0.0)
    narrow = replace(roomy, kv_tokens=100)
    asked = [Asked(0.0, developer, True, False, 80, 10) for developer in range(2)]
    waits = [
        max(simulate(Site(each, 1, network_ms=0.0), asked, 10.0, settings=Settings()).waits_s)
        for each in (roomy, narrow)
    ]
    assert waits[0] == pytest.approx(0.11, abs=0.011)
    assert waits[1] == pytest.approx(0.20, abs=0.011)
    large = [Asked(0.0, 0, True, False, 1_000, 10)]
    found = simulate(Site(narrow, 1, network_ms=0.0), large, 10.0, settings=Settings())
    assert found.ends[End.ANSWERED] == 1


WORKLOADS = st.builds(
    Workload,
    developers=st.integers(1, 30),
    requests_per_hour=st.floats(1, 2_000),
    peak=st.floats(1, 3),
    escalated=st.floats(0, 1),
    prompt_tokens=st.floats(1, 4_000),
    answer_tokens=st.floats(1, 100),
    token_spread=st.floats(0, 1.5),
    cached=st.floats(0, 1),
    explicit=st.floats(0, 1),
    burst=st.floats(1, 30),
)
PROFILES = st.builds(
    Profile,
    name=st.just("any"),
    measured=st.just(True),
    at_once=st.integers(1, 64),
    step_ms=st.sampled_from([((1, 5.0),), ((1, 5.0), (8, 9.0)), ((2, 30.0), (64, 31.0))]),
    prefill_ms_per_token=st.floats(0, 2),
    overhead_ms=st.floats(0, 50),
    batched_tokens=st.integers(16, 8_192),
    kv_tokens=st.none() | st.integers(10, 10_000),
)


@settings(max_examples=40)
@given(
    workload=WORKLOADS,
    profile=PROFILES,
    replicas=st.integers(1, 5),
    by_session=st.booleans(),
    longest_queue=st.none() | st.integers(1, 20),
    seed=st.integers(0, 1_000),
)
def test_every_request_ends_once(
    workload: Workload,
    profile: Profile,
    replicas: int,
    by_session: bool,
    longest_queue: int | None,
    seed: int,
) -> None:
    """Whatever is asked of whatever: once all is over, nothing was lost or counted twice."""
    asked = requests(workload, 20.0, random.Random(seed))
    site = Site(profile, replicas, by_session=by_session, longest_queue=longest_queue)
    found = simulate(site, asked, 60.0, settings=Settings(), seed=seed)
    escalated = sum(each.escalated for each in asked)
    assert sum(found.ends.values()) == escalated
    assert len(found.waits_s) == found.ends[End.ANSWERED] + found.ends[End.LATE]
    assert all(0 <= wait <= 4.0 + 1e-6 for wait in found.waits_s)
    assert 0 <= found.busy <= 1
    assert 0 <= found.seats <= profile.at_once
    assert found == simulate(site, asked, 60.0, settings=Settings(), seed=seed)


@settings(max_examples=10)
@given(load=st.floats(0.3, 0.9), more=st.floats(1.3, 2.0), seed=st.integers(0, 50))
def test_more_to_do_never_makes_waits_shorter(load: float, more: float, seed: int) -> None:
    """The same arrivals, closer together, on the same server."""
    asked = poisson(load / 0.1, 400.0, seed)
    closer = [replace(each, at=each.at / more) for each in asked]
    profile = one_at_a_time(100.0)
    site = Site(profile, 1, network_ms=0.0)
    waits = [
        sum(simulate(site, each, 900.0, settings=PATIENT, superseding=False).waits_s)
        for each in (asked, closer)
    ]
    assert waits[1] >= waits[0] - 1e-6


@settings(max_examples=10)
@given(load=st.floats(0.5, 1.5), seed=st.integers(0, 50))
def test_a_second_replica_never_makes_waits_longer(load: float, seed: int) -> None:
    """Each request goes to the least busy one; all take the same work."""
    asked = poisson(load / 0.1, 100.0, seed)
    waits = [
        sum(
            simulate(
                Site(one_at_a_time(100.0), replicas, by_session=False, network_ms=0.0),
                asked,
                400.0,
                settings=PATIENT,
                superseding=False,
            ).waits_s
        )
        for replicas in (1, 2)
    ]
    assert waits[1] <= waits[0] + 1e-6


def test_an_interval_covers_what_theory_says() -> None:
    """Of 40 intervals of 95 % around a mean, about two miss it: at least 33 do not."""
    chance = random.Random(3)
    hits = 0
    for _ in range(40):
        found = estimate([chance.gauss(5.0, 2.0) for _ in range(6)])
        hits += found.low <= 5.0 <= found.high
    assert hits >= 33
    assert estimate([4.0]).low == estimate([4.0]).high == 4.0


def test_nothing_asked_is_an_outcome_too() -> None:
    """Without a request there are no waits, no shares, and an idle server."""
    found = outcome([run(one_at_a_time(10.0), [], 300.0)])
    assert found.requests == 0
    assert found.p95_ms.mean == found.late.mean == found.busy.mean == 0.0

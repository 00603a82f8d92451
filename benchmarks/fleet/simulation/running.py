"""Measures a server, loads it, and simulates the same."""

import random
import sys
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from benchmarks.fleet.simulation.comparing import Compared, compared
from benchmarks.fleet.simulation.driving import Driver
from benchmarks.fleet.simulation.server import Kind
from benchmarks.fleet.site import FleetModel
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.evaluation.capacity.asking import ask, made_up
from synconfroute.evaluation.capacity.fleet import Site
from synconfroute.evaluation.capacity.measuring import measure
from synconfroute.evaluation.capacity.profile import Profile
from synconfroute.evaluation.capacity.workload import requests
from synconfroute.server.settings.tree import Escalation, Settings

Running = AbstractContextManager[tuple[OpenAICompatible, FleetModel | None]]

_NUMBER = 1_000_000
"""Of a text that nothing else is asked about."""


@dataclass(frozen=True, slots=True)
class Validated:
    """One server.

    Attributes:
        kind: which, and what was asked.
        profile: as it was measured before any load.
        capacity: requests a second that the profile comes to.
        rows: one a load.
    """

    kind: Kind
    profile: Profile
    capacity: float
    rows: tuple[Compared, ...]


async def validate(kind: Kind, running: Running) -> Validated:
    """Measure the server, then ask it at each load, then simulate."""
    with running as (client, model):
        try:
            _say(f"measuring {kind.name} …")
            profile = await measure(
                client, kind.extent, name=kind.name, batched_tokens=kind.batched_tokens
            )
            one = await ask(client, made_up(round(kind.workload.prompt_tokens), _NUMBER), 1)
            capacity = _capacity(profile, one.prompt_tokens, kind.workload.answer_tokens)
            rows = []
            for load in kind.loads:
                _say(f"{kind.name} at {load:.0%} of {capacity:.1f}/s …")
                rows.append(await _row(kind, load, capacity, profile, client, model))
        finally:
            await client.aclose()
    return Validated(kind, profile, capacity, tuple(rows))


async def _row(
    kind: Kind,
    load: float,
    capacity: float,
    profile: Profile,
    client: OpenAICompatible,
    model: FleetModel | None,
) -> Compared:
    of_each = load * capacity / kind.workload.developers * 3600
    workload = replace(kind.workload, requests_per_hour=of_each)
    asked = requests(workload, kind.seconds, random.Random(f"measured {load}"))
    settings = Settings(
        escalation=Escalation(deadline_ms=kind.deadline_ms, per_minute=6_000, concurrent=64)
    )
    before = None if model is None else await model.told()
    done = await Driver(client, settings).drive(asked, kind.seconds)
    seats = None
    if model is not None and before is not None:
        after = await model.told()
        # From the first request on, the warm-up included: it is short, and the queue soon settles.
        seats = (after.seat_s - before.seat_s) / kind.seconds
    site = Site(profile, 1, by_rank=False, network_ms=0.0)
    return compared(load, workload, asked, done, seats, site, settings, kind.seconds)


def _capacity(profile: Profile, prompt_tokens: float, answer_tokens: float) -> float:
    """Requests a second with all seats taken."""
    steps = answer_tokens * profile.step(profile.at_once) / profile.at_once
    return 1 / (steps + prompt_tokens * profile.prefill_ms_per_token / 1000)


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)

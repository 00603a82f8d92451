"""The run: editors, phases of trouble, the search for the highest rate, and the vLLM alone."""

import asyncio
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from benchmarks.figure import percentile
from benchmarks.fleet import site
from benchmarks.fleet.extent import Extent
from benchmarks.fleet.fairness import fairness
from benchmarks.fleet.findings import Alone, Calm, Findings, Kept, Rate, Waits
from benchmarks.fleet.lag import watch_lag
from benchmarks.fleet.matching import Answered, by_mark, matched
from benchmarks.fleet.site import FleetModel, Server
from benchmarks.fleet.trouble import Phase, Trouble, trouble
from benchmarks.fleet.typist import Asked, Typist
from benchmarks.fleet.usage import Meter

_CONNECTING_S = 0.02
"""Between two editors that connect."""
_ROUNDS = 3
"""Before anything counts: after so many 80 % of the sessions have escalated once."""
_SETTLING_S = 6.0
"""What was begun in one phase is over so long after it: beyond the client's deadline of 4 s."""
_IDLE = 0.1
"""Of a core: less is what idle sessions take."""
_FULL = 0.95
"""Of the machine: above it a pace says nothing of ours any more."""


@dataclass(slots=True)
class Notes:
    """What all editors ask, in the order of ends."""

    asked: list[Asked] = field(default_factory=list)
    lags: list[float] = field(default_factory=list)


async def run(extent: Extent) -> Findings:
    """All phases, one after the other."""
    with ExitStack() as stack:
        local = stack.enter_context(site.model("local"))
        org = stack.enter_context(site.model("vllm"))
        server = stack.enter_context(site.server(site.routed(local, org)))
        calm, troubles, kept, rates = await _routed(extent, server, local, org)
        reasons = await asyncio.to_thread(server.reasons)
    with ExitStack() as stack:
        org = stack.enter_context(site.model("vllm"))
        server = stack.enter_context(site.server(site.alone(org)))
        alone = await _alone(extent, server, org)
    return Findings(extent, calm, troubles, kept, rates, reasons, alone)


async def _routed(
    extent: Extent, server: Server, local: FleetModel, org: FleetModel
) -> tuple[Calm, tuple[Trouble, ...], Kept, tuple[Rate, ...]]:
    notes = Notes()
    typists = await _connected(extent, server, notes)
    try:
        meter = Meter(server.process)
        working = asyncio.ensure_future(_work(typists, extent.every, extent.main))
        calm = await _calm(extent, notes, meter, local, org)
        phases = await _phases(extent, org)
        await working
        await asyncio.sleep(_SETTLING_S)
        asked = list(notes.asked)
        troubles = await _troubles(phases, asked, org)
        kept = await _kept(asked, typists, server, org)
        rates = await _rates(extent, typists, notes, meter, local, org)
    finally:
        await _leave(typists)
    return calm, troubles, kept, rates


async def _connected(extent: Extent, server: Server, notes: Notes) -> list[Typist]:
    """All editors, connected, and each answered: models found, parsers and ledgers begun."""
    typists = [
        Typist(number, extent.lines, notes.asked.append) for number in range(extent.sessions)
    ]
    for typist in typists:
        await typist.connect(server.port)
        await asyncio.sleep(_CONNECTING_S)
    await _idle(server)
    await _work(typists, extent.every, _ROUNDS * extent.every)
    await _idle(server)
    notes.asked.clear()
    return typists


async def _idle(server: Server) -> None:
    """Wait until the server has done what it began, for a minute at the most."""
    meter = Meter(server.process)
    for _ in range(60):
        await asyncio.sleep(1.0)
        if meter.read().ours < _IDLE:
            return


async def _work(typists: Sequence[Typist], every: float, seconds: float) -> None:
    """All editors work, each beginning at its own moment within the first round."""
    begin = asyncio.get_running_loop().time()
    step = every / len(typists)
    async with asyncio.TaskGroup() as group:
        for at, typist in enumerate(typists):
            group.create_task(typist.work(begin + at * step, every, begin + seconds))


async def _calm(
    extent: Extent, notes: Notes, meter: Meter, local: FleetModel, org: FleetModel
) -> Calm:
    for model in (local, org):
        await model.told()
    watching = asyncio.ensure_future(watch_lag(notes.lags.append))
    meter.read()
    await asyncio.sleep(extent.steady)
    usage, memory, asked = meter.read(), meter.memory(), list(notes.asked)
    watching.cancel()
    lags = [lag for model in (local, org) for lag in (await model.told()).lags]
    answered = _answered(asked, local, org)
    return Calm(
        per_second=len(asked) / usage.seconds,
        escalated=sum(each.escalated for each in answered) / max(1, len(asked)),
        local=waits(each.added for each in answered if not each.escalated),
        org=waits(each.added for each in answered if each.escalated),
        took=waits(each.took for each in asked),
        usage=usage,
        memory=memory,
        fair=fairness(asked),
        lags=waits(notes.lags),
        model_lags=waits(lags),
    )


async def _phases(extent: Extent, org: FleetModel) -> list[Phase]:
    """Trouble, and recovery, three times."""
    phases = []
    for kind in ("busy", "stalled", "down"):
        begun = await org.turn(kind)
        await asyncio.sleep(getattr(extent, kind))
        ended = await org.turn("well")
        await asyncio.sleep(extent.recovery)
        phases.append(Phase(kind, begun, ended, ended + extent.recovery, extent.every))
    return phases


async def _troubles(
    phases: Sequence[Phase], asked: Sequence[Asked], org: FleetModel
) -> tuple[Trouble, ...]:
    over, told = org.over(), await org.told()
    reached = sorted([each.came for each in over] + [at for at, _ in told.refused])
    answered = sorted(each.came for each in over if each.whole)
    return tuple(trouble(phase, asked, reached, answered) for phase in phases)


async def _kept(
    asked: Sequence[Asked], typists: Sequence[Typist], server: Server, org: FleetModel
) -> Kept:
    told = await org.told()
    reached = [each.request for each in org.over()] + [name for _, name in told.refused]
    lines = {each["request_id"] for each in await asyncio.to_thread(server.ledger)}
    same = [await typist.same() for typist in typists]
    return Kept(
        asked=len(asked),
        unanswered=sum(bool(each.fault) for each in asked),
        nothing=sum(each.text is None and not each.fault for each in asked),
        reached=len(reached),
        without_line=sum(name not in lines for name in reached),
        whole=await asyncio.to_thread(server.ledger_is_whole),
        unequal=same.count(False),
    )


async def _rates(
    extent: Extent,
    typists: Sequence[Typist],
    notes: Notes,
    meter: Meter,
    local: FleetModel,
    org: FleetModel,
) -> tuple[Rate, ...]:
    """Faster and faster, until ours or the machine is at its limit."""
    rates: list[Rate] = []
    for every in extent.paces:
        notes.asked.clear()
        working = asyncio.ensure_future(_work(typists, every, extent.step + every))
        await asyncio.sleep(every)  # the first round is not whole
        before = len(notes.asked)
        meter.read()
        await asyncio.sleep(extent.step)
        usage = meter.read()
        asked = notes.asked[before:]
        await working
        await asyncio.sleep(1.0)
        answered = _answered(asked, local, org)
        rates.append(
            Rate(
                per_second=len(asked) / usage.seconds,
                usage=usage,
                added=waits(each.added for each in answered),
                unanswered=sum(bool(each.fault) for each in asked),
            )
        )
        print(f"at {rates[-1].per_second:.0f}/s …", file=sys.stderr, flush=True)
        if not rates[-1].kept or usage.machine > _FULL * usage.cores:
            break
    return tuple(rates)


async def _alone(extent: Extent, server: Server, org: FleetModel) -> Alone:
    notes = Notes()
    typists = await _connected(extent, server, notes)
    try:
        meter = Meter(server.process)
        before = await org.told()
        await _work(typists, extent.every, extent.alone)
        usage, after = meter.read(), await org.told()
        await asyncio.sleep(1.0)
        answered = matched(notes.asked, by_mark(org.over()))
    finally:
        await _leave(typists)
    return Alone(
        per_second=len(notes.asked) / usage.seconds,
        added=waits(each.added for each in answered),
        usage=usage,
        fair=fairness(notes.asked),
        unanswered=sum(bool(each.fault) for each in notes.asked),
        seats=(after.seat_s - before.seat_s) / (after.at - before.at),
    )


def _answered(asked: Sequence[Asked], local: FleetModel, org: FleetModel) -> list[Answered]:
    return matched(asked, by_mark(local.over()), by_mark(org.over()))


async def _leave(typists: Sequence[Typist]) -> None:
    async with asyncio.TaskGroup() as group:
        for typist in typists:
            group.create_task(typist.leave())


def waits(seconds: Iterable[float]) -> Waits:
    """Some seconds in short; all 0 of none."""
    ms = [each * 1000 for each in seconds]
    if not ms:
        return Waits(0, 0.0, 0.0, 0.0, 0.0)
    p50, p95, p99 = (percentile(ms, share) for share in (0.5, 0.95, 0.99))
    return Waits(len(ms), p50, p95, p99, max(ms))

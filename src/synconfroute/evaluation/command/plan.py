"""`synconfroute plan`: how many replicas of the organisation's server a fleet needs."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synconfroute.errors import EvaluationError, UsageError
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.clients.model import ModelClient
    from synconfroute.evaluation.capacity.measuring import Extent
    from synconfroute.evaluation.capacity.plan import Demand, Plan
    from synconfroute.evaluation.capacity.profile import Profile
    from synconfroute.evaluation.capacity.rates import Rates
    from synconfroute.evaluation.capacity.workload import Workload
    from synconfroute.server.settings.tree import Settings


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=plan)
    _add_workload(parser.add_argument_group("what is asked; what is not given is assumed"))
    _add_site(parser.add_argument_group("what answers it"))
    _add_target(parser.add_argument_group("what is wanted"))
    _add_measuring(parser.add_argument_group("measure a server instead, and write its profile"))
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--page", metavar="FILE", type=Path, help="write a page with drawings")


def _add_workload(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--stats",
        metavar="DIR",
        type=Path,
        nargs="*",
        help="rates from what `synconfroute stats` counted: your own, or a folder a developer",
    )
    group.add_argument("--developers", metavar="N", type=_whole(1, 1_000_000), help="how many")
    group.add_argument(
        "--requests-per-hour", metavar="N", type=_number(0.01, 10_000), help="of each: 60"
    )
    group.add_argument(
        "--escalation-share", metavar="S", type=_number(0, 1), help="0.42, as in the paper"
    )
    group.add_argument(
        "--peak", metavar="X", type=_number(1, 100), help="the busiest hour has X times that: 2"
    )
    group.add_argument("--prompt-tokens", metavar="N", type=_number(1, 1e6), help="mean: 1000")
    group.add_argument("--answer-tokens", metavar="N", type=_number(1, 1e5), help="mean: 20")
    group.add_argument(
        "--cached", metavar="S", type=_number(0, 1), help="share of a prompt in its cache: 0.3"
    )
    group.add_argument(
        "--explicit", metavar="S", type=_number(0, 1), help="share asked for by hand: 0.1"
    )
    group.add_argument("--burst", metavar="N", type=_number(1, 1_000), help="requests a burst: 8")
    group.add_argument(
        "--hours", metavar="N", type=_number(0.5, 24), default=8.0, help="of work a day: 8"
    )


def _add_site(group: _ArgumentGroup) -> None:
    group.add_argument("--profile", metavar="FILE", type=Path, help="what `plan --measure` wrote")
    group.add_argument("--replicas", metavar="N", type=_whole(1, 4_096), help="simulate so many")
    group.add_argument(
        "--gpus", metavar="N", type=_whole(1, 1_024), default=1, help="of a replica: 1"
    )
    group.add_argument(
        "--scheduling",
        choices=("priority", "fcfs"),
        default="priority",
        help="vLLM's --scheduling-policy: priority (default) lets what is asked for by hand go"
        " first",
    )
    group.add_argument(
        "--routing",
        choices=("session", "least-busy"),
        default="session",
        help="a developer's requests go to one replica (default), or each to the least busy",
    )
    group.add_argument(
        "--longest-queue",
        metavar="N",
        type=_whole(1, 1_000_000),
        help="a replica refuses with so many requests under way (default: never)",
    )
    group.add_argument(
        "--network-ms", metavar="MS", type=_number(0, 10_000), default=5.0, help="both ways: 5"
    )


def _add_target(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--p95-ms", metavar="MS", type=_number(1, 600_000), default=2_000.0, help="2000"
    )
    group.add_argument(
        "--missed",
        metavar="S",
        type=_number(0, 1),
        default=0.01,
        help="share late or refused: 0.01",
    )
    group.add_argument("--seeds", metavar="N", type=_whole(2, 200), default=5, help="runs: 5")
    group.add_argument(
        "--requests",
        metavar="N",
        type=_whole(100, 1_000_000),
        default=3_000,
        help="escalations a run: 3000",
    )
    group.add_argument(
        "--sensitivity", action="store_true", help="see what a wrong number would change"
    )


def _add_measuring(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--measure",
        metavar="URL",
        help="an OpenAI-compatible server on this machine, or the one of org.url; it is sent text"
        " made up for it, and nothing of yours",
    )
    group.add_argument("--model", metavar="NAME", default="", help="its model, if it has several")
    group.add_argument("--out", metavar="FILE", type=Path, help="the profile: profile.json")
    group.add_argument(
        "--most-at-once",
        metavar="N",
        type=_whole(1, 1_024),
        default=32,
        help="answers at the same time, at the most: 32",
    )
    group.add_argument(
        "--max-num-seqs",
        metavar="N",
        type=_whole(1, 65_536),
        help="as the server was started (default: as seen, else vLLM's 256)",
    )
    group.add_argument(
        "--max-num-batched-tokens",
        metavar="N",
        type=_whole(16, 1_000_000),
        default=8_192,
        help="as the server was started: 8192",
    )
    group.add_argument("--yes", action="store_true", help="do not ask before it is measured")


def plan(options: Namespace) -> int:
    """Print a plan, or measure a server.

    Raises:
        UsageError: what is asked is not given, or options contradict each other.
        EvaluationError: there are no numbers, or simpy is missing.
        ModelServerError: the server that is measured failed.
    """
    from synconfroute.server.command.reading import read_and_tell

    settings = read_and_tell(options).settings
    if options.measure is not None:
        return _measure(options, settings)
    found = _planned(options, settings)
    if options.page is not None:
        _write_page(options.page, found)
    if options.json:
        console.say(json.dumps(asdict(found), indent=2))
    else:
        from synconfroute.evaluation.capacity.words import told

        console.say(console.printable(told(found)))
    return 0 if found.routed.replicas is not None else 1


def _planned(options: Namespace, settings: "Settings") -> "Plan":
    from tqdm import tqdm

    from synconfroute.evaluation.capacity.plan import plan as planned
    from synconfroute.evaluation.capacity.sizing import Effort

    demand = _demand(options)
    bar = tqdm(unit="run", desc="simulating", leave=False, disable=None, file=sys.stderr)
    with bar:
        effort = Effort(options.seeds, options.requests, on_run=bar.update)
        return planned(demand, settings, effort, sensitivity=options.sensitivity)


def _demand(options: Namespace) -> "Demand":
    from synconfroute.evaluation.capacity.fleet import Site
    from synconfroute.evaluation.capacity.plan import Demand
    from synconfroute.evaluation.capacity.profile import ASSUMED, read_profile
    from synconfroute.evaluation.capacity.sizing import Target

    profile = ASSUMED if options.profile is None else read_profile(options.profile)
    workload, sources, days = _workload(options)
    site = Site(
        profile,
        options.replicas or 1,
        by_rank=options.scheduling == "priority",
        by_session=options.routing == "session",
        longest_queue=options.longest_queue,
        network_ms=options.network_ms,
    )
    return Demand(
        workload,
        sources,
        days,
        site,
        Target(options.p95_ms, options.missed),
        replicas=options.replicas,
        gpus=options.gpus,
        hours=options.hours,
    )


def _workload(options: Namespace) -> "tuple[Workload, dict[str, str], int | None]":
    """What is asked, where each number comes from, and how many days were counted."""
    from synconfroute.evaluation.capacity.rates import rates_of
    from synconfroute.evaluation.capacity.validity import ASSUMED, COUNTED, GIVEN
    from synconfroute.evaluation.capacity.workload import Workload

    values: dict[str, Any] = {}
    sources = dict.fromkeys((each.name for each in fields(Workload)), ASSUMED)
    rates = None
    if options.stats is not None:
        rates = rates_of(options.stats or [None])
        values = _counted(rates, options.hours)
        sources |= dict.fromkeys(values, COUNTED)
    given = {
        "developers": options.developers,
        "requests_per_hour": options.requests_per_hour,
        "peak": options.peak,
        "escalated": options.escalation_share,
        "prompt_tokens": options.prompt_tokens,
        "answer_tokens": options.answer_tokens,
        "cached": options.cached,
        "explicit": options.explicit,
        "burst": options.burst,
    }
    said = {name: value for name, value in given.items() if value is not None}
    values |= said
    sources |= dict.fromkeys(said, GIVEN)
    if "developers" not in values:
        raise UsageError("Say how many developers there are (--developers N), or give --stats.")
    return Workload(**values), sources, None if rates is None else rates.days


def _counted(rates: "Rates", hours: float) -> dict[str, Any]:
    values: dict[str, Any] = {
        "developers": rates.developers,
        "requests_per_hour": rates.per_day / hours,
        "escalated": rates.escalated,
    }
    if rates.answer_tokens is not None:
        values["answer_tokens"] = max(1.0, rates.answer_tokens)
    return values


def _write_page(file: Path, found: "Plan") -> None:
    from synconfroute.evaluation.capacity.content import document
    from synconfroute.evaluation.report.page import page

    try:
        file.write_text(page(document(found)), encoding="utf-8")
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise EvaluationError(f"{file} cannot be written: {said}.") from error


def _measure(options: Namespace, settings: "Settings") -> int:
    from synconfroute.evaluation.capacity.measuring import Extent
    from synconfroute.evaluation.capacity.profile import write_profile

    extent = Extent(options.most_at_once)
    client = _client(options, settings)
    if not _agreed(options, client.address, extent):
        raise UsageError("Nothing was sent: say that it may be measured with --yes.")
    profile = _profile(options, client, extent)
    file = options.out or Path("profile.json")
    write_profile(file, profile)
    if options.json:
        console.say(json.dumps(asdict(profile), indent=2))
        return 0
    console.say(console.printable(_told(profile)))
    console.say(f"Written to {file}: give it to `synconfroute plan --profile`.")
    return 0


def _client(options: Namespace, settings: "Settings") -> "ModelClient":
    """The server to be measured: on this machine, or the organisation's own.

    Raises:
        UsageError: it is another.
    """
    from synconfroute.clients.http import is_loopback
    from synconfroute.clients.openai import OpenAICompatible, api_base
    from synconfroute.server.completion.tiers import org_client

    base = api_base(options.measure)
    if settings.org.url and base == api_base(settings.org.url):
        client = org_client(settings)
        if client is not None:
            return client
    if not is_loopback(options.measure):
        raise UsageError(
            "Only a server on this machine or the one of org.url is measured: nothing was sent."
        )
    local = settings.local
    key = local.api_key if local.url and base == api_base(local.url) else ""
    return OpenAICompatible(options.measure, options.model, api_key=key)


def _agreed(options: Namespace, address: str, extent: "Extent") -> bool:
    """Say what will be sent, and ask."""
    console.complain(
        f"{address} will be asked for {extent.requests} answers of made-up lists, up to"
        f" {extent.most_at_once} at the same time, {extent.answer_tokens:,} tokens in all: nobody"
        " else should use it meanwhile. Nothing of your code is sent."
    )
    if options.yes:
        return True
    if not console.is_terminal():
        return False
    sys.stderr.write("Go on? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _profile(options: Namespace, client: "ModelClient", extent: "Extent") -> "Profile":
    import asyncio

    from tqdm import tqdm

    from synconfroute.evaluation.capacity.measuring import measure

    bar = tqdm(total=extent.requests, unit="answer", leave=False, disable=None, file=sys.stderr)

    async def measured() -> "Profile":
        try:
            probe = await client.probe()
            if not probe.ready:
                raise EvaluationError(probe.message)
            return await measure(
                client,
                extent,
                name=f"{probe.server or 'a server'} at {client.address}, {probe.model}",
                at_once=options.max_num_seqs,
                batched_tokens=options.max_num_batched_tokens,
                on_answer=bar.update,
            )
        finally:
            await client.aclose()

    with bar:
        return asyncio.run(measured())


def _told(profile: "Profile") -> str:
    steps = ", ".join(f"{ms:g} ms with {batch}" for batch, ms in profile.step_ms)
    return (
        f"{profile.name}\n"
        f"  a step takes {steps}\n"
        f"  a token of a prompt adds {profile.prefill_ms_per_token:g} ms,"
        f" a request {profile.overhead_ms:g} ms\n"
        f"  {profile.at_once} requests run at the same time"
    )


def _whole(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within these bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text[:12]) <= most):
            raise ArgumentTypeError(f"give a whole number from {least} to {most}")
        return int(text)

    return read


def _number(least: float, most: float) -> Callable[[str], float]:
    """Reads a number within these bounds."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise ArgumentTypeError(f"give a number from {least:g} to {most:g}")
        return value

    return read

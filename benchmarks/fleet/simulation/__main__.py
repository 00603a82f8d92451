"""Validate the simulation against servers that are really asked."""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from benchmarks.fleet.simulation import __doc__ as _about
from benchmarks.fleet.simulation.comparing import Compared, Seen
from benchmarks.fleet.simulation.running import Validated, validate
from benchmarks.fleet.simulation.server import REAL, SCRIPTED, real, scripted
from benchmarks.fleet.written import write
from synconfroute.evaluation.capacity.outcome import Estimate

_HEADS = (
    "load", "requests", "answered/s", "p50 ms", "error", "p95 ms", "error", "other draws' p95",
    "late or refused", "superseded", "under way", "running",
)  # fmt: skip


def main() -> int:
    """Exit code 0 whatever the errors are: they are there to be read."""
    parser = argparse.ArgumentParser("python -m benchmarks.fleet.simulation", description=_about)
    parser.add_argument("--real", action="store_true", help="llama.cpp too: 3 minutes more")
    parser.add_argument("--only-real", action="store_true", help="nothing but llama.cpp")
    parser.add_argument("--quick", action="store_true", help="two loads, 12 s each")
    parser.add_argument("--write", action="store_true", help="write the table into docs/plan.md")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write everything to FILE")
    options = parser.parse_args()
    found = asyncio.run(_all(options))
    text = "\n".join(lines(found))
    print(text)
    if options.json is not None:
        rows = [asdict(each) for each in found]
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if options.write:
        write("simulation", text)
    return 0


async def _all(options: argparse.Namespace) -> list[Validated]:
    kinds = [] if options.only_real else [(SCRIPTED, scripted)]
    if options.real or options.only_real:
        kinds.append((REAL, real))
    found = []
    for kind, running in kinds:
        short = replace(kind, seconds=12.0, loads=(0.5, 0.95)) if options.quick else kind
        found.append(await validate(short, running()))
    return found


def lines(found: Sequence[Validated]) -> Iterator[str]:
    """All of it as Markdown."""
    for each in found:
        profile, kind = each.profile, each.kind
        steps = ", ".join(f"{ms:.1f} ms with {batch}" for batch, ms in profile.step_ms)
        yield ""
        yield (
            f"**{kind.name}.** Measured first: steps of {steps}; {profile.prefill_ms_per_token:.3f}"
            f" ms a token of a prompt, {profile.overhead_ms:.1f} ms a request,"
            f" {profile.at_once} at once: {each.capacity:.1f} requests/s. Each load"
            f" {kind.seconds:.0f} s, {kind.workload.developers} developers, deadline"
            f" {kind.deadline_ms / 1000:g} s. Each cell: measured / simulated."
        )
        yield ""
        yield f"| {' | '.join(_HEADS)} |"
        yield f"|{'---|' * len(_HEADS)}"
        for row in each.rows:
            yield f"| {' | '.join(_cells(row))} |"


def _cells(row: Compared) -> tuple[str, ...]:
    ours, theirs = row.simulated, row.measured
    return (
        f"{row.load:.0%}",
        f"{row.asked}",
        f"{theirs.per_second:.2f} / {ours.per_second:.2f}",
        f"{theirs.p50_ms:.0f} / {ours.p50_ms:.0f}",
        f"{row.error('p50_ms'):+.0%}",
        f"{theirs.p95_ms:.0f} / {ours.p95_ms:.0f}",
        f"{row.error('p95_ms'):+.0%}",
        _interval(row.other_p95_ms),
        f"{theirs.missed:.1%} / {ours.missed:.1%}",
        f"{theirs.superseded:.1%} / {ours.superseded:.1%}",
        f"{theirs.under_way:.1f} / {ours.under_way:.1f}",
        f"{_seats(theirs)} / {_seats(ours)}",
    )


def _interval(estimate: Estimate) -> str:
    return f"{estimate.mean:.0f} ({max(0.0, estimate.low):.0f} to {estimate.high:.0f})"


def _seats(seen: Seen) -> str:
    return "–" if seen.seats is None else f"{seen.seats:.1f}"


if __name__ == "__main__":
    sys.exit(main())

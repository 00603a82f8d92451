"""`synconfroute eval robustness`: how far a threshold and a score carry."""

import asyncio
import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import UsageError
from synconfroute.evaluation.command.routes import require_packages
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.robustness.gathering import Gathered
    from synconfroute.evaluation.robustness.sizes import Calibrated
    from synconfroute.evaluation.robustness.transfer import SplitMoved

_HELD = {True: "held", False: "not held", None: "cannot be told"}


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=robustness)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    for name, model in (("--local", "the local model's"), ("--larger", "the larger model's")):
        parser.add_argument(
            name, metavar="FILE", type=Path, nargs="+", required=True,
            help=f"{model} answers, which the threshold is found on",
        )  # fmt: skip
    for name, model in (("--on-local", "local"), ("--on-larger", "larger")):
        parser.add_argument(
            name, metavar="FILE", type=Path, nargs="+", default=[],
            help=f"the same {model} model's answers to other benchmarks, which it is tried on",
        )  # fmt: skip
    parser.add_argument(
        "--at-most",
        metavar="PERCENT",
        type=_percent_read,
        default=100.0,
        help="the best threshold with at most so many requests escalated (default: 100, no bound,"
        " as in the paper's Algorithm 1)",
    )
    parser.add_argument(
        "--text",
        choices=("raw", "unrepaired", "cleaned", "mended"),
        default="cleaned",
        help="how the answers are read, as for `eval routes`; default: as the server does",
    )
    parser.add_argument(
        "--validator",
        choices=("live", "paper"),
        default="live",
        help="who judges the local answers: the server's validator, or whole-file parsing",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def robustness(options: Namespace) -> int:
    """Calibrate on few and on many tasks, and take what was found to other benchmarks.

    Raises:
        UsageError: of the other benchmarks' answers one model's are missing.
        EvaluationError: the answers or the benchmarks cannot be used.
    """
    require_packages()
    from synconfroute.evaluation.robustness.rules import rules
    from synconfroute.evaluation.robustness.sizes import calibrated, possible_sizes
    from synconfroute.evaluation.robustness.transfer import move

    if bool(options.on_local) != bool(options.on_larger):
        raise UsageError("Give both models' answers to the other benchmarks, or none.")
    source, other = asyncio.run(_gathered(options))
    chosen, most = rules(source.local), options.at_most / 100
    tasks = source.executed
    sizes = [calibrated(each, tasks, most) for each in chosen.strategies]
    if not possible_sizes(len(tasks)):
        sizes = []
        console.complain(f"{len(tasks)} tasks are too few to calibrate on some and test on others.")
    moved = [] if other is None else move(chosen.strategies, tasks, other.splits(), most)
    if options.json:
        found = {
            "local": source.local,
            "larger": source.larger,
            "tasks": len(tasks),
            "at_most": options.at_most,
            "text": options.text,
            "numbers": chosen.numbers,
            "sizes": [asdict(each) for each in sizes],
            "transfer": [asdict(each) for each in moved],
        }
        console.say(json.dumps(found))
        return 0
    console.say(f"{source.local}, escalating to {source.larger}, {len(tasks)} tasks")
    console.say(chosen.numbers)
    for line in (*_of_sizes(sizes), *(line for each in moved for line in _of_split(each))):
        console.say(line)
    return 0


async def _gathered(options: Namespace) -> "tuple[Gathered, Gathered | None]":
    from synconfroute.evaluation.generation.verdicts import verdicts_of
    from synconfroute.evaluation.robustness.gathering import gathered

    verdicts = verdicts_of(options.validator)

    async def read(local: Sequence[Path], larger: Sequence[Path]) -> "Gathered":
        found = await gathered(
            options.data, local, larger, options.text, verdicts, console.progress
        )
        if found.pairs.alone:
            console.complain(f"{found.pairs.alone} answers are left out: the other side has none.")
        return found

    try:
        source = await read(options.local, options.larger)
        if not options.on_local:
            return source, None
        other = await read(options.on_local, options.on_larger)
    finally:
        await verdicts.aclose()
    for one, its in ((source.local, other.local), (source.larger, other.larger)):
        if one != its:
            console.complain(f"{one} and {its} are taken to be the same model.")
    return source, other


def _percent_read(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ArgumentTypeError("give a share from 0 to 100")
    return value


def _of_sizes(found: "Sequence[Calibrated]") -> Iterator[str]:
    """Each rule's sizes, for people."""
    for rule in found:
        yield f"{rule.rule}, calibrated on"
        for size in rule.sizes:
            thresholds = ", ".join(f"{draw.threshold:.2f}" for draw in size.draws)
            kept = sum(draw.local_share for draw in size.draws) / len(size.draws)
            behind = sum(draw.behind for draw in size.draws) / len(size.draws)
            yield (
                f"  {size.calibrated:4}: {size.mean:.1%} of {size.tested} others right, standard"
                f" deviation {size.deviation:.2%}, {kept:.0%} local, thresholds {thresholds},"
                f" {behind:.2%} behind the best one"
            )
        yield f"  within 0.2 % of 200 tasks and deviating less than 0.4 %: {_HELD[rule.held]}"


def _of_split(found: "SplitMoved") -> Iterator[str]:
    """One split, for people."""
    yield (
        f"{found.split}, {found.tasks} tasks: always local {found.local.percent}, always larger"
        f" {found.larger.percent}"
    )
    for rule in found.rules:
        moved, tuned = rule.moved, rule.tuned
        yield (
            f"  {rule.rule:<13} area {rule.area.percent}, against the paper's rule"
            f" {rule.over_paper.percent}"
        )
        yield (
            f"                moved threshold {moved.threshold:.2f}: {moved.pass_at_1.value:.1%},"
            f" {1 - moved.local_share:.0%} escalated; tuned here {tuned.threshold:.2f}:"
            f" {tuned.pass_at_1.value:.1%}, {1 - tuned.local_share:.0%} escalated; lost"
            f" {rule.lost.percent}"
        )

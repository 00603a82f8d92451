"""`synconfroute eval latency`: how long models take, one request after the other."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute import __version__
from synconfroute.errors import UsageError
from synconfroute.evaluation.command.conditions import add_conditions, between, conditions_of
from synconfroute.evaluation.command.timing import load_told, refuse_unasked_sending, seconds_told
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.generation.model_name import ModelName
    from synconfroute.evaluation.generation.plan import Plan
    from synconfroute.evaluation.latency.document import Measured, ModelLatency
    from synconfroute.evaluation.latency.measuring import Warm
    from synconfroute.server.settings.tree import Settings


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=latency)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    parser.add_argument(
        "--bench", metavar="NAME", required=True, help="such as humaneval-single-line, safim-block"
    )
    parser.add_argument(
        "--model",
        metavar="PROVIDER:NAME",
        nargs="+",
        action="extend",
        required=True,
        help="as for `eval run`; measured one after the other",
    )
    parser.add_argument(
        "--sample",
        metavar="N",
        type=between(1, 10**9),
        default=60,
        help="tasks of each benchmark, drawn at random: 60",
    )
    parser.add_argument("--seed", metavar="S", type=int, default=42, help="of the draw: 42")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, required=True, help="where the times go, as JSON"
    )
    add_conditions(parser)
    parser.add_argument(
        "--send-to-org", action="store_true", help="let the prompts for org:NAME leave this machine"
    )
    parser.add_argument("--json", action="store_true", help="print what is written to the file")


def latency(options: Namespace) -> int:
    """Time each model's answers and write them down with the machine and its load.

    Raises:
        UsageError: the options contradict each other, or a model is not named as they are.
        EvaluationError: a benchmark, a file or a server cannot be used.
    """
    from synconfroute.evaluation.datasets import load
    from synconfroute.evaluation.generation.model_name import model_name
    from synconfroute.evaluation.generation.plan import Draw, plan
    from synconfroute.evaluation.latency.document import Measured, write_latency
    from synconfroute.evaluation.latency.measuring import warm
    from synconfroute.evaluation.machine import load_now, this_machine
    from synconfroute.server.command.reading import read_and_tell

    names = list(dict.fromkeys(map(model_name, options.model)))
    _refuse_what_cannot_be(options, names)
    settings = read_and_tell(options).settings
    draw = Draw(options.data, options.bench, None, options.sample, options.seed)
    planned = plan(draw, conditions_of(options))
    tasks = warm(load(options.data, options.bench), planned.tasks)
    before = load_told()
    models = tuple(_measured(planned, tasks, name, settings) for name in names)
    conditions = planned.conditions
    found = Measured(
        datetime.now(UTC).isoformat(timespec="seconds"),
        __version__,
        this_machine(),
        before,
        load_now(),
        options.bench,
        options.sample,
        options.seed,
        conditions.profile,
        conditions.prompt,
        conditions.shots,
        models,
    )
    write_latency(options.out, found)
    console.say(json.dumps(asdict(found)) if options.json else "\n".join(_lines(found)))
    return 0


def _refuse_what_cannot_be(options: Namespace, names: Sequence["ModelName"]) -> None:
    if options.draws > 1 or options.examples_by is not None:
        raise UsageError("Latency is of one answer to each task: leave out --draws, --examples-by.")
    refuse_unasked_sending(options, names)


def _measured(
    planned: "Plan", tasks: "Warm", name: "ModelName", settings: "Settings"
) -> "ModelLatency":
    """One model's times, with a bar."""
    import asyncio

    from tqdm import tqdm

    from synconfroute.evaluation.generation.engine_turn import engine_turn
    from synconfroute.evaluation.generation.source import source_of
    from synconfroute.evaluation.latency.measuring import measure
    from synconfroute.evaluation.latency.stopwatch import Stopwatch

    bar = tqdm(total=len(tasks.counted), unit="task", desc=str(name), leave=False, disable=None,
               file=sys.stderr)  # fmt: skip

    async def measured() -> "ModelLatency":
        watch = Stopwatch()
        source = source_of(name, settings, watch.on)
        if name.provider == "org":
            console.complain(
                f"{len(tasks.counted) + 1} prompts go to {settings.org.url}, to the model"
                f" {name.name}."
            )
        try:
            return await measure(name.provider, source, watch, planned, tasks, bar.update)
        finally:
            await source.aclose()

    with bar, engine_turn(name):
        return asyncio.run(measured())


def _lines(found: "Measured") -> list[str]:
    """All models for people."""
    machine = found.machine
    return [
        f"{machine.cpu}, {machine.cores or machine.threads} cores; in use before:"
        f" {found.load_before.busy:.0%}, load {found.load_before.average:.2f}; behind:"
        f" {found.load_after.busy:.0%}, load {found.load_after.average:.2f}.",
        *(line for model in found.models for line in _lines_of(model)),
    ]


def _lines_of(model: "ModelLatency") -> list[str]:
    speed = model.tokens_per_second
    refused = f", {model.refused} prompts refused" if model.refused else ""
    return [
        console.printable(f"{model.model} ({model.server or model.provider}),"
                          f" {model.n} answers{refused}"),
        f"  complete answer  {seconds_told(model.seconds)}",
        f"  first token      {seconds_told(model.first_token)}",
        f"  third token      {seconds_told(model.third_token)}",
        f"  then             {'-' if speed is None else f'{speed.median:.1f}'} tokens a second,"
        f" behind {model.prompt_tokens.median:.0f} of prompt ({model.prompt_tokens_by})",
    ]  # fmt: skip

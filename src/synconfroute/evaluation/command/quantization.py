"""`synconfroute eval quantization`: one model at several levels."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synconfroute.errors import EvaluationError, UsageError
from synconfroute.evaluation.command.conditions import add_conditions, between, conditions_of
from synconfroute.evaluation.command.executing import executed
from synconfroute.evaluation.command.timing import load_told, refuse_unasked_sending, seconds_told
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.generation.model_name import ModelName
    from synconfroute.evaluation.generation.plan import Plan
    from synconfroute.evaluation.quantization.levels import Level
    from synconfroute.server.settings.tree import Settings


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=quantization)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "--model",
        metavar="PROVIDER:NAME",
        nargs="+",
        help="the levels, such as embedded:FILE.gguf; the first is what the others are compared"
        " with; asked one after the other",
    )
    which.add_argument(
        "--predictions",
        metavar="FILE",
        type=Path,
        nargs="+",
        help="the levels' stored answers instead",
    )
    parser.add_argument(
        "--bench", metavar="NAME", help="of --model: such as humaneval-single-line, safim-block"
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
        "--out",
        metavar="DIR",
        type=Path,
        help="of --model: where each level's answers go, as JSON lines; the same command goes on",
    )
    add_conditions(parser)
    parser.add_argument(
        "--send-to-org", action="store_true", help="let the prompts for org:NAME leave this machine"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def quantization(options: Namespace) -> int:
    """Have each level answer, or read its answers, and compare.

    Raises:
        UsageError: the options contradict each other, or a model is not named as they are.
        EvaluationError: a benchmark, a file or a server cannot be used.
    """
    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import read_predictions
    from synconfroute.evaluation.quantization.levels import levels

    files, machine = (
        _answered(options)
        if options.model
        else ({_stem(file): file for file in options.predictions}, None)
    )
    answers = {
        name: with_tasks(options.data, list(read_predictions(file))) for name, file in files.items()
    }
    empty = next((files[name] for name, level in answers.items() if not level), None)
    if empty is not None:
        raise EvaluationError(f"{empty} holds no answer.")
    found = levels(answers, executed)
    if options.json:
        console.say(json.dumps({"measured": machine, "levels": [asdict(each) for each in found]}))
    else:
        console.say("\n".join(line for each in found for line in _lines(each)))
    return 0


def _answered(options: Namespace) -> tuple[dict[str, Path], dict[str, Any]]:
    """Each level's file by its name, and the machine that they were made on."""
    from synconfroute.evaluation.generation.model_name import model_name
    from synconfroute.evaluation.generation.plan import Draw, plan
    from synconfroute.evaluation.machine import load_now, this_machine
    from synconfroute.server.command.reading import read_and_tell

    names = list(dict.fromkeys(map(model_name, options.model)))
    if options.bench is None or options.out is None:
        raise UsageError("To ask models give --bench and --out too.")
    if options.draws > 1 or options.examples_by is not None:
        raise UsageError("Each level answers each task once: leave out --draws, --examples-by.")
    refuse_unasked_sending(options, names)
    settings = read_and_tell(options).settings
    draw = Draw(options.data, options.bench, None, options.sample, options.seed)
    planned = plan(draw, conditions_of(options))
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvaluationError(f"{options.out} cannot be written: {error.strerror}.") from error
    before = load_told()
    files = {}
    for name in names:
        file = options.out / f"{options.bench}.{name.for_files}.jsonl"
        _answer(planned, name, settings, file)
        files[name.for_files] = file
    return files, {
        "machine": asdict(this_machine()),
        "load_before": asdict(before),
        "load_after": asdict(load_now()),
    }


def _answer(planned: "Plan", name: "ModelName", settings: "Settings", file: Path) -> None:
    """Have one level answer, with a bar."""
    import asyncio

    from tqdm import tqdm

    from synconfroute.evaluation.generation.engine_turn import engine_turn
    from synconfroute.evaluation.generation.session import passes
    from synconfroute.evaluation.quantization.answering import answer_level

    record = planned.record(name, file)
    bar = tqdm(total=len(planned.tasks), unit="task", desc=str(name), leave=False, disable=None,
               file=sys.stderr)  # fmt: skip
    with record.held(), engine_turn(name), bar:
        asyncio.run(answer_level(planned, name, settings, record, passes, bar.update))


def _stem(file: Path) -> str:
    return file.name.removesuffix(".gz").removesuffix(".jsonl")


def _lines(level: "Level") -> Iterator[str]:
    """One level for people."""
    yield console.printable(f"{level.model} on {level.bench}, {level.tasks} tasks")
    yield f"  right             {level.pass_at_1.percent}"
    if level.change is not None:
        yield f"  against the first {level.change.percent}, p = {level.p:.3f} (McNemar)"
    if level.valid is not None:
        yield f"  valid             {level.valid.percent}"
    if level.seconds is not None:
        yield f"  answer            {seconds_told(level.seconds)}"
    if level.weights_bytes is not None:
        yield f"  file              {level.weights_bytes / 1e6:,.0f} MB"
    if level.engine_bytes is not None:
        yield f"  engine's memory   {level.engine_bytes / 1e6:,.0f} MB at most, behind an answer"

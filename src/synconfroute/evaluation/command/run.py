"""`synconfroute eval run`: have models answer the tasks of a benchmark, and execute the answers."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import UsageError
from synconfroute.evaluation.cluster.address import Address, address
from synconfroute.evaluation.command.conditions import add_conditions, between, conditions_of
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.generation.model_name import ModelName
    from synconfroute.evaluation.generation.plan import Plan
    from synconfroute.evaluation.generation.record import Record
    from synconfroute.evaluation.generation.session import AnswerAll
    from synconfroute.evaluation.generation.summary import Summary
    from synconfroute.evaluation.predictions import Prediction
    from synconfroute.server.settings.tree import Settings

_MOST_CUT = 0.5
_WHOLE_PROMPTS = (
    "Most prompts were cut to what this machine evaluates in time, as the server cuts them: --cut"
    " context sends them whole, into another --out."
)


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=run)
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
        help="ollama:NAME, embedded:NAME or .gguf file, openai:NAME (at local.url),"
        " org:NAME (at org.url); several are asked one after the other",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=Path,
        required=True,
        help="where the answers go, as JSON lines; of several models each has its own file, named"
        " FILE with the model before its suffix, which `eval routes` reads; a run that was"
        " interrupted goes on with the same command",
    )
    add_conditions(parser)
    _add_choice_of_tasks(parser)
    parser.add_argument(
        "--send-to-org", action="store_true", help="let the prompts for org:NAME leave this machine"
    )
    parser.add_argument(
        "--on",
        metavar="ray://HOST:PORT",
        help="have the nodes of a Ray cluster ask and execute (extra `cluster`); tasks and prompts"
        " go there",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def _add_choice_of_tasks(parser: ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    most = 10**9
    group.add_argument(
        "--limit", metavar="N", type=between(1, most), help="the first N tasks of each benchmark"
    )
    group.add_argument(
        "--sample", metavar="N", type=between(1, most), help="N tasks of each, drawn at random"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=42, help="of the draw: 42")


def run(options: Namespace) -> int:
    """Answer, execute and record.

    Raises:
        UsageError: the options contradict each other, or a model is not named as they are.
        EvaluationError: a benchmark, a file or a server cannot be used.
    """
    from synconfroute.evaluation.generation.model_name import model_name
    from synconfroute.evaluation.generation.plan import Draw, files_for, plan
    from synconfroute.server.command.reading import read_and_tell

    models = list(dict.fromkeys(map(model_name, options.model)))
    _refuse_what_cannot_be(options, models)
    on = None if options.on is None else address(options.on)
    settings = read_and_tell(options).settings
    draw = Draw(options.data, options.bench, options.limit, options.sample, options.seed)
    planned = plan(draw, conditions_of(options), _answers_for_examples(options))
    results: list[Summary] = []
    with _answering(on) as answer_all:
        for model, seed, file in files_for(options.out, models, options.draws):
            planned = replace(planned, conditions=replace(planned.conditions, seed=seed))
            record = planned.record(model, file)
            with record.held():
                answers = _answers(planned, model, record, settings, answer_all)
            results += _told(answers, record, as_json=options.json)
    if options.json:
        console.say(json.dumps([asdict(result) for result in results]))
    return 0


def _refuse_what_cannot_be(options: Namespace, models: Sequence["ModelName"]) -> None:
    if options.out.suffix == ".gz":
        raise UsageError("A run appends to its file: give --out a name without .gz.")
    if options.draws > 1 and not options.temperature:
        raise UsageError("At temperature 0 every draw is the same: give --temperature 0.6 too.")
    if not options.send_to_org and any(model.provider == "org" for model in models):
        raise UsageError(
            "Nothing was sent: models of the organisation's server are asked only with"
            " --send-to-org."
        )


def _answers_for_examples(options: Namespace) -> dict[tuple[str, str], str] | None:
    """What a model would have inserted, by benchmark and task id."""
    if options.examples_by is None or not options.shots:
        return None
    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import read_predictions

    stored = with_tasks(options.data, list(read_predictions(options.examples_by)))
    return {(each.task.bench, each.task.id): each.cleaned for each in stored}


@contextmanager
def _answering(on: Address | None) -> "Iterator[AnswerAll]":
    """Who has the tasks answered: this machine, or the cluster at an address."""
    if on is None:
        from synconfroute.evaluation.generation.session import answer_all

        yield answer_all
        return
    from synconfroute.evaluation.cluster import session
    from synconfroute.evaluation.cluster.ray_cluster import RayCluster

    with closing(RayCluster(on)) as cluster:
        yield partial(session.answer_all, cluster)


def _answers(
    planned: "Plan",
    model: "ModelName",
    record: "Record",
    settings: "Settings",
    answer_all: "AnswerAll",
) -> list["Prediction"]:
    """All answers of a model, with a bar while there is something to ask."""
    import asyncio

    from tqdm import tqdm

    done = record.resume()
    bar = tqdm(
        total=len(planned.tasks),
        initial=len(done),
        unit="task",
        desc=str(model),
        leave=False,
        disable=None,
        file=sys.stderr,
    )
    with bar:
        return asyncio.run(
            answer_all(
                planned,
                model,
                settings,
                record,
                done,
                on_answer=bar.update,
                tell=lambda sentence: bar.write(console.printable(sentence), file=sys.stderr),
            )
        )


def _told(answers: Sequence["Prediction"], record: "Record", *, as_json: bool) -> list["Summary"]:
    from synconfroute.evaluation.generation.summary import summaries

    results = summaries(answers)
    for each in () if as_json else results:
        console.say(console.printable(f"{each.sentence} {record.file}"))
        if each.prompt_cut > _MOST_CUT:
            console.complain(_WHOLE_PROMPTS)
    return results

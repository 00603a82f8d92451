"""`synconfroute eval report`: a study of two models' answers as Markdown and as one page."""

import asyncio
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.command import routes
from synconfroute.server.command import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synconfroute.evaluation.report.blocks import Document
    from synconfroute.evaluation.report.content import Findings, Source
    from synconfroute.evaluation.report.failures import Failures
    from synconfroute.evaluation.routing.example import Example
    from synconfroute.validators.verdict import Outcome

_NAMES = {"live": "server's validator", "paper": "paper's validator"}


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=report)
    routes.add_answers(parser)
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="where the report goes"
    )


def report(options: Namespace) -> int:
    """Replay the strategies and write what they give.

    Raises:
        EvaluationError: the answers or the benchmarks cannot be used, or nothing can be written.
    """
    routes.require_packages()
    from synconfroute.evaluation.report.content import document

    _write(options.out, document(_findings(options)))
    console.say(f"{options.out / 'report.html'}\n{options.out / 'report.md'}")
    return 0


def _findings(options: Namespace) -> "Findings":
    from synconfroute.evaluation.report.content import Findings
    from synconfroute.evaluation.report.failures import complement, suspicions
    from synconfroute.evaluation.routing.strategies import strategies
    from synconfroute.evaluation.routing.study import study

    examples = routes.examples_of(options)
    found = study(examples, strategies(routes.vector_of(examples)), options.protocol)
    return Findings(
        _bench(options),
        options.text,
        options.protocol,
        _sources(options),
        found,
        _failures(examples, options.validator),
        suspicions(examples),
        complement(examples),
    )


def _sources(options: Namespace) -> "list[Source]":
    from synconfroute.evaluation.predictions import read_predictions
    from synconfroute.evaluation.report.sources import source

    files = (("local", options.local), ("larger", options.larger))
    return [source(role, file, list(read_predictions(file))) for role, file in files]


def _bench(options: Namespace) -> str:
    """The benchmarks that the answers are to."""
    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import read_predictions

    stored = with_tasks(options.data, list(read_predictions(options.local)))
    return ", ".join(dict.fromkeys(each.task.bench for each in stored))


def _failures(examples: "Sequence[Example]", validator: str) -> "list[Failures]":
    """By the verdicts that the study is made with, and by the other validator's."""
    from synconfroute.evaluation.report.failures import failures

    own = [each.sight.verdict.outcome for each in examples]
    found = [failures(examples, own, _NAMES[validator])]
    other = "paper" if validator == "live" else "live"
    try:
        theirs = asyncio.run(_judged(examples, other))
    except EvaluationError as error:
        console.complain(f"Without the {_NAMES[other]}: {error}")
        return found
    return [*found, failures(examples, theirs, _NAMES[other])]


async def _judged(examples: "Sequence[Example]", validator: str) -> "list[Outcome]":
    from synconfroute.evaluation.generation.verdicts import verdicts_of
    from synconfroute.server.completion.hole import Hole

    verdicts = verdicts_of(validator)
    outcomes = []
    try:
        for each in console.progress(examples, "verdict"):
            sight = each.sight
            hole = Hole(sight.language, sight.prefix, sight.suffix)
            outcomes.append((await verdicts.verdict(hole, sight.text)).outcome)
    finally:
        await verdicts.aclose()
    return outcomes


def _write(folder: Path, document: "Document") -> None:
    from synconfroute.evaluation.report.markdown import markdown, picture_file
    from synconfroute.evaluation.report.page import page

    files = {"report.html": page(document), "report.md": markdown(document)}
    files |= {f"{each.name}.svg": picture_file(each) for each in document.pictures()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise EvaluationError(f"{folder} cannot be written: {said}.") from None

"""`synconfroute eval report`: the study of all answers at hand, as Markdown and as one page."""

import asyncio
import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.command import routes
from synconfroute.server.command import console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synconfroute.evaluation.report.blocks import Document
    from synconfroute.evaluation.report.findings import Findings
    from synconfroute.evaluation.report.latencies import Latencies
    from synconfroute.evaluation.routing.example import Example
    from synconfroute.evaluation.routing.strategy import Strategy


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=report)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    for name, model in (("--local", "local models'"), ("--larger", "larger models'")):
        parser.add_argument(
            name, metavar="FILE", type=Path, nargs="+", action="extend", required=True,
            help=f"{model} answers, JSON lines, to any benchmarks, asked for in any way",
        )  # fmt: skip
    parser.add_argument(
        "--latency", metavar="FILE", type=Path, nargs="+", action="extend", default=[],
        help="how long models take, as `eval latency` writes it",
    )  # fmt: skip
    parser.add_argument(
        "--text",
        choices=("raw", "unrepaired", "cleaned", "mended"),
        help="how answers are read, as in `eval routes` (default: as the profile that they were"
        " asked under cleans them; raw where their file does not say)",
    )
    parser.add_argument(
        "--validator",
        choices=("live", "paper"),
        help="who judges them: the server's validator, or whole-file parsing (default: by the"
        " profile)",
    )
    routes.add_protocol(parser)
    parser.add_argument(
        "--out", metavar="DIR", type=Path, required=True, help="where the report goes"
    )


def report(options: Namespace) -> int:
    """Find what there is to say of the answers, and write it.

    Raises:
        EvaluationError: the answers or the benchmarks cannot be used, or nothing can be written.
    """
    routes.require_packages()
    from synconfroute.evaluation.report.content import document

    _write(options.out, document(asyncio.run(_findings(options))))
    console.say(f"{options.out / 'report.html'}\n{options.out / 'report.md'}")
    return 0


async def _findings(options: Namespace) -> "Findings":
    from synconfroute.evaluation.report import gathering
    from synconfroute.evaluation.report.findings import Findings
    from synconfroute.evaluation.report.given import Reader
    from synconfroute.evaluation.report.judged import Judge

    files = [*options.local, *options.larger]
    latencies = _latencies(options.latency)
    answers = Reader(options.data, console.complain).answers(
        [("local", file) for file in options.local] + [("larger", file) for file in options.larger]
    )
    judge = Judge(options.text, options.validator, console.progress)
    try:
        levels = [await judge.judged(each) for each in answers if not each.arm.temperature]
        judged = gathering.without_doubles(levels)
        draws = [each for each in answers if each.arm.temperature]
        lines = gathering.routed_pairs(judged, _strategies, options.protocol)
        for pairing in lines:
            if pairing.alone:
                console.complain(
                    f"{pairing.name}, {pairing.bench}: {pairing.alone} answers are left out: the"
                    " other model has none."
                )
        return Findings(
            judged,
            levels,
            lines,
            gathering.safim_pairs(judged, lines),
            await gathering.failing(lines, judge, console.complain),
            await gathering.repairs(judged, judge),
            gathering.few_shot(judged, options.data, files),
            gathering.voted(draws, judged),
            latencies,
            options.protocol,
            _command(options),
        )
    finally:
        await judge.aclose()


def _latencies(files: "Sequence[Path]") -> "Latencies":
    from synconfroute.evaluation.latency.document import read_latency
    from synconfroute.evaluation.report.latencies import Latencies

    return Latencies([read_latency(file) for file in files])


def _strategies(examples: "Sequence[Example]") -> "Sequence[Strategy]":
    from synconfroute.evaluation.routing.strategies import strategies

    return strategies(routes.vector_of(examples))


def _command(options: Namespace) -> str:
    """The command without folders, which are of no use to others."""
    parts = ["synconfroute eval report --data DATA"]
    parts += [
        f"--{name} {' '.join(shlex.quote(file.name) for file in files)}"
        for name in ("local", "larger", "latency")
        if (files := getattr(options, name))
    ]
    parts += [
        f"--{name} {value}"
        for name in ("text", "validator")
        if (value := getattr(options, name)) is not None
    ]
    if options.protocol != "cv":
        parts.append(f"--protocol {options.protocol}")
    return " \\\n    ".join([*parts, "--out OUT"])


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

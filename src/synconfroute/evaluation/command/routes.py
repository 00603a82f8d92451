"""`synconfroute eval routes`: routing strategies, replayed on stored answers of two models."""

import asyncio
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import EvaluationError
from synconfroute.server.command import console

if TYPE_CHECKING:
    import numpy as np

    from synconfroute.evaluation.routing.example import Example, Sight
    from synconfroute.evaluation.routing.gates.gate import Gate
    from synconfroute.evaluation.routing.strategies.nearest import Vector
    from synconfroute.evaluation.routing.study import Study

_NEEDED = ("numpy", "scipy", "sklearn", "tokenizers", "pyflakes")


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=routes)
    add_answers(parser)
    parser.add_argument(
        "--gates",
        action="store_true",
        help="also measure lint, types and agreement, which the paper tried and dropped",
    )
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="also write each task's score by each strategy"
    )
    parser.add_argument(
        "--numbers",
        metavar="FILE",
        type=Path,
        help="also write the score's numbers for the local model, fitted on all tasks",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_answers(parser: ArgumentParser) -> None:
    """Add the options that say which answers are replayed, and how."""
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    for name, model in (("--local", "the local model's"), ("--larger", "the larger model's")):
        parser.add_argument(
            name, metavar="FILE", type=Path, required=True, help=f"{model} answers, JSON lines"
        )
    parser.add_argument(
        "--text",
        choices=("raw", "unrepaired", "cleaned", "mended"),
        default="raw",
        help="the answers as the benchmark reads them; as the server cleans them; as it cleans"
        " them and makes its sure repairs; with every repair it knows",
    )
    add_protocol(parser)
    parser.add_argument(
        "--validator",
        choices=("live", "paper"),
        default="live",
        help="who judges the local answers: the server's validator, or whole-file parsing",
    )


def add_protocol(parser: ArgumentParser) -> None:
    """Add the option that says how fitting and testing are kept apart."""
    parser.add_argument(
        "--protocol",
        choices=("cv", "paper"),
        default="cv",
        help="five folds by function, or the paper's 200 tasks to fit on and the rest to test on",
    )


def routes(options: Namespace) -> int:
    """Replay the strategies and print what they give.

    Raises:
        EvaluationError: the answers or the benchmarks cannot be used.
    """
    require_packages()
    from synconfroute.evaluation.routing.document import document
    from synconfroute.evaluation.routing.strategies import strategies
    from synconfroute.evaluation.routing.study import study
    from synconfroute.evaluation.routing.table import table

    examples = examples_of(options)
    found = study(examples, strategies(vector_of(examples)), options.protocol)
    gates = _gates(examples) if options.gates else ()
    if options.out is not None:
        _write_scores(options.out, found)
    if options.numbers is not None:
        _write_numbers(options.numbers, examples, options.local)
    if options.json:
        console.say(json.dumps(document(found, gates)))
    else:
        for line in table(found, gates):
            console.say(line)
    return 0


def require_packages() -> None:
    """Make sure that the extra `eval` is installed.

    Raises:
        EvaluationError: it is not.
    """
    if any(find_spec(name) is None for name in _NEEDED):
        raise EvaluationError("Routing needs more packages: pip install 'synconfroute[eval]'.")


def examples_of(options: Namespace) -> "list[Example]":
    """The answers that the options of `add_answers` name, judged and executed.

    Raises:
        EvaluationError: the answers or the benchmarks cannot be used.
    """
    from synconfroute.evaluation.generation.verdicts import verdicts_of
    from synconfroute.evaluation.routing.answers import examples, paired

    pairs = paired(options.data, options.local, options.larger)
    if pairs.alone:
        console.complain(f"{pairs.alone} answers are left out: the other file has none.")
    if len({each.task.group for each in pairs.local}) < 2:
        raise EvaluationError("Fitting and testing need tasks of at least two functions.")

    async def judged() -> "list[Example]":
        verdicts = verdicts_of(options.validator)
        try:
            return await examples(pairs, options.text, verdicts, console.progress)
        finally:
            await verdicts.aclose()

    return asyncio.run(judged())


def vector_of(examples: "Sequence[Example]") -> "Vector | None":
    """The embedding of each hole; None where the model cannot be had, which is said."""
    from synconfroute.evaluation.routing.embedding.holes import vectors

    try:
        made = vectors([example.sight for example in examples], console.progress)
    except EvaluationError as error:
        console.complain(f"Without knn, combined and eagle: {error}")
        return None

    def vector(sight: "Sight") -> "np.ndarray":
        return made[sight.task_id]

    return vector


def _gates(examples: "Sequence[Example]") -> "tuple[Gate, ...]":
    from synconfroute.evaluation.routing.gates.agreement import agreement
    from synconfroute.evaluation.routing.gates.lint import lint
    from synconfroute.evaluation.routing.gates.types import types

    found = (lint(examples), types(examples), agreement(examples))
    return tuple(gate for gate in found if gate is not None)


def _write_scores(file: Path, study: "Study") -> None:
    from synconfroute.evaluation.routing.document import scores

    _write(file, "".join(json.dumps(row) + "\n" for row in scores(study)))


def _write_numbers(file: Path, examples: "Sequence[Example]", local: Path) -> None:
    """As `server/completion/score_numbers.json` has them; one language at a time."""
    from synconfroute.evaluation.predictions import model_of, read_predictions
    from synconfroute.evaluation.routing.strategies.score import score
    from synconfroute.server.completion.thresholds import model_key

    rows = []
    for language in sorted({example.sight.language for example in examples}):
        these = [example for example in examples if example.sight.language == language]
        numbers = score(these).numbers
        rows.append(
            {
                "models": [model_key(model_of(read_predictions(local), local))],
                "language": language,
                "run": f"{len(these)} executed answers of {local.name}",
                "bias": round(numbers.bias, 3),
                "weights": {name: round(at, 3) for name, at in numbers.weights.items() if at > 0},
            }
        )
    _write(file, json.dumps(rows, indent=2) + "\n")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise EvaluationError(f"{file} cannot be written: {said}.") from error

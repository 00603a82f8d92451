"""`synconfroute eval cuts`: where stored answers of several lines should have ended."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.command.executing import executed
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.cutting.study import Part
    from synconfroute.evaluation.cutting.ways import Ways
    from synconfroute.evaluation.generation.stored import Stored
    from synconfroute.evaluation.routing.statistics import Share


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=cuts)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        type=Path,
        nargs="+",
        required=True,
        help="answers of several lines, as `eval run --stop none` writes them",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def cuts(options: Namespace) -> int:
    """Cut answers in each way, execute them, and compare with the best cut there is.

    Raises:
        EvaluationError: the answers or the benchmarks cannot be used.
    """
    import asyncio

    from synconfroute.evaluation.cutting.study import study

    parts = study(asyncio.run(_cut(_answers(options.data, options.predictions))), executed)
    if options.json:
        console.say(json.dumps({"parts": [asdict(part) for part in parts]}))
    else:
        console.say("\n".join(line for part in parts for line in _lines(part)))
    return 0


def _answers(data: Path, files: Sequence[Path]) -> "list[Stored]":
    from synconfroute.evaluation.generation.conditions import is_single_line
    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import read_predictions

    answers = with_tasks(data, [each for file in files for each in read_predictions(file)])
    single = next((each for each in answers if is_single_line(each.task.bench)), None)
    if single is not None:
        raise EvaluationError(f"The holes of {single.task.bench} are within one line.")
    if not answers:
        raise EvaluationError("These files hold no answer.")
    if not any(each.prediction.tokens for each in answers):
        raise EvaluationError("These files hold no tokens, which a stream is made of.")
    return answers


async def _cut(answers: "Sequence[Stored]") -> "list[Ways]":
    from synconfroute.evaluation.cutting.replay import Replay
    from synconfroute.evaluation.cutting.ways import ways_of

    replay = Replay()
    try:
        return [await ways_of(each, replay) for each in console.progress(answers, unit="answer")]
    finally:
        replay.close()


def _lines(part: "Part") -> list[str]:
    """One part for people: a line for each way, then what the stop comes to."""
    rows = [f"  {way:<11}{_percent(share)} right" for way, share in part.pass_at_1.items()]
    reached = f"{_percent(part.of_best)} of the best cut, " if part.of_best else ""
    saved = part.saved / part.tokens if part.tokens else 0.0
    return [
        f"{part.bench}: {part.tasks} answers",
        *rows,
        f"  structural: {reached}{part.saved} of {part.tokens} tokens saved ({saved:.0%})",
    ]


def _percent(share: "Share") -> str:
    return f"{share.value:6.1%} ({share.low:.1%} to {share.high:.1%})"

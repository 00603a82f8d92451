"""`synconfroute eval vote`: the majority of several draws of answers."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.command.executing import executed
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.generation.stored import Stored
    from synconfroute.evaluation.generation.voting import Vote


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=vote)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        type=Path,
        nargs="+",
        required=True,
        help="the draws, as `eval run --draws N --temperature T` writes them",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def vote(options: Namespace) -> int:
    """Let 3, 5, 7 and 10 draws vote, or as many as there are, beside the first draw alone.

    Raises:
        EvaluationError: the answers cannot be used, or are not to the same tasks.
    """
    from synconfroute.evaluation.generation.voting import SIZES, texts_of
    from synconfroute.evaluation.generation.voting import vote as counted

    ballots = _ballots(options.data, options.predictions)
    pairs = [
        (ballot[0].task, text)
        for ballot, texts in zip(ballots, texts_of(ballots), strict=True)
        for text in dict.fromkeys(texts)
    ]
    passes = {
        (task.bench, task.id, text): right
        for (task, text), right in zip(pairs, executed(pairs), strict=True)
    }
    sizes = [1, *(size for size in SIZES if size <= len(options.predictions))]
    votes = [counted(ballots, size, passes) for size in sizes]
    groups = [ballot[0].task.group for ballot in ballots]
    rows = [_row(each, groups) for each in votes]
    if options.json:
        console.say(json.dumps({"tasks": len(ballots), "votes": rows}))
        return 0
    for row in rows:
        low, high = row["ci95"]
        console.say(
            f"{row['answers']:3} voting: {row['pass_at_1']:.1%} right (95 % interval {low:.1%} to"
            f" {high:.1%}), {row['distinct']:.1f} different texts a task, no right one for"
            f" {row['hopeless']} of {len(ballots)}"
        )
    return 0


def _row(vote: "Vote", groups: list[str]) -> dict[str, Any]:
    from synconfroute.evaluation.routing.statistics import interval_by_group

    return {
        "answers": vote.answers,
        "pass_at_1": sum(vote.right) / len(vote.right),
        "ci95": interval_by_group(vote.right, groups),
        "distinct": vote.distinct,
        "hopeless": vote.hopeless,
    }


def _ballots(data: Path, files: list[Path]) -> "list[list[Stored]]":
    """The answers to each task that all draws have, in the order of the first."""
    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import read_predictions

    draws = [
        {
            (each.task.bench, each.task.id): each
            for each in with_tasks(data, list(read_predictions(file)))
        }
        for file in files
    ]
    common = [key for key in draws[0] if all(key in draw for draw in draws)]
    if not common:
        raise EvaluationError("These files have no task in common.")
    left = sum(len(draw) - len(common) for draw in draws)
    if left:
        console.complain(f"{left} answers are left out: not every draw has that task.")
    return [[draw[key] for draw in draws] for key in common]

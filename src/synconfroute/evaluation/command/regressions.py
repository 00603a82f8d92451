"""`synconfroute eval regressions`: what examples in the prompt gain and lose."""

import json
from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from synconfroute.evaluation.command.executing import executed
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.generation.stored import Stored
    from synconfroute.evaluation.shots.pairing import Answers
    from synconfroute.evaluation.shots.regressions import Arm

_KINDS = {"indentation": "indentation-copying", "content": "content-copying", "other": "other"}


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=regressions)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    parser.add_argument(
        "--zero", metavar="FILE", type=Path, required=True, help="answers without examples"
    )
    parser.add_argument(
        "--shots",
        metavar="FILE",
        type=Path,
        nargs="+",
        required=True,
        help="answers of the same model with examples, as `eval run --shots N` writes them; each"
        " file is an arm",
    )
    parser.add_argument(
        "--examples-by",
        metavar="FILE",
        type=Path,
        nargs="+",
        default=[],
        help="the answers that stood in the examples, where a model wrote these",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def regressions(options: Namespace) -> int:
    """Compare each arm with the answers without examples, on the tasks that both have.

    Raises:
        EvaluationError: the answers cannot be used, or cannot be compared.
    """
    from synconfroute.evaluation.shots.pairing import Pairing, arm_of
    from synconfroute.evaluation.shots.regressions import compare

    zero = _stored(options.data, options.zero)
    pairing = Pairing(options.data, zero, _written(options.data, options.examples_by))
    arms = []
    for file in options.shots:
        shot = _stored(options.data, file)
        arms += compare(arm_of(shot), pairing.pairs(shot), executed)
    if options.json:
        console.say(json.dumps({"arms": [asdict(arm) for arm in arms]}))
    else:
        console.say("\n".join(line for arm in arms for line in _lines(arm)))
    return 0


def _stored(data: Path, file: Path) -> "list[Stored]":
    from synconfroute.errors import EvaluationError
    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import read_predictions

    stored = with_tasks(data, list(read_predictions(file)))
    if not stored:
        raise EvaluationError(f"{file} holds no answer.")
    return stored


def _written(data: Path, files: list[Path]) -> "dict[str, Answers]":
    """What models wrote, by the digest of its file."""
    from synconfroute.evaluation.predictions import digest_of_file

    return {
        digest_of_file(file): {
            (each.task.bench, each.task.id): each.cleaned for each in _stored(data, file)
        }
        for file in files
    }


def _lines(arm: "Arm") -> list[str]:
    """One arm for people."""
    kinds = ", ".join(
        f"{count} {_KINDS[kind]}" + (f" ({count / len(arm.lost):.0%})" if arm.lost else "")
        for kind, count in arm.kinds.items()
    )
    cues = ", ".join(f"{cue} {count}" for cue, count in arm.cues.items()) or "none"
    return [
        f"{arm.name} on {arm.bench}, {arm.tasks} tasks",
        f"  without examples  {arm.zero.percent} right",
        f"  with them         {arm.shot.percent} right",
        f"  change            {arm.change.percent}; {arm.gained} gained, {len(arm.lost)} lost,"
        f" p = {arm.p:.3f} (McNemar)",
        f"  lost              {kinds}; cues: {cues}",
    ]

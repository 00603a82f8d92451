"""`synconfroute eval clean`: what cleaning and the verdict do to stored answers."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.command.executing import executed
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.datasets.task import Task
    from synconfroute.evaluation.generation.bake_off import Appearance
    from synconfroute.evaluation.generation.stored import Stored


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=clean)
    parser.add_argument("--data", metavar="DIR", type=Path, required=True, help="the benchmarks")
    parser.add_argument(
        "--predictions",
        metavar="FILE",
        type=Path,
        required=True,
        help="answers as `eval run` writes them; compressed where the name ends in .gz",
    )
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="also write the texts that were executed"
    )
    parser.add_argument(
        "--reading",
        choices=("live", "paper", "unrepaired"),
        help="clean them as the server does, as the paper does, or as the paper but without its"
        " repair of the indentation (default: by the profile that they were asked under)",
    )
    parser.add_argument(
        "--bake-off",
        action="store_true",
        help="also count what users see with nothing done and as the server shows it: texts with"
        " which the whole file parses, lines that stand right below or elsewhere in the file"
        " already, right answers dropped",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def clean(options: Namespace) -> int:
    """Execute answers raw and as they would be shown, and compare.

    Raises:
        EvaluationError: the answers or the benchmarks cannot be used.
    """
    import asyncio

    from synconfroute.evaluation.generation.stored import with_tasks
    from synconfroute.evaluation.predictions import read_predictions

    answers = with_tasks(options.data, list(read_predictions(options.predictions)))
    answers = [replace(each, read_as=options.reading) for each in answers]
    if not answers:
        raise EvaluationError(f"{options.predictions} holds no answer.")
    shown = asyncio.run(_shown(answers))
    if options.out is not None:
        _write(options.out, answers, shown)
    raw_pairs = [(each.task, each.raw) for each in answers]
    cleaned_pairs = [(each.task, text) for each, text in zip(answers, shown, strict=True)]
    passed = executed([*raw_pairs, *cleaned_pairs])
    counts = _counts(passed[: len(answers)], passed[len(answers) :])
    appearances = {}
    if options.bake_off:
        texts = [each.raw for each in answers] + shown
        appearances = asyncio.run(_appearances([each.task for each in answers], texts, passed))
    if options.json:
        console.say(json.dumps(counts | {key: asdict(each) for key, each in appearances.items()}))
        return 0
    console.say(_sentence(counts))
    for name, each in appearances.items():
        console.say(_seen(name, each))
    return 0


async def _shown(answers: "Sequence[Stored]") -> list[str]:
    """What a user sees of each answer where nothing can be escalated."""
    from synconfroute.evaluation.generation.verdicts import verdicts_of

    judges = {name: verdicts_of(name) for name in {each.validator for each in answers}}
    try:
        return [
            await each.shown(judges[each.validator])
            for each in console.progress(answers, unit="answer")
        ]
    finally:
        for judge in judges.values():
            await judge.aclose()


async def _appearances(
    tasks: "Sequence[Task]", texts: Sequence[str], passed: Sequence[bool]
) -> "dict[str, Appearance]":
    """Of the raw texts and of the shown ones, which follow them."""
    from synconfroute.evaluation.generation.bake_off import appearance
    from synconfroute.evaluation.generation.verdicts import verdicts_of

    parser, count = verdicts_of("paper"), len(tasks)
    return {
        "nothing_done": await appearance(tasks, texts[:count], passed[:count], parser),
        "as_shown": await appearance(tasks, texts[count:], passed[count:], parser),
    }


def _counts(raw: Sequence[bool], cleaned: Sequence[bool]) -> dict[str, Any]:
    pairs = list(zip(raw, cleaned, strict=True))
    return {
        "tasks": len(pairs),
        "raw": sum(raw) / len(pairs),
        "cleaned": sum(cleaned) / len(pairs),
        "gained": sum(after and not before for before, after in pairs),
        "lost": sum(before and not after for before, after in pairs),
    }


def _sentence(counts: dict[str, Any]) -> str:
    return (
        f"{counts['tasks']} answers: {counts['raw']:.1%} right raw, {counts['cleaned']:.1%} as"
        f" shown; {counts['gained']} gained, {counts['lost']} lost."
    )


def _seen(name: str, seen: "Appearance") -> str:
    return (
        f"{name.replace('_', ' ')}: {seen.shown} shown, {seen.parses / max(seen.shown, 1):.1%} of"
        f" them parse, {seen.right} right, {seen.duplicates} repeat the line below,"
        f" {seen.echoes} stand in the file already."
    )


def _write(file: Path, answers: "Sequence[Stored]", shown: Sequence[str]) -> None:
    """One JSON object a line: the raw text with its line break, and what would be inserted."""
    rows = (
        {
            "task_id": each.prediction.task_id,
            "raw": each.raw + ("\n" if each.task.whole_lines else ""),
            "cleaned": text,
        }
        for each, text in zip(answers, shown, strict=True)
    )
    try:
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise EvaluationError(f"{file} cannot be written: {said}.") from error

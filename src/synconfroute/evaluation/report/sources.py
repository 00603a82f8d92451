"""What a file of answers says of itself: its model, how it was made, the prompt of the paper."""

import json
from pathlib import Path

from synconfroute.evaluation.predictions import Prediction, model_of
from synconfroute.evaluation.report.content import Source


def source(role: str, file: Path, answers: list[Prediction]) -> Source:
    """The source that a file is.

    Args:
        role: "local" or "larger".
        file: the file; beside it the run's own notes may lie.
        answers: all that it holds.
    """
    made = answers[0].provenance if answers else {}
    limited = [bool(each.provenance["cut_by_limit"]) for each in answers
               if "cut_by_limit" in each.provenance]  # fmt: skip
    return Source(
        role,
        model_of(answers, file),
        made,
        sum(limited) / len(limited) if limited else None,
        _prompt(file),
    )


def _prompt(file: Path) -> str:
    """The text of the chat prompt, where the run kept it."""
    try:
        notes = json.loads(file.with_name(f"{file.name}.run.json").read_text(encoding="utf-8"))
        return str(notes["prompt_text"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""

"""The numbers of `score` that ship: for which model, in which language, from which run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from synconfroute.server.completion.score import Numbers
from synconfroute.server.completion.thresholds import model_key


@dataclass(frozen=True, slots=True)
class Fitted:
    """Numbers and where they come from.

    Attributes:
        models: the names, as `model_key` gives them, under which servers offer the model.
        language: LSP language id.
        run: one sentence: which answers they were fitted on.
        numbers: the numbers.
    """

    models: tuple[str, ...]
    language: str
    run: str
    numbers: Numbers


def fitted_for(model: str, language: str) -> Fitted | None:
    """The numbers of a model's answers in a language; None where nobody has measured them.

    Args:
        model: its name on its server.
        language: LSP language id.
    """
    name = model_key(model)
    for fitted in _shipped():
        if name in fitted.models and fitted.language == language:
            return fitted
    return None


@cache
def _shipped() -> tuple[Fitted, ...]:
    file = Path(__file__).with_suffix(".json")
    return tuple(map(_fitted, json.loads(file.read_text(encoding="utf-8"))))


def _fitted(row: Mapping[str, Any]) -> Fitted:
    numbers = Numbers(row["bias"], row["weights"])
    return Fitted(tuple(row["models"]), row["language"], row["run"], numbers)

"""Which threshold holds for a rule, a model and a language, and who says so.

In order: `router.threshold`, the user's own number for everything; `router.thresholds`, what
`synconfroute calibrate --write` found; what we measured; the paper's 0.7.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from synconfroute.server.settings.tree import Router

PAPER = 0.7
"""The paper's threshold (§4.2), for a model that nobody has measured."""


class Origin(StrEnum):
    """Who says so."""

    USER = "router.threshold"
    CALIBRATED = "router.thresholds"
    MEASURED = "measured"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold and where it comes from.

    Attributes:
        value: a candidate below it escalates.
        origin: who says so.
        run: one sentence about the run that a measured one comes from, else "".
    """

    value: float
    origin: Origin
    run: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """Thresholds of one run.

    Attributes:
        models: the names, as `model_key` gives them, under which servers offer the model.
        language: LSP language id.
        values: by `router.rule`.
        run: one sentence: what was measured, with what, and what the threshold aims at.
    """

    models: tuple[str, ...]
    language: str
    values: Mapping[str, float]
    run: str


MEASURED = (
    Measured(
        models=("qwen2.5-coder:0.5b", "qwen2.5-coder-0.5b-instruct-q4_k_m"),
        language="python",
        values={"paper": 0.81, "evidence": 0.78, "score": 0.76},
        run="HumanEval-Infilling single-line, 1,033 tasks, Q4_K_M, native FIM, 1.5B as the larger"
        " model; best pass@1 with at most half escalated",
    ),
)
"""The best pass@1 without a bound is no threshold to ship: a larger model that is always better
wins it by answering everything. `synconfroute calibrate` finds the user's own."""


def threshold_for(router: Router, model: str, language: str) -> Threshold:
    """The threshold of `router.rule` for a model's answers in a language.

    Args:
        router: the settings.
        model: its name on its server, or "".
        language: LSP language id, or "".
    """
    if router.threshold is not None:
        return Threshold(router.threshold, Origin.USER)
    calibrated = router.thresholds.get(threshold_key(router.rule, model, language))
    if calibrated is not None:
        return Threshold(calibrated, Origin.CALIBRATED)
    name = model_key(model)
    for each in MEASURED:
        if name in each.models and each.language == language and router.rule in each.values:
            return Threshold(each.values[router.rule], Origin.MEASURED, each.run)
    return Threshold(PAPER, Origin.PAPER)


def threshold_key(rule: str, model: str, language: str) -> str:
    """The name of an entry of `router.thresholds`."""
    return f"{rule}/{model_key(model)}/{language}"


@lru_cache(maxsize=64)
def model_key(model: str) -> str:
    """A model's name as thresholds are kept under: no folder, no file ending, no case."""
    name = model.replace("\\", "/").rpartition("/")[2].lower()
    return name.removesuffix(".gguf").removesuffix(":latest")

"""A threshold that was chosen, with the curve that it was chosen on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.curve import Point, Trial, curve
from synconfroute.evaluation.calibration.material import Material
from synconfroute.evaluation.calibration.plot import plot
from synconfroute.evaluation.calibration.target import Precision, Quality, require_enough
from synconfroute.server.completion.router import applied
from synconfroute.server.completion.thresholds import model_key, threshold_key
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Calibration:
    """The threshold of one rule for one model in one language.

    Attributes:
        rule: the one that holds for the model.
        model: the local model.
        language: LSP language id.
        larger: the larger model, or "".
        what: where the tasks are from.
        target: what the threshold is best at.
        points: the whole grid.
        chosen: one of them.
        local: share of tasks that the local model has right.
        always_larger: that the larger model has right; None where it was not asked.
    """

    rule: str
    model: str
    language: str
    larger: str
    what: str
    target: Quality | Precision
    points: tuple[Point, ...]
    chosen: Point
    local: float
    always_larger: float | None

    @property
    def key(self) -> str:
        """The entry of `router.thresholds`."""
        return threshold_key(self.rule, self.model, self.language)

    def as_json(self) -> dict[str, Any]:
        """Everything, with the curve as [threshold, local share, pass@1, precision]."""
        chosen = self.chosen
        return {
            "rule": self.rule,
            "model": model_key(self.model),
            "language": self.language,
            "larger": self.larger or None,
            "tasks": chosen.tasks,
            "what": self.what,
            "target": str(self.target),
            "threshold": chosen.threshold,
            "pass_at_1": None if chosen.escalated_right is None else chosen.pass_at_1,
            "local_share": chosen.local_share,
            "precision": chosen.precision,
            "curve": [
                [
                    point.threshold,
                    point.local_share,
                    None if point.escalated_right is None else point.pass_at_1,
                    point.precision,
                ]
                for point in self.points
            ],
        }

    def for_people(self) -> str:
        """The curve and what was chosen, within 80 columns."""
        return "\n".join(
            [
                f"{self.language}, rule {self.rule}",
                f"local   {self.model}",
                f"larger  {self.larger or 'none was asked'}",
                f"{self.chosen.tasks} tasks {self.what}",
                "",
                plot(self.points, self.chosen),
                "",
                *self._outcome(),
            ]
        )

    def _outcome(self) -> list[str]:
        chosen = self.chosen
        lines = [f"Threshold {chosen.threshold:.2f}: {self.target}."]
        precision = "none kept" if chosen.precision is None else f"{chosen.precision:.1%} right"
        kept = f"{chosen.local_share:.1%} of the answers are kept ({precision})"
        if self.always_larger is None:
            return [
                *lines,
                f"{kept}; all local answers: {self.local:.1%} right.",
                "No larger model was asked: this is not the objective of the paper's",
                "Algorithm 1, which is the best pass@1 of both models together.",
            ]
        return [
            *lines,
            f"pass@1 {chosen.pass_at_1:.1%}; {kept}.",
            f"Always local {self.local:.1%}, always larger {self.always_larger:.1%}.",
        ]


def calibrations(
    material: Material, settings: Settings, target: Quality | Precision
) -> list[Calibration]:
    """One calibration for each language.

    Raises:
        EvaluationError: a language has too few tasks, or no threshold reaches the target.
    """
    if not material.trials:
        raise EvaluationError("None of the stored answers is to a task of this benchmark.")
    found = []
    for language, trials in material.trials.items():
        require_enough(
            len(trials), f"{language} {material.what}", "take a larger --sample or more answers"
        )
        points = curve(trials, settings)
        found.append(
            Calibration(
                applied(settings.router, material.model, language).rule,
                material.model,
                language,
                material.larger,
                material.what,
                target,
                points,
                target.choose(points),
                *_alone(trials),
            )
        )
    return found


def _alone(trials: Sequence[Trial]) -> tuple[float, float | None]:
    """What each model has right without the other."""
    larger = [trial.larger_right for trial in trials if trial.larger_right is not None]
    return (
        sum(trial.local_right for trial in trials) / len(trials),
        sum(larger) / len(larger) if larger else None,
    )

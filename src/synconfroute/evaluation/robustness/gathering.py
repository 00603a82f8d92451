"""The answers of two models in several files each, as examples that rules are tried on."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.task import Same
from synconfroute.evaluation.generation.stored import Stored, with_tasks
from synconfroute.evaluation.generation.verdicts import Verdicts
from synconfroute.evaluation.predictions import model_of, read_predictions
from synconfroute.evaluation.robustness.transfer import Split
from synconfroute.evaluation.routing.answers import Pairs, Progress, Text, examples
from synconfroute.evaluation.routing.example import Example

EXECUTED = "all"
"""All tasks that are executed; those compared with the true text are never among them."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Answers of two models to the same tasks.

    Attributes:
        local: the local model, as its answers say.
        larger: the larger one.
        pairs: the answers.
        examples: the same, judged and executed, in the same order.
    """

    local: str
    larger: str
    pairs: Pairs
    examples: tuple[Example, ...]

    @property
    def executed(self) -> tuple[Example, ...]:
        """Those that are executed."""
        return tuple(
            example
            for stored, example in zip(self.pairs.local, self.examples, strict=True)
            if not isinstance(stored.task.check, Same)
        )

    def splits(self) -> list[Split]:
        """The tasks by benchmark, and all that are executed where those are several.

        A benchmark with tasks of one function only is left out: nothing can be tested there.
        """
        benches = dict.fromkeys(stored.task.bench for stored in self.pairs.local)
        found = [
            Split(
                bench,
                tuple(
                    example
                    for stored, example in zip(self.pairs.local, self.examples, strict=True)
                    if stored.task.bench == bench
                ),
            )
            for bench in benches
        ]
        if len(found) > 1:
            found.append(Split(EXECUTED, self.executed))
        return [each for each in found if len({it.sight.group for it in each.examples}) > 1]


async def gathered(
    data: Path,
    local: Sequence[Path],
    larger: Sequence[Path],
    text: Text,
    verdicts: Verdicts,
    show: Progress,
) -> Gathered:
    """Read, join, judge and execute.

    Args:
        data: the folder with the benchmarks.
        local: the local model's files.
        larger: the larger model's.
        text: how the answers are read, see `routing.answers.examples`.
        verdicts: who judges.
        show: shows how far it is.

    Raises:
        EvaluationError: a file or the benchmarks cannot be used, the files of one side are of
            several models, or no task is in both.
    """
    ours, theirs = _by_task(data, local), _by_task(data, larger)
    common = [key for key in ours if key in theirs]
    if not common:
        raise EvaluationError(f"{local[0]} and {larger[0]} have no task in common.")
    pairs = Pairs(
        tuple(ours[key] for key in common),
        tuple(theirs[key] for key in common),
        len(ours) + len(theirs) - 2 * len(common),
    )
    made = await examples(pairs, text, verdicts, show)
    return Gathered(_model(local), _model(larger), pairs, tuple(made))


def _by_task(data: Path, files: Sequence[Path]) -> dict[tuple[str, str], Stored]:
    stored = with_tasks(data, [each for file in files for each in read_predictions(file)])
    return {(each.task.bench, each.task.id): each for each in stored}


def _model(files: Sequence[Path]) -> str:
    """The one model that these files' answers are of."""
    models = list(dict.fromkeys(model_of(read_predictions(file), file) for file in files))
    if len(models) > 1:
        raise EvaluationError(f"These answers are of several models: {', '.join(models)}.")
    return models[0]

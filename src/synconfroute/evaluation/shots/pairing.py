"""Which answers belong together, and what stood in the prompts, as the answers' own rows say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets import load
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.shots.regressions import Pair

_SAME = (
    "model", "provider", "profile", "prompt", "cursor", "suffix", "indentation", "hint", "healing",
    "max_tokens", "stop", "temperature",
)  # fmt: skip
"""Of a row: what must not differ, or a change could come from it."""

Answers = Mapping[tuple[str, str], str]
"""What a model wrote, by benchmark and task id."""


class Pairing:
    """Joins answers with examples and answers without."""

    def __init__(
        self, data: Path, zero: Sequence[Stored], written: Mapping[str, Answers] | None = None
    ) -> None:
        """Take over the answers without examples.

        Args:
            data: the folder with the benchmarks.
            zero: the answers.
            written: what models wrote that stands in examples, by the digest of its file.

        Raises:
            EvaluationError: an answer had examples.
        """
        if any(_row(each).get("shots") for each in zero):
            raise EvaluationError("The file given as --zero has answers with examples.")
        self._data = data
        self._zero = {(each.task.bench, each.task.id): each for each in zero}
        self._written = written or {}
        self._tasks: dict[str, dict[str, Task]] = {}

    def pairs(self, shot: Sequence[Stored]) -> list[Pair]:
        """The tasks that have both answers, in the order of these.

        Raises:
            EvaluationError: these had no examples, no task is in both, or something else differs
                between the answers to a task; or what a model wrote in the examples is not here.
        """
        if not all(_row(each).get("shots") for each in shot):
            raise EvaluationError("A file given as --shots has answers without examples.")
        pairs = [
            Pair(self._zero[key], each, self._examples(each))
            for each in shot
            if (key := (each.task.bench, each.task.id)) in self._zero
        ]
        if not pairs:
            raise EvaluationError("These files have no task in common.")
        for pair in pairs:
            _require_like(_row(pair.zero), _row(pair.shot))
        return pairs

    def _examples(self, shot: Stored) -> tuple[Task, ...]:
        bench, row = shot.task.bench, _row(shot)
        if bench not in self._tasks:
            self._tasks[bench] = {task.id: task for task in load(self._data, bench)}
        found = [self._tasks[bench].get(str(name)) for name in row.get("examples", ())]
        by = str(row.get("examples_by", ""))
        written = self._written_by(by) if by else {}
        try:
            return tuple(
                replace(task, truth=written[bench, task.id]) if by else task
                for task in found
                if task is not None
            )
        except KeyError as missing:
            raise EvaluationError(f"{by} has no answer to {missing.args[0][1]}.") from None

    def _written_by(self, name: str) -> Answers:
        """The answers of a file, named as `examples_by` does: with its digest in brackets."""
        digest = name.rpartition("(")[2].rstrip(")")
        if digest not in self._written:
            raise EvaluationError(
                f"What stood in the examples is from {name}: give that file as --examples-by."
            )
        return self._written[digest]


def arm_of(shot: Sequence[Stored]) -> str:
    """The arm of some answers for people: how many examples, how found, who wrote them."""
    row = _row(shot[0])
    by = str(row.get("examples_by", "")).partition(" (")[0]
    return f"{row.get('shots')}-shot {row.get('examples_as')}" + (f" by {by}" if by else "")


def _row(stored: Stored) -> Mapping[str, Any]:
    return stored.prediction.provenance


def _require_like(zero: Mapping[str, Any], shot: Mapping[str, Any]) -> None:
    differ = [name for name in _SAME if zero.get(name, shot.get(name)) != shot.get(name)]
    if differ:
        name = differ[0]
        raise EvaluationError(
            f"These answers differ in {name} too ({zero[name]} and {shot.get(name)}), so what the"
            " examples do cannot be told."
        )

"""The answers at hand: files read, and put together by model, benchmark and arm."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets import BENCHES, load
from synconfroute.evaluation.datasets.task import Same, Task
from synconfroute.evaluation.generation.stored import Stored, with_tasks
from synconfroute.evaluation.predictions import model_of, read_predictions
from synconfroute.evaluation.report.arms import Arm, arm_of
from synconfroute.evaluation.report.naming import Named, named

Role = Literal["local", "larger"]
SEED = 42
"""With which `eval run` draws a sample where nothing else is asked for."""


_Key = tuple[Role, Named, str, Arm, int | None, bool]
"""Role, model, benchmark, arm, seed, weighed: what answers have in common that belong together."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where answers come from.

    Attributes:
        file: the file's name, without its folder.
        provider: who served the model, as it was named; "" where unknown.
        model: as it was recorded.
        prompt_text: the paper's chat prompt, where the run used it; else "".
        asked: which tasks were asked for, as options of `eval run`; "" where that is not kept.
    """

    file: str
    provider: str
    model: str
    prompt_text: str = ""
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one model to one benchmark, asked for in one way.

    Attributes:
        role: "local" or "larger".
        model: whose they are.
        bench: the benchmark.
        arm: how they were asked for.
        seed: of the draw, above temperature 0.
        weighed: they were made to compare levels (`eval quantization`): one after the other, with
            what the engine weighed.
        stored: with their tasks.
        tasks: how many tasks the benchmark has.
        drawn: which of them these are, in words.
        origins: the files.
    """

    role: Role
    model: Named
    bench: str
    arm: Arm
    seed: int | None
    weighed: bool
    stored: tuple[Stored, ...]
    tasks: int
    drawn: str
    origins: tuple[Origin, ...]

    @property
    def whole(self) -> bool:
        """True if every task of the benchmark was answered."""
        return len(self.stored) == self.tasks

    @property
    def compared(self) -> bool:
        """True if the tasks have no tests: answers are compared with the true text."""
        return isinstance(self.stored[0].task.check, Same)

    @property
    def groups(self) -> list[str]:
        """The function or problem of each."""
        return [each.task.group for each in self.stored]


class Reader:
    """Reads files of answers; each benchmark is read once."""

    def __init__(self, data: Path, complain: Callable[[str], None]) -> None:
        """Take the tasks from this folder.

        Args:
            data: the folder.
            complain: is told, in one sentence, what is left out.
        """
        self._data = data
        self._complain = complain
        self._tasks: dict[str, list[Task]] = {}

    def answers(self, files: Iterable[tuple[Role, Path]]) -> list[Answers]:
        """What is in the files: the models in the order given, of each the benchmarks in theirs.

        Of two answers to one task, asked for in the same way, the first counts.

        Raises:
            EvaluationError: a file cannot be used, an answer is to no known task, or the files of
                one role hold no answer.
        """
        found: dict[_Key, dict[str, Stored]] = {}
        origins: dict[_Key, dict[Origin, None]] = {}
        for role, file in files:
            predictions = list(read_predictions(file))
            if not predictions:
                self._complain(f"{file} is left out: it holds no answer yet.")
                continue
            of_file = model_of(predictions, file)
            notes = _notes(file)
            for stored in with_tasks(self._data, predictions):
                made = stored.prediction.provenance
                model, bench = str(made.get("model") or of_file), stored.task.bench
                arm = arm_of(made, bench, file.name)
                seed = (
                    int(made["seed"]) if arm.temperature and made.get("seed") is not None else None
                )
                key = (role, named(model), bench, arm, seed, bool(made.get("engine_bytes")))
                found.setdefault(key, {}).setdefault(stored.task.id, stored)
                origin = Origin(
                    file.name,
                    str(made.get("provider", "")),
                    model,
                    str(notes.get("prompt_text", "")),
                    _asked(notes),
                )
                origins.setdefault(key, {})[origin] = None
        made_of = [
            self._put(key, list(rows.values()), list(origins[key])) for key, rows in found.items()
        ]
        for role in ("local", "larger"):
            if all(each.role != role for each in made_of):
                raise EvaluationError(f"There is no answer of a {role} model.")
        models = list(dict.fromkeys(each.model for each in made_of))
        return sorted(
            made_of, key=lambda each: (models.index(each.model), BENCHES.index(each.bench))
        )

    def _put(
        self,
        key: _Key,
        stored: Sequence[Stored],
        origins: Sequence[Origin],
    ) -> Answers:
        role, model, bench, arm, seed, weighed = key
        if bench not in self._tasks:
            self._tasks[bench] = load(self._data, bench)
        tasks = self._tasks[bench]
        answered = {each.task.id for each in stored}
        return Answers(
            role, model, bench, arm, seed, weighed, tuple(stored), len(tasks),
            self._drawn(bench, answered), tuple(origins),
        )  # fmt: skip

    def _drawn(self, bench: str, answered: set[str]) -> str:
        tasks, count = self._tasks[bench], len(answered)
        if count == len(tasks):
            return f"all {count:,}"
        if answered == {task.id for task in tasks[:count]}:
            return f"the first {count:,} of {len(tasks):,}"
        sample = {task.id for task in load(self._data, bench, sample=count, seed=SEED)}
        how = f", drawn with seed {SEED}" if answered == sample else ""
        return f"{count:,} of {len(tasks):,}{how}"


def _notes(file: Path) -> dict[str, Any]:
    """What the run kept beside the file; {} where there is nothing of it."""
    try:
        notes = json.loads(file.with_name(f"{file.name}.run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _asked(notes: dict[str, Any]) -> str:
    """Which tasks were asked for, as options of `eval run`."""
    begun_with = notes.get("begun_with")
    found = begun_with if isinstance(begun_with, dict) else {}
    return " ".join(f"--{name} {found[name]}" for name in ("limit", "sample") if found.get(name))

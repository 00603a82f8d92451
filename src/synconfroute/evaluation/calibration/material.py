"""What a threshold is chosen on: from stored answers, from a benchmark, from a repository."""

import asyncio
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.answers import (
    Answers,
    Questions,
    local_answers,
    org_answers,
    questions,
)
from synconfroute.evaluation.calibration.curve import Trial
from synconfroute.evaluation.calibration.own_tests import OwnTests
from synconfroute.evaluation.calibration.repository import mine, path_of
from synconfroute.evaluation.calibration.target import FEWEST, require_enough
from synconfroute.evaluation.calibration.trials import trials
from synconfroute.evaluation.datasets import Same, load
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.execution import judge
from synconfroute.evaluation.generation.outcomes import Execute
from synconfroute.evaluation.generation.verdicts import verdicts_of
from synconfroute.evaluation.predictions import Prediction, model_of, read_predictions
from synconfroute.server.settings.tree import Settings


@dataclass(frozen=True, slots=True)
class Material:
    """Answered tasks of one local model.

    Attributes:
        trials: by LSP language id.
        model: the local model.
        larger: the larger model, or "" where none was asked.
        what: where the tasks are from and what makes an answer right, one phrase.
    """

    trials: dict[str, list[Trial]]
    model: str
    larger: str
    what: str


@dataclass(frozen=True, slots=True)
class Asking:
    """How models are asked.

    Attributes:
        settings: addresses, keys, limits.
        send_to_org: ask the organisation's model too.
        cut: how prompts are cut, as in `Questions`.
        folder: where answers are kept, to go on with them; None: nowhere.
        tell: told, in one sentence each, what is about to happen.
        progress: makes what is called after each answer, given a name and how many there will be.
    """

    settings: Settings
    send_to_org: bool
    cut: Literal["live", "context"]
    folder: Path | None
    tell: Callable[[str], None]
    progress: Callable[[str, int], Callable[[], object]]


def from_files(data: Path, bench: str, local: Path, larger: Path | None) -> Material:
    """Answers that were stored before; nothing is asked, verdicts that are missing are made.

    Raises:
        EvaluationError: a file cannot be read, or an answer was never executed.
    """
    ours = list(read_predictions(local))
    theirs = None if larger is None else list(read_predictions(larger))
    tasks = load(data, bench)
    _require_one_measure(tasks)
    model = model_of(ours, local)
    made = asyncio.run(_trials(tasks, ours, theirs, model))
    named = "" if larger is None or theirs is None else model_of(theirs, larger)
    return Material(_by_language(made), model, named, f"of {bench}, {_measure(tasks)}")


def from_benchmark(data: Path, bench: str, sample: int, seed: int, asking: Asking) -> Material:
    """A benchmark, answered now.

    Raises:
        SynConfRouteError: it cannot be read, or no model can be asked.
    """
    tasks = load(data, bench, sample=sample, seed=seed)
    _require_one_measure(tasks)
    asked = questions(
        tasks,
        lambda _: data.absolute() / bench,
        _executed,
        judge=_measure(tasks),
        cursor_indented=False,
        cut=asking.cut,
    )
    return asyncio.run(_asked(asked, asking, f"of {bench}, {_measure(tasks)}"))


def from_repository(
    root: Path,
    sample: int,
    seed: int,
    languages: frozenset[str] | None,
    tests: Callable[[], OwnTests] | None,
    asking: Asking,
) -> Material:
    """The user's own repository, answered now.

    Args:
        root: the repository.
        sample: the most tasks of each language.
        seed: of the draw.
        languages: to take; None: all with enough tasks.
        tests: prepares the repository's own tests, where they are to judge.
        asking: who is asked.

    Raises:
        SynConfRouteError: there are too few holes, or no model can be asked.
    """
    mined = mine(root, sample=sample, seed=seed, languages=languages)
    tasks = _enough(mined, asking.tell)
    asking.tell(f"{len(tasks)} holes in {_counts(tasks)}.")

    def asked(execute: Execute, judge: str) -> Questions:
        return questions(
            tasks,
            lambda task: path_of(root, task),
            execute,
            judge=judge,
            cursor_indented=True,
            cut=asking.cut,
        )

    if tests is None:
        what = "of this repository, exact match"
        return asyncio.run(_asked(asked(_executed, "exact match"), asking, what))
    with tests() as own:
        asking.tell(
            f"The tests take {own.seconds:.1f} s here, and run at most four times for each answer"
            f" that is not the very line: up to {4 * own.seconds * len(tasks) / 60:.0f} minutes."
        )
        what = "of this repository, judged by its tests"
        return asyncio.run(_asked(asked(own.passes, own.command), asking, what))


async def _asked(asked: Questions, asking: Asking, what: str) -> Material:
    tasks = asked.tasks
    with _kept(asking.folder) as folder:
        settings = asking.settings
        on_local = asking.progress("local", len(tasks))
        local = await local_answers(asked, settings, folder / "local.jsonl", on_local, asking.tell)
        org: Answers | None = None
        if asking.send_to_org:
            on_org = asking.progress("org", len(tasks))
            org = await org_answers(asked, settings, folder / "org.jsonl", on_org, asking.tell)
    theirs = None if org is None else org.predictions
    made = await _trials(tasks, local.predictions, theirs, local.model)
    return Material(_by_language(made), local.model, "" if org is None else org.model, what)


async def _trials(
    tasks: Sequence[Task],
    local: Sequence[Prediction],
    larger: Sequence[Prediction] | None,
    model: str,
) -> list[Trial]:
    verdicts = verdicts_of("live")
    try:
        return await trials(tasks, local, larger, model, verdicts)
    finally:
        await verdicts.aclose()


@contextmanager
def _kept(folder: Path | None) -> Iterator[Path]:
    if folder is None:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvaluationError(f"{folder} cannot be made: {error.strerror}.") from None
    yield folder


def _executed(pairs: Sequence[tuple[Task, str]]) -> list[bool]:
    return [result.passed for result in judge(pairs)]


def _enough(tasks: Sequence[Task], tell: Callable[[str], None]) -> list[Task]:
    """The tasks of languages that have enough, before a model is asked for hours."""
    counts = _count(tasks)
    enough = {language for language, count in counts.items() if count >= FEWEST}
    if not enough:
        language, count = max(counts.items(), key=lambda item: item[1], default=("any", 0))
        require_enough(
            count,
            f"{language} in this repository",
            "name a larger repository with --repo DIR, or a benchmark with --data DIR --bench NAME",
        )
    for language in sorted(counts.keys() - enough):
        tell(f"{language} is left out: {counts[language]} holes, and a threshold needs {FEWEST}.")
    return [task for task in tasks if task.language in enough]


def _count(tasks: Sequence[Task]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for task in tasks:
        counts[task.language] = counts.get(task.language, 0) + 1
    return counts


def _counts(tasks: Sequence[Task]) -> str:
    return ", ".join(f"{language} ({count})" for language, count in _count(tasks).items())


def _by_language(made: Sequence[Trial]) -> dict[str, list[Trial]]:
    found: dict[str, list[Trial]] = {}
    for trial in made:
        found.setdefault(trial.candidate.language, []).append(trial)
    return found


def _require_one_measure(tasks: Sequence[Task]) -> None:
    """Executed answers and exact matches are never averaged."""
    if len({isinstance(task.check, Same) for task in tasks}) > 1:
        raise EvaluationError(
            "Some of these benchmarks are executed and some compared with the true line: name one"
            " kind, such as safim-block."
        )


def _measure(tasks: Sequence[Task]) -> str:
    return "exact match" if tasks and isinstance(tasks[0].check, Same) else "executed"

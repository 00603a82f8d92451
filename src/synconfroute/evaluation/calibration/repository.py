"""Tasks from the user's own repository: one line of a file that parses is the hole."""

import random
from dataclasses import dataclass
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.calibration.lines import CodeLine, code_lines
from synconfroute.evaluation.calibration.sources import read_source, sources
from synconfroute.evaluation.datasets.task import Same, Task

BENCH = "repository"


@dataclass(frozen=True, slots=True)
class _Source:
    name: str
    language: str
    text: str
    lines: list[CodeLine]


def mine(
    root: Path, *, sample: int, seed: int = 42, languages: frozenset[str] | None = None
) -> list[Task]:
    """Single-line holes, spread over the files: one from each before a second from any.

    A task's id is the file and the line, counted from 1; its group the function around the hole,
    or the file. Nothing is written, and no file outside the folder is read.

    Args:
        root: the repository, or any folder of sources.
        sample: the most tasks of each language.
        seed: of the draw; the same repository and seed give the same tasks.
        languages: LSP language ids to take; None: all that a validator reads.

    Raises:
        EvaluationError: there is no such folder.
    """
    if not root.is_dir():
        raise EvaluationError(f"{root} is no folder: give the repository with --repo DIR.")
    tasks: list[Task] = []
    for language, names in sources(root).items():
        if languages is None or language in languages:
            tasks += _drawn(root, language, names, sample, random.Random(seed))  # noqa: S311  no secret
    return tasks


def path_of(root: Path, task: Task) -> Path:
    """The file that a mined task's text is from."""
    return root / task.id.rpartition(":")[0]


def _drawn(
    root: Path, language: str, names: list[str], sample: int, draw: random.Random
) -> list[Task]:
    """Tasks of one language. Only as many files are read as are needed for one line each."""
    shuffled = draw.sample(names, len(names))
    files: list[_Source] = []
    for name in shuffled:
        if len(files) == sample:
            break
        text = read_source(root / name)
        lines = code_lines(language, text) if text is not None else []
        if text is not None and lines:
            files.append(_Source(name, language, text, draw.sample(lines, len(lines))))
    tasks: list[Task] = []
    depth = 0
    while len(tasks) < sample and any(len(file.lines) > depth for file in files):
        tasks += [_task(file, file.lines[depth]) for file in files if len(file.lines) > depth]
        depth += 1
    return sorted(tasks[:sample], key=lambda task: task.id)


def _task(source: _Source, line: CodeLine) -> Task:
    lines = source.text.split("\n")
    below = lines[line.index + 1 :]
    function = f"{source.name}:{line.function + 1}" if line.function >= 0 else source.name
    return Task(
        id=f"{source.name}:{line.index + 1}",
        bench=BENCH,
        language=source.language,
        group=function,
        prefix="".join(f"{each}\n" for each in lines[: line.index]),
        suffix="\n".join(below),
        truth=lines[line.index],
        whole_lines=True,
        check=Same(),
    )

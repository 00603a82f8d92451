"""Which tasks of which benchmarks, by name."""

import random
from collections.abc import Iterator
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.datasets.infilling import INFILLING, read_infilling
from synconfroute.evaluation.datasets.motivating import BENCH, read_motivating
from synconfroute.evaluation.datasets.safim import SAFIM, read_safim
from synconfroute.evaluation.datasets.task import Task

PUBLISHED = (*INFILLING, *SAFIM)
"""The benchmarks that are read from a folder of the user's."""
BENCHES = (*PUBLISHED, BENCH)
"""All benchmarks that can be named."""


def named(bench: str) -> tuple[str, ...]:
    """The benchmarks that a name stands for: its own, or all that begin with it and a hyphen.

    Raises:
        EvaluationError: it stands for none.
    """
    if bench in BENCHES:
        return (bench,)
    found = tuple(name for name in BENCHES if name.startswith(f"{bench}-"))
    if not found:
        raise EvaluationError(f"There is no benchmark {bench}: there are {', '.join(BENCHES)}.")
    return found


def load(
    data: Path, bench: str, *, limit: int | None = None, sample: int | None = None, seed: int = 42
) -> list[Task]:
    """The tasks of a benchmark, or of all whose names begin so, in the order of their files.

    Args:
        data: the folder that holds the benchmarks.
        bench: a name of `BENCHES`, or the first words of several, such as "safim-block".
        limit: the first so many of each benchmark.
        sample: so many of each benchmark, drawn at random; all where it has fewer.
        seed: of the draw.

    Raises:
        EvaluationError: there is no such benchmark or file, or a line is no task.
    """
    tasks: list[Task] = []
    for name in named(bench):
        tasks += _chosen(list(_read(data, name)), limit, sample, seed)
    return tasks


def _read(data: Path, bench: str) -> Iterator[Task]:
    if bench == BENCH:
        return read_motivating()
    return read_infilling(data, bench) if bench in INFILLING else read_safim(data, bench)


def _chosen(tasks: list[Task], limit: int | None, sample: int | None, seed: int) -> list[Task]:
    if sample is not None and sample < len(tasks):
        drawn = random.Random(seed).sample(range(len(tasks)), sample)  # noqa: S311  no secret
        tasks = [tasks[index] for index in sorted(drawn)]
    return tasks if limit is None else tasks[:limit]


CALIBRATED_ON = 200
"""Tasks that the paper calibrates on (§2.4)."""


def drawn_for_calibration(count: int) -> list[int]:
    """Which of so many tasks are for calibration: 200 drawn with seed 42, at most half of them.

    With which generator the paper drew is not known: this is Python's.
    """
    return sorted(random.Random(42).sample(range(count), min(CALIBRATED_ON, count // 2)))  # noqa: S311  no secret

"""All measurements: which there are, and how they are run on several cores."""

import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from benchmarks.validation import drawn, published, replayed, timings, witnesses
from benchmarks.validation.report import Row
from benchmarks.validation.settings import Settings

Work = Callable[[Settings, str, list[str]], Iterator[Row]]
"""Measures one part of a group; what is to be said beside the rows goes into the list."""


@dataclass(frozen=True, slots=True)
class Group:
    """Measurements of one kind.

    Attributes:
        work: measures one part.
        parts: languages, corpora or models; they may be measured at the same time.
        alone: nothing else may run meanwhile.
    """

    work: Work
    parts: tuple[str, ...]
    alone: bool = False


GROUPS = {
    "replay": Group(replayed.rows, replayed.LANGUAGES),
    "fresh": Group(drawn.fresh, drawn.FRESH),
    "published": Group(published.rows, tuple(published.CORPORA)),
    "further": Group(published.further, published.FURTHER),
    "drawn": Group(drawn.further, drawn.FURTHER),
    "others": Group(replayed.beside_others, replayed.LANGUAGES),
    "evidence": Group(witnesses.rows, witnesses.PARTS),
    "speed": Group(timings.rows, timings.PARTS, alone=True),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """What one part of a group gave.

    Attributes:
        group: name of the group.
        part: name of the part.
        rows: of the table.
        remarks: what is to be said beside it.
        seconds: that it took.
    """

    group: str
    part: str
    rows: list[Row]
    remarks: list[str]
    seconds: float


def measured(groups: Sequence[str], settings: Settings, jobs: int) -> Iterator[Measured]:
    """Each part of these groups in order, at most so many at a time."""
    named = [(group, part) for group in groups for part in GROUPS[group].parts]
    shared = [(group, part) for group, part in named if not GROUPS[group].alone]
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = [pool.submit(_measured, group, part, settings) for group, part in shared]
        for each in waiting:
            yield each.result()
    for group, part in named:
        if GROUPS[group].alone:
            yield _measured(group, part, settings)


def _measured(group: str, part: str, settings: Settings) -> Measured:
    """A part that fails is a row of its own: the others have taken their time already."""
    started = time.monotonic()
    remarks: list[str] = []
    try:
        rows = list(GROUPS[group].work(settings, part, remarks))
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        rows = [Row(f"{group}, {part}", f"failed: {type(error).__name__}", 0, kept=False)]
    return Measured(group, part, rows, remarks, time.monotonic() - started)

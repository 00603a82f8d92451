"""Real files of packages, drawn with a seed, in states of someone typing.

Further languages are measured on the files that `benchmarks.languages` lists; Python, Java and C++
on files of packages that nobody looked at while their validators were written (`fresh.json`).
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.languages import corpus
from benchmarks.languages.packages import Unfetched, fetch
from benchmarks.validation import edited, rates
from benchmarks.validation.corpora import of_file, sample
from benchmarks.validation.edited import Goals, truth_and_damage
from benchmarks.validation.report import Row
from benchmarks.validation.settings import Settings
from synconfroute.validators.languages import no_parser

_LISTED: dict[str, Any] = json.loads(
    Path(__file__).with_name("fresh.json").read_text(encoding="utf-8")
)
FURTHER = tuple(corpus.languages())
FRESH = tuple(_LISTED["languages"])
_STATES = 10
"""Tried in each file."""

_Files = Callable[[Path, str], list[tuple[str, str]]]


def further(settings: Settings, language: str, remarks: list[str]) -> Iterator[Row]:
    """A further language, on the files listed for it."""
    on = f"drawn files, {language}"
    yield from _rows(settings, on, language, _listed_files, edited.FURTHER, remarks)


def fresh(settings: Settings, language: str, remarks: list[str]) -> Iterator[Row]:
    """Python, Java or C++, on files not seen before."""
    on = f"fresh files, {language}"
    yield from _rows(settings, on, language, _fresh_files, edited.REPLAYED[language], remarks)


def _rows(
    settings: Settings, on: str, language: str, files: _Files, goals: Goals, remarks: list[str]
) -> Iterator[Row]:
    if (reason := no_parser(language)) is not None:
        yield Row(on, f"not measured: {reason}", 0)
        return
    try:
        found = sample(files(settings.packages, language), settings.sizes.files)
    except Unfetched as error:
        yield Row(on, f"not measured: {error}", 0)
        return
    cases = [case for name, text in found for case in of_file(language, name, text, _STATES)]
    alone, known = rates.ours(cases, history=False), rates.ours(cases, history=True)
    yield from truth_and_damage(on, alone, known, goals)
    remarks += [f"{on}: truth rejected: {name}" for name in alone.rejected + known.rejected]


def _listed_files(folder: Path, language: str) -> list[tuple[str, str]]:
    return list(corpus.files(folder, language))


def _fresh_files(folder: Path, language: str) -> list[tuple[str, str]]:
    entry = _LISTED["languages"][language]
    found = corpus.drawn(_LISTED["seed"], entry, fetch(entry["packages"], folder))
    return found[: _LISTED["each"]]

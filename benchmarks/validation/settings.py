"""What is measured on, and how much of it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured; None is all there is.

    Attributes:
        cases: holes of each published benchmark.
        states: replayed states a language.
        compared: replayed states a language that all methods judge.
        files: files of packages, a language.
        runs: verdicts timed, a language and size.
    """

    cases: int | None = None
    states: int | None = None
    compared: int = 24
    files: int | None = None
    runs: int = 300


QUICK = Sizes(cases=300, states=60, compared=3, files=8, runs=60)


@dataclass(frozen=True, slots=True)
class Settings:
    """Where everything lies.

    Attributes:
        data: folder of the benchmark data.
        packages: folder that packages of real files are fetched into.
        sizes: how much is measured.
    """

    data: Path
    packages: Path
    sizes: Sizes

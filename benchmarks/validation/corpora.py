"""Holes with their truth and with damaged truths, from the benchmark data."""

import gzip
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.validation.others import parses
from synconfroute.validators.insertion import Insertion
from tests.validators import edits

SEED = 42
TRUTH = "truth"
X_NAMES = {"java": "java", "cpp": "cpp", "javascript": "js", "go": "go", "rust": "rust"}
_INFILLING = (
    "SingleLineInfilling",
    "MultiLineInfilling",
    "RandomSpanInfilling",
    "RandomSpanInfillingLight",
)
_HOLE = "{{completion}}"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Case:
    """One state of a buffer. Lines end with LF.

    Attributes:
        name: what it is called in reports.
        language: LSP language id.
        prefix: the buffer before the hole.
        suffix: the buffer after the hole.
        texts: what may be inserted: "truth", and damaged truths by the kind of damage.
        before: the buffer before the edit, where it is known.
    """

    name: str
    language: str
    prefix: str
    suffix: str
    texts: dict[str, str] = field(default_factory=dict)
    before: str | None = None

    def insertion(self, kind: str = TRUTH) -> Insertion:
        """One of the texts in the buffer."""
        return Insertion(self.prefix, self.texts[kind], self.suffix)


def sample(cases: Sequence[_T], most: int | None) -> list[_T]:
    """At most so many of them, drawn with the seed; all of them for None."""
    if most is None or len(cases) <= most:
        return list(cases)
    return random.Random(SEED).sample(cases, most)


def replay(data: Path, language: str) -> list[Case]:
    """Moments of real edits, with mutants; `before` is the buffer before the edit."""
    return [
        _case(
            row["id"],
            language,
            row["prefix"],
            row["suffix"],
            {TRUTH: row["truth"], **row["mutants"]},
            before=row["prefix"][: row["typed_from"]]
            + row["old_text"]
            + row["suffix"].partition("\n")[2],
        )
        for row in _rows(data / "replay" / f"{language}.jsonl.gz")
    ]


def infilling(data: Path) -> list[Case]:
    """All of HumanEval-Infilling."""
    folder = data / "humaneval_infilling"
    return [
        _case(
            row["task_id"],
            "python",
            row["prompt"],
            row["suffix"],
            {TRUTH: row["canonical_solution"]},
        )
        for name in _INFILLING
        for row in _rows(folder / f"HumanEval-{name}.jsonl.gz")
    ]


def safim(data: Path, language: str) -> list[Case]:
    """All of SAFIM in one language."""
    return [
        _case(f"{name}/{row['task_id']}", language, before, after, {TRUTH: row["ground_truth"]})
        for name in ("api", "block", "control")
        for row in _rows(data / "safim" / f"{name}_completion.jsonl.gz")
        if row["lang"] == language
        for before, after in [row["eval_prompt"].split(_HOLE)]
    ]


def humaneval_x(data: Path, language: str) -> list[Case]:
    """Every line of every canonical solution of HumanEval-X, with mutants of it."""
    return [
        case
        for row in _rows(data / "humaneval_x" / f"humaneval_{X_NAMES[language]}.jsonl.gz")
        for case in _line_holes(language, row)
    ]


def of_file(language: str, name: str, text: str, count: int) -> Iterator[Case]:
    """States of a file while someone types, at most so many.

    Damaged truths are kept where the file parses, and no more once one of them is committed.
    """
    whole = parses(language, text)
    for state in edits.states(text, SEED, count):
        damage = {
            kind: damaged
            for kind, damaged in (edits.mutants(state, SEED) if whole else ())
            if not parses(language, state.committed(damaged))
        }
        texts = {TRUTH: state.truth, **damage}
        line = state.prefix.count("\n") + 1
        yield Case(f"{name}:{line}", language, state.prefix, state.suffix, texts, state.before)


def _line_holes(language: str, row: dict[str, Any]) -> Iterator[Case]:
    head = row["prompt"]
    signature = row["declaration"].rstrip().rpartition("\n")[2]
    if "".join(signature.split()) not in "".join(head.split()):
        head += row["declaration"]  # Rust's stands apart, with what the task imports
    solution = row["canonical_solution"].rstrip("\n").split("\n")
    for number, line in enumerate(solution):
        if not line.strip():
            continue
        prefix = head + "".join(f"{above}\n" for above in solution[:number])
        suffix = "".join(f"\n{below}" for below in solution[number + 1 :]) + "\n"
        state = edits.State("", prefix, line, suffix, "", len(prefix))
        texts = {TRUTH: line, **dict(edits.mutants(state, SEED))}
        yield Case(f"{row['task_id']}:{number + 1}", language, prefix, suffix, texts)


def _case(
    name: str,
    language: str,
    prefix: str,
    suffix: str,
    texts: dict[str, str],
    before: str | None = None,
) -> Case:
    first = Insertion.of(prefix, texts[TRUTH], suffix, before)
    plain = {kind: Insertion.of("", text, "").text for kind, text in texts.items()}
    plain[TRUTH] = first.text
    return Case(name, language, first.prefix, first.suffix, plain, first.before)


def _rows(file: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)

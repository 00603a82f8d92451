"""Evidence about names on true lines of real files, and on lines with a renamed variable.

    python -m benchmarks.languages.names FOLDER [--each N] [--data DATA]

FOLDER holds, or gets, the packages of `corpus.json`. From each drawn file N lines, or a few lines
together, are taken out and put back: what is told of them is false. With --data the variables of
each line of HumanEval-X are given a name that stands nowhere, one at a time.
"""

import argparse
import gzip
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.figure import percentile
from benchmarks.languages.corpus import files
from synconfroute.validators.evidence.braces.grammar import Grammar
from synconfroute.validators.evidence.braces.language import BRACES
from synconfroute.validators.evidence.braces.scopes import Role, Sight, role
from synconfroute.validators.evidence.braces.witness import BracesWitness
from synconfroute.validators.insertion import Insertion

_LANGUAGES = ("javascript", "typescript", "typescriptreact", "go", "rust")
_HUMANEVAL_X = {"javascript": "js", "go": "go", "rust": "rust"}
_NAMES = {"name", "missing"}
_UNSEEN = "elsewhere7"
# Most holes are one line; a few are a short piece.
_LINES = (1, 1, 1, 2, 4)


def main() -> int:
    """Exit code 1 if more than one finding in a thousand holes is false."""
    parser = argparse.ArgumentParser("python -m benchmarks.languages.names", description=__doc__)
    parser.add_argument("folder", type=Path, help="the packages' folder")
    parser.add_argument("--each", type=int, default=20, help="holes a file")
    parser.add_argument("--data", type=Path, help="the benchmark data's folder")
    given = parser.parse_args()
    kept = [_true_lines(given.folder, language, given.each) for language in _LANGUAGES]
    if given.data is not None:
        for language, name in _HUMANEVAL_X.items():
            _renamed(given.data / f"humaneval_x/humaneval_{name}.jsonl.gz", language)
    return 0 if all(kept) else 1


def _true_lines(folder: Path, language: str, each: int) -> bool:
    draw = random.Random(42)
    witness, told, times = BracesWitness(language), 0, list[float]()
    for _, text in files(folder, language):
        lines = text.splitlines(keepends=True)
        places = [number for number, line in enumerate(lines) if line.strip()]
        for start in draw.sample(places, min(each, len(places))):
            end = start + draw.choice(_LINES)
            parts = ("".join(part) for part in (lines[:start], lines[start:end], lines[end:]))
            insertion = Insertion.of(*parts)
            witness.update(insertion.prefix + insertion.suffix)
            begun = time.thread_time()
            found = witness.find(insertion)
            times.append(1000 * (time.thread_time() - begun))
            told += any(evidence.kind in _NAMES for evidence in found)
    print(
        f"true lines, {language}: {told} of {len(times)} told; CPU a hole: "
        f"p50 {percentile(times, 0.5):.2f} ms, p99 {percentile(times, 0.99):.2f} ms"
    )
    return told <= len(times) / 1000


def _renamed(path: Path, language: str) -> None:
    count, witness = Counter[str](), BracesWitness(language)
    for kind, insertion in _damaged(path, language):
        witness.update(insertion.prefix + insertion.suffix)
        count[kind] += 1
        count[f"{kind} found"] += any(each.kind == kind for each in witness.find(insertion))
    print(
        f"renamed variables, {language}: "
        f"{count['name found']} of {count['name']} uses found, "
        f"{count['missing found']} of {count['missing']} declarations"
    )


def _damaged(path: Path, language: str) -> Iterator[tuple[str, Insertion]]:
    """Each line with one variable renamed, and the kind of evidence that is due."""
    rules = BRACES[language]
    if rules.scoping is None:
        return
    grammar = Grammar(rules.package, rules.loader, rules.scoping.leaves)
    for task in _rows(path):
        head = task["declaration" if language == "rust" else "prompt"]
        whole = head + task["canonical_solution"]
        tree = grammar.parse(whole)
        if tree is None:
            continue
        lines = whole.split("\n")
        words = set(re.findall(r"\w+", whole)) - rules.scoping.known
        for name, leaves in grammar.names(tree, whole, words).items():
            for leaf in leaves:
                row, part = leaf.start_point.row, role(rules.scoping, leaf)
                below = "\n".join(lines[row + 1 :])
                due = "missing" if isinstance(part, Sight) else "name"
                if row < head.count("\n") or part is Role.OTHER:
                    continue
                if due == "missing" and not re.search(rf"\b{name}\b", below):
                    continue
                yield due, _hole(lines, row, leaf.start_point.column, leaf.end_point.column)


def _hole(lines: list[str], row: int, start: int, end: int) -> Insertion:
    line = lines[row].encode()
    text = (line[:start] + _UNSEEN.encode() + line[end:]).decode()
    above = "".join(f"{each}\n" for each in lines[:row])
    return Insertion.of(above, f"{text}\n", "\n".join(lines[row + 1 :]))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


if __name__ == "__main__":
    sys.exit(main())

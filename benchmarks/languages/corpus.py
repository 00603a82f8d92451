"""The files on which further languages are measured, and how they were drawn.

    python -m benchmarks.languages.corpus FOLDER [--draw]

Fetches the packages of `corpus.json` into FOLDER. With --draw the files are drawn anew: with the
seed, from all files of the language in all its packages but those that no one types (lines of more
than 400 characters, fewer than 30 lines, more than 3,000).
"""

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.languages.packages import Unfetched, fetch

LIST = Path(__file__).with_name("corpus.json")
_LINES = range(30, 3_001)
_LONGEST = 400


def files(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """Name and text of a language's files; lines end with LF.

    Raises:
        Unfetched: a package cannot be had.
    """
    entry = _listed()["languages"][language]
    where = fetch(entry["packages"], folder)
    for name in entry["files"]:
        package, _, path = name.partition("!")
        text = _text(where[package] / path)
        if text is None:
            raise Unfetched(f"{name} is not in its package.")
        yield name, text


def languages() -> list[str]:
    """Their LSP ids."""
    return list(_listed()["languages"])


def rest(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """Name and text of the files that were not drawn, in an order drawn with the seed."""
    listed = _listed()
    entry = listed["languages"][language]
    for name, text in drawn(listed["seed"], entry, fetch(entry["packages"], folder)):
        if name not in entry["files"]:
            yield name, text


def draw(folder: Path) -> None:
    """Draw the files of each language and write the list."""
    listed = _listed()
    for entry in listed["languages"].values():
        found = drawn(listed["seed"], entry, fetch(entry["packages"], folder))
        entry["files"] = sorted(name for name, _ in found[: listed["each"]])
    LIST.write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")


def drawn(seed: int, entry: dict[str, Any], where: dict[str, Path]) -> list[tuple[str, str]]:
    """All files of a language in these packages, in the order of the draw.

    Args:
        seed: any number.
        entry: what `corpus.json` says of a language; its files are not asked for.
        where: the folders of the packages.
    """
    found = []
    for package in sorted(where):
        place = where[package]
        for path in sorted(place.rglob("*")):
            text = _text(path) if path.is_file() and _may_be(path, entry) else None
            if text is not None and _fits(path, text, entry):
                found.append((f"{package}!{path.relative_to(place).as_posix()}", text))
    random.Random(seed).shuffle(found)
    return found


def _may_be(path: Path, entry: dict[str, Any]) -> bool:
    endings = entry["endings"]
    return path.suffix in endings or ("shebang" in entry and not path.suffix)


def _fits(path: Path, text: str, entry: dict[str, Any]) -> bool:
    lines = text.split("\n")
    if len(lines) not in _LINES or max(map(len, lines)) > _LONGEST:
        return False
    if path.suffix in entry["endings"]:
        return not path.name.endswith(".d.ts")
    return re.match(rf"#!.*\b(?:{entry['shebang']})\b", lines[0]) is not None


def _text(path: Path) -> str | None:
    """A file's text, with LF; None if it is no UTF-8."""
    try:
        return re.sub("\r\n?", "\n", path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        return None


def _listed() -> dict[str, Any]:
    listed: dict[str, Any] = json.loads(LIST.read_text(encoding="utf-8"))
    return listed


def main() -> int:
    """Exit code 1 if something cannot be fetched."""
    parser = argparse.ArgumentParser("python -m benchmarks.languages.corpus")
    parser.add_argument("folder", type=Path, help="where the packages go")
    parser.add_argument("--draw", action="store_true", help="draw the files anew")
    options = parser.parse_args()
    try:
        if options.draw:
            draw(options.folder)
        for language in languages():
            print(f"{language}: {sum(1 for _ in files(options.folder, language))} files")
    except Unfetched as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Run the load and say what it found.

python -m benchmarks.fleet            13 minutes, 10 of them at one request every 3 s
python -m benchmarks.fleet --quick    a minute and a half
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from benchmarks.figure import Figure
from benchmarks.fleet.extent import FULL, QUICK
from benchmarks.fleet.findings import figures, sentences
from benchmarks.fleet.load import run
from benchmarks.fleet.written import write


def measure(quick: bool) -> Iterator[Figure]:
    """The load as rows of the table of all benchmarks."""
    found = asyncio.run(run(QUICK if quick else FULL))
    for sentence in sentences(found):
        print(sentence, file=sys.stderr)
    yield from figures(found)


def main() -> int:
    """Exit code 1 if anything was lost."""
    parser = argparse.ArgumentParser("python -m benchmarks.fleet", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a minute and a half")
    parser.add_argument("--sessions", type=int, default=FULL.sessions, help="200")
    parser.add_argument("--write", action="store_true", help="write it into docs/plan.md")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write what was found to FILE")
    options = parser.parse_args()
    extent = replace(QUICK if options.quick else FULL, sessions=options.sessions)
    found = asyncio.run(run(extent))
    print("\n".join(sentences(found)))
    if options.json is not None:
        options.json.write_text(json.dumps(asdict(found), indent=1) + "\n", encoding="utf-8")
    if options.write:
        write("fleet", "\n".join(f"- {' '.join(each.split())}" for each in sentences(found)))
    return 1 if found.kept.lost else 0


if __name__ == "__main__":
    sys.exit(main())

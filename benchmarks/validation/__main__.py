"""Measure verdicts and print one Markdown table.

    python -m benchmarks.validation --data FOLDER [--quick] [--json FILE] [--write FILE]

Beside our verdicts stand those of whole-file parsers: `ast`, javac, javalang, g++, libclang,
tree-sitter, and of error nodes in the text's range, as far as they are installed. Real files come
from packages, fetched by npm, go, cargo, apt-get and mvn; where these fail, the rows say so. With
--quick samples are drawn (seed 42) and it takes a few minutes. All of it takes about 25 minutes on
two cores that have nothing else to do.
"""

import argparse
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from benchmarks.validation.report import markdown, place_of_figures, with_figures
from benchmarks.validation.running import GROUPS, Measured, measured
from benchmarks.validation.settings import QUICK, Settings, Sizes


def main() -> int:
    """Exit code 1 if a goal is not kept, so that a script can tell."""
    options = _options()
    sizes = QUICK if options.quick else Sizes()
    started = time.monotonic()
    found = []
    for each in measured(
        options.only or list(GROUPS), Settings(options.data, options.packages, sizes), options.jobs
    ):
        print(f"{each.group}, {each.part}: {each.seconds:.0f} s", file=sys.stderr, flush=True)
        found.append(each)
    rows = [row for each in found for row in each.rows]
    told = _told(found, (time.monotonic() - started) / 60)
    print(markdown(rows), "", told, sep="\n")
    if options.json:
        document = json.dumps(_document(found, quick=options.quick), indent=1)
        options.json.write_text(f"{document}\n", encoding="utf-8")
    if options.write:
        text = options.write.read_text(encoding="utf-8")
        text = with_figures(text, f"{markdown(rows)}\n\n{told}")
        options.write.write_text(text, encoding="utf-8")
    return 1 if any(row.kept is False for row in rows) else 0


def _told(found: list[Measured], minutes: float) -> str:
    """What is said below the table."""
    machine = (
        f"Measured in one run of {minutes:.0f} minutes on {platform.system()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}."
    )
    remarks = dict.fromkeys(f"- {remark}" for each in found for remark in each.remarks)
    return "\n".join([machine, "", *remarks] if remarks else [machine])


def _document(found: list[Measured], *, quick: bool) -> dict[str, Any]:
    """All figures, for a file."""
    return {
        "machine": platform.platform(),
        "python": platform.python_version(),
        "quick": quick,
        "seconds": {f"{each.group}, {each.part}": round(each.seconds, 1) for each in found},
        "rows": [row.as_json() for each in found for row in each.rows],
        "remarks": [remark for each in found for remark in each.remarks],
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.validation")
    parser.add_argument("--data", type=Path, required=True, help="folder of the benchmark data")
    parser.add_argument(
        "--packages",
        type=Path,
        default=user_cache_path("synconfroute", appauthor=False) / "benchmarks",
        help="folder that packages are fetched into",
    )
    parser.add_argument("--quick", action="store_true", help="samples only")
    parser.add_argument("--only", action="append", choices=GROUPS, help="only this group")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="at the same time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE too")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the table between the marks in FILE"
    )
    options = parser.parse_args()
    if not options.data.is_dir():
        parser.error(f"there is no folder {options.data}")
    if options.write and (options.quick or options.only):
        parser.error("--write takes a whole run: leave out --quick and --only")
    if options.write and place_of_figures(options.write.read_text(encoding="utf-8")) is None:
        parser.error(f"{options.write} has no marks to write between")
    return options


if __name__ == "__main__":
    sys.exit(main())

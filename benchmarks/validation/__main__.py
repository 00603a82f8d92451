"""Measure verdicts and print one Markdown table.

    python -m benchmarks.validation --data FOLDER [--quick] [--json FILE] [--only GROUP]

Beside our verdicts stand those of whole-file parsers: `ast`, javac, javalang, g++, libclang,
tree-sitter, and of error nodes in the text's range, as far as they are installed. With --quick
samples are drawn (seed 42) and it takes a few minutes; else all of it takes about an hour.
"""

import argparse
import json
import platform
import sys
from pathlib import Path

from benchmarks.validation import measurements
from benchmarks.validation.report import Row, markdown

GROUPS = {
    "replay": measurements.replay,
    "published": measurements.published,
    "further": measurements.further,
    "evidence": measurements.witnesses,
    "speed": measurements.timings,
    "others": measurements.beside_others,
}


def main() -> int:
    """Exit code 1 if a goal is not kept, so that a script can tell."""
    options = _options()
    sizes = measurements.QUICK if options.quick else measurements.Sizes()
    rows: list[Row] = []
    remarks: list[str] = []
    for name in options.only or GROUPS:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        rows += GROUPS[name](options.data, sizes, remarks)
    print(markdown(rows))
    print("", *sorted(set(remarks)), sep="\n")
    if options.json:
        document = {
            "machine": platform.platform(),
            "python": platform.python_version(),
            "quick": options.quick,
            "rows": [row.as_json() for row in rows],
            "remarks": remarks,
        }
        Path(options.json).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 1 if any(row.kept is False for row in rows) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.validation")
    parser.add_argument("--data", type=Path, required=True, help="folder of the benchmark data")
    parser.add_argument("--quick", action="store_true", help="samples only")
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE too")
    parser.add_argument("--only", action="append", choices=GROUPS, help="only this group")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

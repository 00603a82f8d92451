"""Run all benchmarks and print one table."""

import argparse
import json
import platform
import sys
from pathlib import Path

from benchmarks import (
    added,
    cancel,
    context,
    escalation,
    execution,
    keystroke,
    memory,
    start,
    typing,
)
from benchmarks.figure import Figure
from benchmarks.table import plain

BENCHMARKS = {
    "keystroke": keystroke.measure,
    "start": start.measure,
    "memory": memory.measure,
    "escalation": escalation.measure,
    "added": added.measure,
    "typing": typing.measure,
    "cancel": cancel.measure,
    "execution": execution.measure,
    "context": context.measure,
}


def main() -> int:
    """Exit code 1 if a promise is not kept, so that a script can tell."""
    options = _options()
    figures: list[Figure] = []
    for name in options.only or BENCHMARKS:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        figures += BENCHMARKS[name](options.quick)
    print(plain(figures))
    if options.json:
        document = {
            "machine": platform.platform(),
            "python": platform.python_version(),
            "quick": options.quick,
            "figures": [figure.as_json() for figure in figures],
        }
        Path(options.json).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 1 if any(figure.kept is False for figure in figures) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs: less than a minute")
    parser.add_argument("--json", metavar="FILE", help="write the figures to FILE too")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="only this one")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

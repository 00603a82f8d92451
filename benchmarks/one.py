"""One benchmark in a process of its own: `python -m benchmarks.one NAME [--quick]`, rows as JSON.

So none is slower for what another left behind, and another revision of the package can be measured
by the same code. A line a row goes to stdout.
"""

import argparse
import json
import sys

from benchmarks.suite import BENCHMARKS, measure_of


def main() -> int:
    """Print a line of JSON for each row, as soon as it is there."""
    parser = argparse.ArgumentParser("python -m benchmarks.one", description=__doc__)
    parser.add_argument("name", choices=BENCHMARKS)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    for row in measure_of(options.name)(options.quick):
        print(json.dumps(row.as_json()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Check the configurations: `python -m deploy.check [--schemas FOLDER]`."""

import argparse
import sys
from pathlib import Path

from deploy.check import offline, published


def main() -> int:
    """Print a line for each thing looked at; exit code 1 if one is wrong."""
    parser = argparse.ArgumentParser("python -m deploy.check", description=__doc__)
    parser.add_argument(
        "--schemas",
        metavar="FOLDER",
        type=Path,
        help="also ask the programs themselves; deploy/README.md says how the folder is made",
    )
    folder: Path | None = parser.parse_args().schemas
    found = list(offline.findings())
    if folder is not None:
        found += published.findings(folder.resolve())
    for each in found:
        print(f"{'ok' if not each.problem else 'WRONG'}  {each.what}", each.problem, sep="  ")
    wrong = sum(bool(each.problem) for each in found)
    print(f"{len(found)} looked at, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

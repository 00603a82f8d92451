"""Measure speed and memory, and give one table and one page with plots.

    python -m benchmarks [--quick] [--only NAME …] [--json FILE] [--page FILE] [--write FILE]
                         [--compare REV]

Each figure stands beside something named that was measured in the same run. All of it takes about
eight minutes on two cores that have nothing else to do, and six more where peers are installed;
--quick takes two. With --compare each benchmark of the server runs four times: here, there, there,
here.
"""

import argparse
import json
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks import comparison
from benchmarks.document import place_of_figures, with_figures, written
from benchmarks.figure import Row
from benchmarks.page.page import page
from benchmarks.result import Result
from benchmarks.revisions import NoRevision, package_of
from benchmarks.running import in_turns, rows_of
from benchmarks.suite import BENCHMARKS, usual
from benchmarks.table import plain

PAGE = Path("build") / "benchmarks.html"


def main() -> int:
    """Exit code 1 if a promise is not kept or a benchmark failed, so that a script can tell."""
    options = _options()
    try:
        result = _result(options)
    except NoRevision as error:
        print(error, file=sys.stderr)
        return 2
    print(plain(result.all))
    if result.revision:
        print("", comparison.plain(result.compared, result.revision), sep="\n")
    print("", result.machine, sep="\n")
    _keep(result, options)
    return 1 if result.missed or result.failed else 0


def _result(options: argparse.Namespace) -> Result:
    """Measure.

    Raises:
        NoRevision: there is nothing to compare with.
    """
    started = time.monotonic()
    here: dict[str, list[Row]] = {}
    there: dict[str, list[Row]] = {}
    with ExitStack() as stack:
        other = stack.enter_context(package_of(options.compare)) if options.compare else None
        usually = usual(quick=options.quick, compared=other is not None)
        for name in options.only or usually:
            print(f"measuring {name} …", end=" ", file=sys.stderr, flush=True)
            begun = time.monotonic()
            if other is None:
                here[name] = rows_of(name, quick=options.quick)
            else:
                here[name], there[name] = in_turns(name, quick=options.quick, other=other)
            print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    minutes = (time.monotonic() - started) / 60
    return Result(here, options.quick, minutes, options.compare or "", there)


def _keep(result: Result, options: argparse.Namespace) -> None:
    """Write what is to be written."""
    if options.json:
        document = json.dumps(result.as_json(), indent=1)
        options.json.write_text(f"{document}\n", encoding="utf-8")
    options.page.parent.mkdir(parents=True, exist_ok=True)
    options.page.write_text(page(result), encoding="utf-8")
    print(f"The page is {options.page}.", file=sys.stderr)
    if options.write:
        text = options.write.read_text(encoding="utf-8")
        options.write.write_text(with_figures(text, written(result)), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks")
    parser.add_argument("--quick", action="store_true", help="fewer runs: two minutes")
    parser.add_argument("--only", action="append", choices=BENCHMARKS, help="only this one")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE too")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", default=PAGE, help=f"the page with plots: {PAGE}"
    )
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the table between the marks in FILE"
    )
    parser.add_argument("--compare", metavar="REV", help="beside this revision of the package")
    options = parser.parse_args()
    if options.write and (options.quick or options.only):
        parser.error("--write takes a whole run: leave out --quick and --only")
    if options.write and (
        not options.write.is_file()
        or place_of_figures(options.write.read_text(encoding="utf-8")) is None
    ):
        parser.error(f"{options.write} has no marks to write between")
    return options


if __name__ == "__main__":
    sys.exit(main())

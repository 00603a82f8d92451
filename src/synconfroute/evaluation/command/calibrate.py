"""`synconfroute calibrate`: the threshold for a model and a language, from answered tasks."""

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synconfroute.errors import UsageError
from synconfroute.server.command import console

if TYPE_CHECKING:
    from synconfroute.evaluation.calibration.calibration import Calibration
    from synconfroute.evaluation.calibration.material import Asking, Material
    from synconfroute.evaluation.calibration.own_tests import OwnTests
    from synconfroute.evaluation.calibration.target import Precision, Quality
    from synconfroute.server.settings.reader import Reading
    from synconfroute.server.settings.tree import Settings

_BENCH = "humaneval-single-line"


def add(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.set_defaults(run=calibrate)
    source = parser.add_argument_group("what the threshold is chosen on")
    source.add_argument(
        "--repo", metavar="DIR", type=Path, help="holes in this repository (default: the current)"
    )
    source.add_argument(
        "--tests",
        metavar="COMMAND",
        help="judge answers by this test command too, run in a copy of the repository",
    )
    source.add_argument(
        "--no-sandbox", action="store_true", help="let the tests see all that you can"
    )
    source.add_argument("--data", metavar="DIR", type=Path, help="the folder with benchmarks")
    source.add_argument("--bench", metavar="NAME", help=f"one of them (default: {_BENCH})")
    source.add_argument("--local", metavar="FILE", type=Path, help="stored answers, local model")
    source.add_argument("--larger", metavar="FILE", type=Path, help="the same, larger model")
    source.add_argument("--language", metavar="L", action="append", help="only this one (repeat)")
    source.add_argument(
        "--sample", metavar="N", type=_count, default=200, help="tasks of each language: 200"
    )
    source.add_argument("--seed", metavar="S", type=int, default=42, help="of the draw: 42")
    target = parser.add_argument_group("what it is to be best at")
    target.add_argument(
        "--at-most", metavar="X", type=_percent, help="best pass@1 with at most X %% escalated"
    )
    target.add_argument(
        "--precision", metavar="P", type=_fraction,
        help="without a larger model: how many of the kept answers are right (default: 0.8)",
    )  # fmt: skip
    parser.add_argument(
        "--send-to-org", action="store_true", help="ask the organisation's model too"
    )
    parser.add_argument(
        "--cut",
        choices=("live", "context"),
        default="live",
        help="cut prompts as the server does here (default), or only to the model's context",
    )
    parser.add_argument("--keep", metavar="DIR", type=Path, help="keep the answers, to go on later")
    parser.add_argument("--png", metavar="FILE", type=Path, help="draw the curve")
    parser.add_argument("--write", action="store_true", help="write it into your settings file")
    parser.add_argument("--json", action="store_true", help="print JSON")


def calibrate(options: Namespace) -> int:
    """Choose a threshold for each language, show the curve, and write it if asked to.

    Raises:
        UsageError: the options contradict each other.
        EvaluationError: there are too few tasks, or no threshold reaches the target.
    """
    _refuse_what_cannot_be(options)
    from synconfroute.evaluation.calibration.calibration import calibrations
    from synconfroute.server.command.reading import read_and_tell

    reading = read_and_tell(options)
    material = _material(options, reading.settings)
    found = calibrations(material, reading.settings, _target(options, material))
    if options.json:
        console.say(json.dumps([each.as_json() for each in found]))
    else:
        for each in found:
            console.say(console.printable(each.for_people()) + "\n")
    if options.png is not None:
        _draw(options.png, found)
    _write(found, reading, write=options.write, quiet=options.json)
    return 0


def _refuse_what_cannot_be(options: Namespace) -> None:
    stored = options.local is not None or options.larger is not None
    if stored and (options.local is None or options.data is None):
        raise UsageError("Stored answers need --local FILE, and --data DIR for their tasks.")
    if options.bench is not None and options.data is None:
        raise UsageError("--bench NAME needs --data DIR, the folder that holds it.")
    if options.data is not None and (options.repo is not None or options.tests is not None):
        raise UsageError("Give --data for a benchmark, or --repo and --tests for a repository.")
    if stored and options.send_to_org:
        raise UsageError("Stored answers ask nobody: leave --send-to-org out.")
    if options.at_most is not None and options.precision is not None:
        raise UsageError("Give --at-most or --precision, not both.")
    if options.no_sandbox and options.tests is None:
        raise UsageError("--no-sandbox is about --tests COMMAND.")


def _material(options: Namespace, settings: "Settings") -> "Material":
    from synconfroute.evaluation.calibration import material

    bench = options.bench or _BENCH
    if options.local is not None:
        return material.from_files(options.data, bench, options.local, options.larger)
    asking = _asking(options, settings)
    if options.data is not None:
        return material.from_benchmark(options.data, bench, options.sample, options.seed, asking)
    root = (options.repo or Path.cwd()).resolve()
    return material.from_repository(
        root,
        options.sample,
        options.seed,
        frozenset(options.language) if options.language else None,
        _tests(root, options) if options.tests is not None else None,
        asking,
    )


def _tests(root: Path, options: Namespace) -> "Callable[[], OwnTests]":
    from synconfroute.evaluation.calibration.own_tests import OwnTests
    from synconfroute.evaluation.execution.walls import protection

    if not options.no_sandbox:
        console.complain(protection())
    return lambda: OwnTests(root, options.tests, walls="limits" if options.no_sandbox else None)


def _asking(options: Namespace, settings: "Settings") -> "Asking":
    from tqdm import tqdm

    from synconfroute.evaluation.calibration.material import Asking

    def progress(name: str, total: int) -> Callable[[], object]:
        bar = tqdm(total=total, unit="task", desc=name, leave=False, disable=None, file=sys.stderr)
        return bar.update

    if settings.org.url and not options.send_to_org:
        console.complain(
            "Nothing goes to the organisation's server: --send-to-org asks its model too, and the"
            " threshold is then chosen for both."
        )
    return Asking(
        settings, options.send_to_org, options.cut, options.keep, console.complain, progress
    )


def _target(options: Namespace, material: "Material") -> "Quality | Precision":
    from synconfroute.evaluation.calibration.target import PRECISION, Precision, Quality

    if material.larger and options.precision is None:
        return Quality() if options.at_most is None else Quality(options.at_most)
    if options.at_most is not None:
        raise UsageError(
            "--at-most needs a larger model's answers: --larger FILE, or --send-to-org."
        )
    return Precision(PRECISION if options.precision is None else options.precision)


def _draw(file: Path, found: "list[Calibration]") -> None:
    """One picture; of several languages each has its own, with the language in its name."""
    from synconfroute.evaluation.calibration.picture import save_picture

    for each in found:
        target = file
        if len(found) > 1:
            target = file.with_name(f"{file.stem}.{each.language}{file.suffix}")
        save_picture(target, each.points, each.chosen, f"{each.model}, {each.language}")


def _write(found: "list[Calibration]", reading: "Reading", *, write: bool, quiet: bool) -> None:
    from synconfroute.server.places import user_settings_file
    from synconfroute.server.settings.editing import set_threshold

    file = user_settings_file()
    for each in found if write else ():
        set_threshold(file, each.key, each.chosen.threshold)
    if not quiet:
        console.say(f"{'Written' if write else 'Not written; --write puts it'} into {file}:")
        console.say("[router.thresholds]")
        for each in found:
            console.say(f'"{each.key}" = {each.chosen.threshold:g}')
    if write and reading.settings.router.threshold is not None:
        source = reading.sources["router.threshold"]
        console.complain(
            f"router.threshold = {reading.settings.router.threshold:g} ({source}) still holds for"
            " everything: remove it, so that what was written counts."
        )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 100_000):
        raise ArgumentTypeError("give a whole number from 1 to 100000")
    return int(text)


def _percent(text: str) -> float:
    return _number(text, 100) / 100


def _fraction(text: str) -> float:
    return _number(text, 1)


def _number(text: str, high: float) -> float:
    value: Any
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= high:
        raise ArgumentTypeError(f"give a number from 0 to {high:g}")
    return float(value)

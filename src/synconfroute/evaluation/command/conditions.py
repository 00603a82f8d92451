"""The options of `eval run` that say under which conditions answers are asked for."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synconfroute.evaluation.generation.conditions import Conditions


def add_conditions(parser: ArgumentParser) -> None:
    """Add them."""
    parser.add_argument(
        "--profile",
        choices=("live", "paper"),
        default="live",
        help="live: as the server asks and cleans; paper: its chat prompt (or the plain FIM prompt,"
        " with --prompt fim), 50 tokens, one indentation repair, its validator",
    )
    parser.add_argument("--prompt", choices=("fim", "chat"), help="default: fim; chat for paper")
    parser.add_argument(
        "--shots", metavar="N", type=between(0, 5), default=0, help="solved examples, 0 to 5"
    )
    parser.add_argument(
        "--examples",
        choices=("static", "random", "tfidf", "embedding"),
        default="static",
        help="which calibration tasks these are: the same for all, drawn at random, most alike by"
        " words or by embedding; never of the task's own function",
    )
    parser.add_argument(
        "--examples-by",
        metavar="FILE",
        type=Path,
        help="a model's answers to the calibration tasks, which stand in the examples instead of"
        " the true code",
    )
    parser.add_argument(
        "--cursor",
        choices=("line-start", "indented", "in-word"),
        default="line-start",
        help="where the benchmark has it, behind the indentation that an editor leaves, or behind"
        " half of the true line's longest word",
    )
    parser.add_argument(
        "--suffix",
        choices=("open", "raw"),
        help="what follows in the prompt: the open buffer with the hole's own line break (default),"
        " or the benchmark's suffix as it is (default for paper)",
    )
    parser.add_argument(
        "--indentation",
        choices=("given", "none"),
        help="end the prompt for a line's start with the indentation that is due there, as the"
        " server does (default), or where the cursor is (default with --suffix raw and for paper)",
    )
    parser.add_argument(
        "--hint",
        choices=("path", "none"),
        default="none",
        help="name a file in the prompt, or not, as the server where no other file stands in it",
    )
    parser.add_argument(
        "--healing",
        choices=("on", "off"),
        help="within a word let the model write the word anew, or not (default: as the server does"
        " for the model; off with --suffix raw and for paper)",
    )
    parser.add_argument(
        "--cut",
        choices=("live", "context"),
        help="cut the prompt as the server does on this machine (default), or only to the model's"
        " context (default for paper)",
    )
    parser.add_argument("--validator", choices=("live", "paper"), help="default: by the profile")
    parser.add_argument(
        "--max-tokens", metavar="N", type=between(1, 4096), default=50, help="of one line: 50"
    )
    parser.add_argument(
        "--multi-line-tokens",
        metavar="N",
        type=between(1, 4096),
        help="of several lines: 256; 50 for paper",
    )
    parser.add_argument(
        "--stop",
        choices=("structural", "none"),
        help="end an answer of several lines as the server does (default), or where the model or"
        " the limit of tokens ends it (default for paper)",
    )
    parser.add_argument("--temperature", metavar="T", type=_temperature, default=0.0, help="0")
    parser.add_argument(
        "--draws",
        metavar="N",
        type=between(1, 100),
        default=1,
        help="answer each task N times, with seeds made of 1 to N and its id, each draw into a file"
        " of its own; `eval vote` takes the majority",
    )


def conditions_of(options: Namespace) -> "Conditions":
    """The conditions that the options of `add_conditions` name."""
    from synconfroute.evaluation.generation.conditions import Conditions

    paper = options.profile == "paper"
    raw = options.suffix == "raw" or (paper and options.suffix is None)
    return Conditions(
        profile=options.profile,
        prompt=options.prompt or ("chat" if paper else "fim"),
        shots=options.shots,
        examples=options.examples,
        examples_by=_named(options.examples_by) if options.shots else "",
        cursor=options.cursor,
        suffix="raw" if raw else "open",
        indentation=options.indentation or ("none" if raw else "given"),
        hint=options.hint,
        healing=options.healing or ("off" if raw else "live"),
        cut=options.cut or ("context" if paper else "live"),
        validator=options.validator or options.profile,
        max_tokens=options.max_tokens,
        multi_line_tokens=options.multi_line_tokens or (50 if paper else 256),
        stop=options.stop or ("none" if paper else "structural"),
        temperature=options.temperature,
    )


def _named(answers: Path | None) -> str:
    """The file's name with a digest of what it holds: a run goes on with the same answers only."""
    if answers is None:
        return ""
    from synconfroute.evaluation.predictions import digest_of_file

    return f"{answers.name} ({digest_of_file(answers)})"


def between(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within these bounds."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text[:12]) <= most):
            raise ArgumentTypeError(f"give a whole number from {least} to {most}")
        return int(text)

    return read


def _temperature(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2:
        raise ArgumentTypeError("give a temperature from 0 to 2")
    return value

"""The terminal: output that no encoding, pipe or control character can break."""

import os
import sys
from collections.abc import Iterable, Sequence
from io import TextIOWrapper
from typing import TypeVar

from synconfroute.server.printable import printable as printable  # noqa: PLC0414 - for callers

_Item = TypeVar("_Item")


def survive_any_terminal() -> None:
    """Write characters that the terminal's encoding lacks as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Print to stdout."""
    print(text)


def complain(sentence: str) -> None:
    """Print one sentence to stderr."""
    if sys.stderr is not None:
        print(printable(sentence), file=sys.stderr)


def flush() -> None:
    """Hand all output over, so that a fault in it is noticed."""
    if sys.stdout is not None:
        sys.stdout.flush()


def give_up_output() -> None:
    """Send what is left of stdout nowhere: it cannot be written."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_terminal() -> bool:
    """True if a person can be asked: stdin and stderr are a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def progress(items: Sequence[_Item], unit: str) -> Iterable[_Item]:
    """The items, with a bar on stderr where that is a terminal."""
    from tqdm import tqdm

    return tqdm(items, unit=unit, leave=False, disable=None, file=sys.stderr)

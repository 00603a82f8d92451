"""What a document says of a comparison."""

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime

from benchmarks.figure import percentile
from benchmarks.model.pace import Steady
from benchmarks.peers.comparison import Result
from benchmarks.peers.model import SPEED
from benchmarks.peers.rows import Missing
from benchmarks.table import columns, markdown_of, number
from benchmarks.trace.account import Account

HEAD = (
    "editor", "product", "calls", "generated", "shown", "taken", "characters taken",
    "thrown away", "thrown away per character", "never shown per character",
    "added, p50 ms", "added, p90 ms", "key to text, p50 ms", "typing time",
)  # fmt: skip
_WORDS = (
    "*generated*, *shown*, *taken*, *thrown away*, *never shown*: tokens. *typing time*: of what"
    " it takes where nothing is shown."
)


def table(results: Sequence[Result | Missing]) -> str:
    """A table for a terminal."""
    return columns(_lines(results))


def written(results: Sequence[Result | Missing], *, quick: bool, speed: Steady = SPEED) -> str:
    """Tables for a document: the figures, then versions and settings."""
    day = f"Measured on {datetime.now(UTC):%Y-%m-%d} on {platform.system()}, {os.cpu_count()} cores"
    model = f"the model takes {speed.first * 1000:g} ms, then {speed.next * 1000:g} ms a token"
    kind = ", in the quick run: a third of the trace, too little to compare by" if quick else ""
    rows = [[*line, *[""] * (len(HEAD) - len(line))] for line in _lines(results)]
    versions = [("editor", "product", "version", "set beyond its defaults")]
    for result in results:
        if isinstance(result, Result):
            one = result.contestant
            versions.append((one.editor, one.name, one.version, one.settings))
    return "\n\n".join(
        [f"{day}{kind}; {model}. {_WORDS}", markdown_of(rows), markdown_of(versions)]
    )


def _lines(results: Sequence[Result | Missing]) -> list[Sequence[str]]:
    return [HEAD, *map(_line, results)]


def _line(result: Result | Missing) -> Sequence[str]:
    if isinstance(result, Missing):
        return (result.editor, result.name, f"skipped: {result.reason}")
    one, account = result.contestant, result.account
    if account is None:
        return (one.editor, one.name, f"FAILED: {result.problem}")
    return (one.editor, one.name, *_cells(account))


def _cells(account: Account) -> Sequence[str]:
    characters = account.characters
    unseen = account.never_shown / characters if characters else None
    return (
        f"{account.calls:,}",
        f"{account.generated:,}",
        f"{account.shown:,}",
        f"{account.accepted:,}",
        f"{characters:,}",
        f"{account.thrown_away:,}",
        _cell(account.thrown_per_character),
        _cell(unseen),
        _cell(percentile(account.added_ms, 0.5) if account.added_ms else None),
        _cell(percentile(account.added_ms, 0.9) if account.added_ms else None),
        _cell(percentile(account.waited_ms, 0.5) if account.waited_ms else None),
        f"{account.seconds / account.typed_alone:.0%}",
    )


def _cell(value: float | None) -> str:
    return "–" if value is None else number(value)

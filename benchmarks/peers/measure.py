"""The comparison as rows of all benchmarks: ours beside each peer in the same editor."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, Row, Skipped, figure
from benchmarks.peers.comparison import Result, compared
from benchmarks.peers.rows import FOLDER, Missing, rows
from benchmarks.peers.servers import ours

FOLDER_VARIABLE = "SYNCONFROUTE_PEERS"
NEOVIM_VARIABLE = "SYNCONFROUTE_NEOVIM"
_THROWN = "tokens thrown away per accepted character"
_ADDED = "added from key to grey text"
_SECTION = "typing trace"


def measure(quick: bool) -> Iterator[Row]:
    """Ours beside each peer that is installed."""
    folder = Path(os.environ.get(FOLDER_VARIABLE) or FOLDER)
    found = rows(folder, os.environ.get(NEOVIM_VARIABLE, ""))
    beside: dict[str, Result] = {}
    for row in found:
        result = row if isinstance(row, Missing) else compared(row, quick)
        if isinstance(result, Result) and result.account is None:
            one = result.contestant
            yield Skipped(f"{_SECTION}, {one.editor}", one.name, result.problem, failed=True)
        elif isinstance(result, Missing):
            yield Skipped(f"{_SECTION}, {result.editor}", result.name, result.reason)
        elif result.contestant.name == "SynConfRoute":
            beside[result.contestant.editor] = result
        elif result.contestant.editor in beside:
            yield from figures(beside[result.contestant.editor], result)


def trace(quick: bool) -> Iterator[Row]:
    """Ours alone over the trace: calls and tokens."""
    result = compared(ours(), quick)
    account = result.account
    if account is None:
        yield Skipped(_SECTION, result.contestant.editor, result.problem, failed=True)
        return
    case = f"{account.keys:,} keys"
    counts = {
        "model calls": (account.calls, account.keys, "a request a key"),
        "tokens generated": (account.generated, None, ""),
        "tokens shown": (account.shown, account.generated, "generated"),
        "tokens thrown away": (account.thrown_away, account.generated, "generated"),
        "characters taken": (account.characters, None, ""),
    }
    for what, (value, other, beside) in counts.items():
        others = [] if other is None else [float(other)]
        yield figure(what, case, "", [float(value)], others, beside=beside)
    if account.thrown_per_character is not None:
        yield figure(_THROWN, case, "tokens", [account.thrown_per_character])
    if account.added_ms:
        yield figure(_ADDED, case, "ms", account.added_ms)


def figures(own: Result, peer: Result) -> Iterator[Figure]:
    """Ours beside one peer.

    A peer of which nothing was taken has no tokens per character, and none that showed nothing an
    added time: there is no row then.
    """
    mine, theirs = own.account, peer.account
    assert mine is not None
    assert theirs is not None
    name, editor = peer.contestant.name, peer.contestant.editor
    if mine.thrown_per_character is not None and theirs.thrown_per_character is not None:
        yield figure(
            _THROWN,
            editor,
            "tokens",
            [mine.thrown_per_character],
            [theirs.thrown_per_character],
            beside=name,
            hold=1.0,
            held="ratio",
        )
    if mine.added_ms and theirs.added_ms:
        yield figure(
            _ADDED,
            editor,
            "ms",
            mine.added_ms,
            theirs.added_ms,
            beside=name,
            hold=1.0,
            held="ratio",
        )

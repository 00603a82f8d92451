"""The comparison as rows of all benchmarks: ours beside each peer in the same editor."""

import os
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figure import Figure, Row, Skipped, figure
from benchmarks.peers.comparison import Result, compared
from benchmarks.peers.contestant import Contestant
from benchmarks.peers.plain import NAME
from benchmarks.peers.rows import FOLDER, Missing, rows
from benchmarks.peers.servers import OURS

FOLDER_VARIABLE = "SYNCONFROUTE_PEERS"
NEOVIM_VARIABLE = "SYNCONFROUTE_NEOVIM"
THROWN = "tokens thrown away per accepted character"
ADDED = "added from key to grey text"
SECTION = "typing trace"
_PROMISED = ("tabby-agent", "minuet", "llama.vim")
"""Of these we mean to be ahead; the others have settings of our choice."""


def measure(quick: bool) -> Iterator[Row]:
    """Ours beside each peer that is installed; where none is, ours need not be measured."""
    folder = Path(os.environ.get(FOLDER_VARIABLE) or FOLDER)
    found = [row for row in rows(folder, os.environ.get(NEOVIM_VARIABLE, "")) if row.name != NAME]
    editors = {row.editor for row in found if isinstance(row, Contestant) and row.name != OURS}
    own: dict[str, Result] = {}
    for row in found:
        if isinstance(row, Missing):
            yield Skipped(f"{SECTION}, {row.editor}", row.name, row.reason)
            continue
        if row.editor not in editors:
            continue
        result = compared(row, quick)
        if result.account is None:
            yield Skipped(f"{SECTION}, {row.editor}", row.name, result.problem, failed=True)
        elif row.name == OURS:
            own[row.editor] = result
        elif row.editor in own:
            yield from figures(own[row.editor], result)


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
            THROWN,
            editor,
            "tokens",
            [mine.thrown_per_character],
            [theirs.thrown_per_character],
            beside=name,
            hold=1.0 if name in _PROMISED else None,
            held="ratio",
        )
    if mine.added_ms and theirs.added_ms:
        yield figure(
            ADDED,
            editor,
            "ms",
            mine.added_ms,
            theirs.added_ms,
            beside=name,
            hold=1.0 if name in _PROMISED else None,
            held="ratio",
        )

"""Ours alone over the typing trace: model calls, and what becomes of the tokens."""

from collections.abc import Iterator

from benchmarks.figure import Row, Skipped, figure
from benchmarks.peers.comparison import compared
from benchmarks.peers.measure import ADDED, SECTION, THROWN
from benchmarks.peers.servers import ours


def measure(quick: bool) -> Iterator[Row]:
    """Our server over LSP, as an editor asks it."""
    result = compared(ours(), quick)
    account = result.account
    if account is None:
        yield Skipped(SECTION, result.contestant.editor, result.problem, failed=True)
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
        yield figure(THROWN, case, "tokens", [account.thrown_per_character])
    if account.added_ms:
        yield figure(ADDED, case, "ms", account.added_ms)

"""Ours over the typing trace, beside a plain client: model calls, and what becomes of tokens."""

from collections.abc import Iterator

from benchmarks.figure import Row, Skipped, figure
from benchmarks.peers.comparison import compared
from benchmarks.peers.measure import ADDED, SECTION, THROWN
from benchmarks.peers.plain import NAME, plain
from benchmarks.peers.servers import ours
from benchmarks.trace.account import Account


def measure(quick: bool) -> Iterator[Row]:
    """Our server over LSP, as an editor asks it, and a client that asks the model itself."""
    accounts: list[Account] = []
    for result in (compared(ours(), quick), compared(plain(), quick)):
        if result.account is None:
            yield Skipped(SECTION, result.contestant.name, result.problem, failed=True)
            return
        accounts.append(result.account)
    yield from _rows(*accounts)


def _rows(own: Account, other: Account) -> Iterator[Row]:
    case = f"{own.typed_alone:.0f} s of typing"
    counts = {
        "keys": (own.keys, other.keys),
        "model calls": (own.calls, other.calls),
        "tokens generated": (own.generated, other.generated),
        "tokens shown": (own.shown, other.shown),
        "tokens thrown away": (own.thrown_away, other.thrown_away),
        "characters taken": (own.characters, other.characters),
    }
    for what, (value, beside) in counts.items():
        yield figure(what, case, "", [value], [beside], beside=NAME)
    if own.thrown_per_character is not None and other.thrown_per_character is not None:
        values = [own.thrown_per_character], [other.thrown_per_character]
        yield figure(THROWN, case, "tokens", *values, beside=NAME)
    if own.added_ms and other.added_ms:
        yield figure(ADDED, case, "ms", own.added_ms, other.added_ms, beside=NAME)

"""The oldest chains go where there is too much."""

from collections.abc import Callable
from pathlib import Path

from synconfroute.server.completion.ledger.files import Chain, chains_in
from synconfroute.server.completion.ledger.head import is_held
from synconfroute.server.completion.ledger.lines import lines_of

MOST_CHAINS = 1_000
"""Of chains that have ended; each session of an editor writes one, however short."""


def drop_chains(folder: Path, keep: int, own: str, note: Callable[[str], None]) -> None:
    """Drop whole chains, oldest first, until no more than so many bytes, and chains, are left.

    Args:
        folder: the ledger's.
        keep: bytes.
        own: the chain that is never dropped.
        note: told, before anything goes, the name before which chains may be missing.

    Raises:
        OSError: the folder cannot be read.
        LedgerError: `note` could not write it down.
    """
    chains = chains_in(folder)
    sizes = {chain.name: sum(_size(file) for file in chain.files) for chain in chains}
    left = sum(sizes.values())
    going: list[Chain] = []
    for chain in chains:
        if left <= keep and len(chains) - len(going) <= MOST_CHAINS:
            break
        if chain.name != own and not is_held(chain.head) and all_ended(chain):
            going.append(chain)
            left -= sizes[chain.name]
    if not going:
        return
    note(going[-1].name + "~")
    for chain in going:
        for file in (*chain.files, chain.head):
            file.unlink(missing_ok=True)


def all_ended(chain: Chain) -> bool:
    """True if every request of the chain has ended, as far as its lines can be read."""
    sent: set[int] = set()
    ended: set[int] = set()
    for file in chain.files:
        for line in lines_of(file):
            record = line.record
            if record is None:
                if line.whole:
                    return False  # it may have been one that has not ended
                continue  # half a line: its request did not leave
            if record.event == "sent":
                sent.add(record.number)
            elif record.event == "ended":
                ended.add(record.count("of") or 0)
    return sent <= ended


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0

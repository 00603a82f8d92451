"""The ledger: one line for everything that leaves the machine, written before it leaves."""

from synconfroute.server.completion.ledger.entry import Entry
from synconfroute.server.completion.ledger.ledger import Ledger, Sent

__all__ = ["Entry", "Ledger", "Sent"]

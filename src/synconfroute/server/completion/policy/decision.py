"""What a policy says about a file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Allowed:
    """The text may go to the organisation's server."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The text stays here.

    Attributes:
        sentence: why, for the user.
        shadow: it would have gone; the ledger notes that.
    """

    sentence: str
    shadow: bool = False

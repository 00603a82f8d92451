"""What a scan finds."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A place in a text that looks like a secret. Does not hold the secret.

    Attributes:
        kind: what it looks like, with its article, such as "an AWS access key".
        start: where it begins in the text.
        end: where it ends.
    """

    kind: str
    start: int
    end: int

"""What a language brings: a session with one buffer's parser, and a witness beside it.

Both live in the parser process, one pair for each open buffer. Preparing them may cost time while
the model decodes; judging must not: it is done while the user waits.
"""

from typing import Protocol

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.verdict import Evidence, Verdict


class Session(Protocol):
    """One buffer's history with one language's parser."""

    def update(self, text: str) -> None:
        """Take note of what the buffer holds now (lines end with LF), and of whether it parses.

        Called with each state that is worth knowing: when the buffer is opened, and when the user
        has edited it. The last text that parsed is remembered: against it the damage that an
        insertion does is told from what the user is in the middle of.
        """
        ...

    def judge(self, insertion: Insertion) -> Verdict:
        """Say what an insertion does to the buffer as it is now.

        The one piece of evidence that it gives is "open": the text is valid, but unfinished.

        The insertion's prefix and suffix, joined, are the text of the last `update`.

        Raises:
            Undecidable: the parser gives up, which says nothing about the insertion.
        """
        ...


class Witness(Protocol):
    """Finds what is parseable yet suspicious in one buffer."""

    def update(self, text: str) -> None:
        """Take note of what the buffer holds now, before anything is inserted."""
        ...

    def find(self, insertion: Insertion) -> tuple[Evidence, ...]:
        """The evidence against an insertion into the buffer as it is now; () when in doubt."""
        ...

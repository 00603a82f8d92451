"""Which of two answers is shown."""

from synconfroute.server.completion.answer import Tier
from synconfroute.server.completion.candidate import Candidate
from synconfroute.validators.verdict import Outcome


def usable(candidate: Candidate | None) -> bool:
    """True if the candidate has text of its own that breaks nothing as far as anyone knows."""
    return (
        candidate is not None
        and candidate.finished
        and bool(candidate.text)
        and not candidate.repeats
        and candidate.verdict is not None
        and candidate.verdict.outcome is not Outcome.INVALID
    )


def choose(org: Candidate | None, local: Candidate | None) -> Tier | None:
    """The organisation's answer if it is usable, else the local one if it is, else nothing.

    An answer is usable if it has text, which is not just what stands below the cursor already, and
    its verdict is valid or unknown.
    """
    if usable(org):
        return Tier.ORG
    if usable(local):
        return Tier.LOCAL
    return None

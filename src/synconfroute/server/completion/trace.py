"""What happens on the way of one request, from which its provenance is made."""

import asyncio
from collections.abc import Callable

from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.departure import Departure
from synconfroute.server.completion.foresight import Foresight


class Trace:
    """Notes taken while a request runs. What its answer is told of them holds no source code.

    Attributes:
        settled: set once it is known whether the request to the organisation's server leaves.
        withheld: it does not.
        unrecorded: since the ledger could not be written.
        departure: what was made ready for an escalation; None while nothing was.
        foresight: judges a local line while it grows; None where nothing does.
    """

    def __init__(
        self,
        request_id: str,
        clock: Callable[[], float],
        *,
        ahead: bool = False,
        alternative: int = 0,
        reading: bool = False,
    ) -> None:
        """Begin now.

        Args:
            request_id: joins the answer with its ledger entry.
            clock: seconds.
            ahead: as in `Provenance`.
            alternative: as in `Provenance`.
            reading: as in `Provenance`.
        """
        self.request_id = request_id
        self._ahead = ahead
        self._alternative = alternative
        self._reading = reading
        self.provider = ""
        self.model = ""
        self.org_model = ""
        self.confidence: float | None = None
        self.generated = 0
        self.obstacle: Reason | None = None
        self.redacted = 0
        self.settled = asyncio.Event()
        self.withheld = False
        self.unrecorded = False
        self.problem = ""
        self.shortcoming = ""
        self.context: tuple[Piece, ...] = ()
        self.departure: Departure | None = None
        self.foresight: Foresight | None = None
        self._timings_ms: dict[str, float] = {}
        self._clock = clock
        self._started = clock()

    def mark(self, what: str) -> None:
        """Note when something happened first, in ms since the request."""
        self._timings_ms.setdefault(what, round((self._clock() - self._started) * 1000, 2))

    def answer(
        self,
        tier: Tier | None,
        *,
        reason: Reason,
        org: Candidate | None = None,
        local: Candidate | None = None,
    ) -> Answer:
        """The answer that shows the candidate of a tier, or nothing."""
        self.mark("total")
        shown = org if tier is Tier.ORG else local if tier is Tier.LOCAL else None
        judged = shown or local
        provenance = Provenance(
            tier=tier,
            provider="org" if tier is Tier.ORG else self.provider,
            model=self.org_model if tier is Tier.ORG else self.model,
            confidence=self.confidence,
            verdict=judged.verdict.outcome if judged and judged.verdict else None,
            verdict_reason=judged.verdict.reason if judged and judged.verdict else "",
            evidence=local.verdict.evidence if local and local.verdict else (),
            reason=reason,
            problem=self.problem,
            timings_ms=dict(self._timings_ms),
            tokens_generated=self.generated,
            tokens_discarded=0 if tier is Tier.LOCAL else self.generated,
            request_id=self.request_id,
            ahead=self._ahead,
            alternative=self._alternative,
            reading=self._reading,
            redacted=self.redacted if tier is Tier.ORG else 0,
            unrecorded=self.unrecorded,
            context_files=len({piece.file for piece in self.context}),
            repaired=shown.repaired.outcome if shown and shown.repaired else None,
        )
        return Answer(shown.text if shown else None, provenance)

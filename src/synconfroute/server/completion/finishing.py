"""From a model's finished draft to a candidate: cleaned, judged, and mended where that helps."""

import asyncio
from dataclasses import replace

from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.cleaning import clean
from synconfroute.server.completion.cleaning.following_lines import stands_below
from synconfroute.server.completion.generation import Draft
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Judging
from synconfroute.server.completion.repair import freely, surely
from synconfroute.server.completion.score import signals_of
from synconfroute.validators.verdict import Outcome


class Finishing:
    """Makes candidates of drafts."""

    def __init__(self, judging: Judging, deadline: float, *, single_line: bool) -> None:
        """Take over what it asks.

        Args:
            judging: gives verdicts.
            deadline: the longest time for all that `mended` tries, in seconds.
            single_line: answers end with their first line.
        """
        self._judging = judging
        self._deadline = deadline
        self._single_line = single_line

    async def candidate(self, hole: Hole, draft: Draft, model: str) -> Candidate:
        """The draft cleaned, with what it does to the buffer, and a sure repair made.

        Args:
            hole: where it goes.
            draft: finished.
            model: the name that the model was asked by.
        """
        text = clean(hole, draft.text, single_line=self._single_line)
        verdict = await self._judging.verdict(hole, text) if text else None
        mended = (
            None if verdict is None else await surely(hole, text, verdict, self._judging.verdict)
        )
        first = None if mended is None else verdict
        if mended is not None:
            text, verdict = mended.text, mended.verdict
        proper = draft.tokens[draft.preamble or 0 :]
        return Candidate(
            draft.tokens,
            draft.preamble,
            finished=True,
            text=text,
            verdict=verdict,
            signals=signals_of(proper, hole.prefix, text, hole.suffix, verdict),
            model=model,
            language=hole.language,
            repaired=first,
            repeats=stands_below(hole, text),
        )

    async def mended(self, hole: Hole, candidate: Candidate) -> Candidate:
        """An invalid candidate repaired, where that can be done in time; else as it is.

        For where nothing can be escalated: most invalid answers are wrong beyond repair.
        """
        verdict = candidate.verdict
        if verdict is None or verdict.outcome is not Outcome.INVALID:
            return candidate
        try:
            async with asyncio.timeout(self._deadline):
                mended = await freely(hole, candidate.text, self._judging.verdict)
        except TimeoutError:
            return candidate
        if mended is None:
            return candidate
        return replace(
            candidate,
            text=mended.text,
            verdict=mended.verdict,
            repaired=verdict,
            repeats=stands_below(hole, mended.text),
        )

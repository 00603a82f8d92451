"""From a model's finished draft to a candidate: cleaned, judged, and mended where that helps."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from synconfroute.server.completion.block_due import extent_of
from synconfroute.server.completion.candidate import Candidate
from synconfroute.server.completion.cleaning import clean
from synconfroute.server.completion.cleaning.following_lines import stands_below
from synconfroute.server.completion.cutting import Judge, best_cut, ends_unfinished
from synconfroute.server.completion.foresight import Foresight
from synconfroute.server.completion.generation import Draft
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.judging import Judging
from synconfroute.server.completion.repair import freely, surely
from synconfroute.server.completion.score import signals_of
from synconfroute.server.settings.tree import Limits
from synconfroute.validators.verdict import Outcome, Verdict, unknown


class Finishing:
    """Makes candidates of drafts."""

    def __init__(self, judging: Judging, deadline: float, limits: Limits) -> None:
        """Take over what it asks.

        Args:
            judging: gives verdicts.
            deadline: the longest time for all cuts that are tried, and for all that `mended`
                tries, in seconds.
            limits: whether answers end with their first line.
        """
        self._judging = judging
        self._deadline = deadline
        self._limits = limits

    async def candidate(
        self,
        hole: Hole,
        draft: Draft,
        model: str,
        on_cleaned: Callable[[], None] = lambda: None,
        judge: Judge | None = None,
    ) -> Candidate:
        """The draft cleaned, with what it does to the buffer, and a sure repair made.

        Args:
            hole: where it goes.
            draft: finished.
            model: the name that the model was asked by.
            on_cleaned: told when the text is clean and about to be judged.
            judge: gives verdicts; None: whoever was given for all.
        """
        judge = judge or self._judging.verdict
        single_line = extent_of(hole, self._limits).single_line
        text = clean(hole, draft.text, single_line=single_line)
        on_cleaned()
        verdict: Verdict | None = None
        if "\n" in text and not single_line:
            text, verdict = await self._cut(hole, text, draft, judge)
        elif text:
            verdict = await judge(hole, text)
        mended = None if verdict is None else await surely(hole, text, verdict, judge)
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

    def foresight(self, hole: Hole) -> Foresight:
        """What judges a text for a hole while it grows."""
        single_line = extent_of(hole, self._limits).single_line
        return Foresight(
            hole, lambda written: clean(hole, written, single_line=single_line), self._judging
        )

    async def _cut(self, hole: Hole, text: str, draft: Draft, judge: Judge) -> tuple[str, Verdict]:
        """A text of several lines up to the best of its line ends, with the verdict on that."""
        unfinished = ends_unfinished(text, draft.text, draft.ending)
        try:
            async with asyncio.timeout(self._deadline):
                cut = await best_cut(hole, text, judge, unfinished=unfinished)
        except TimeoutError:
            return text, unknown("The validator did not answer in time.")
        return cut.text, cut.verdict

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

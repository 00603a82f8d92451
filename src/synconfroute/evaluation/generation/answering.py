"""One answer of one model to one task, with all that is recorded of it.

Beside what `Prediction` names, a row says: `bench`, `provider`, `model` and `server` (as these call
themselves), the conditions of the run, `examples` (their ids; `examples_as`: how
they were found; `examples_by`: who wrote what is in them), `max_tokens` (of this benchmark),
`prompt_cut` (characters of code left out before and after the hole), `finish` ("stop": the model
ended it, "length": the limit did, "closed": it was complete, "too_long": the prompt was refused),
`cut_by_limit`, `preamble` (leading tokens of a fence), `confidence`, `cleaned` (the text after
cleaning), `verdict` and `evidence` (kinds) on it, `cleaned_passed` (executed whatever the verdict),
`version` (ours).
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synconfroute import __version__
from synconfroute.errors import PromptTooLong, ServerBusy, ServerUnreachable
from synconfroute.evaluation.datasets.task import Task
from synconfroute.evaluation.generation.conditions import Conditions
from synconfroute.evaluation.generation.examples import Examples
from synconfroute.evaluation.generation.opening import hole_of
from synconfroute.evaluation.generation.prompting import Prompting
from synconfroute.evaluation.generation.reading import cleaned_text
from synconfroute.evaluation.generation.source import Source
from synconfroute.evaluation.generation.verdicts import Verdicts
from synconfroute.evaluation.predictions import Prediction
from synconfroute.server.completion.confidence import confidence
from synconfroute.server.completion.generation import Draft
from synconfroute.server.completion.tiers import Served
from synconfroute.validators.verdict import Verdict

TOO_LONG = "too_long"
"""Recorded as `finish` where the server took the prompt in no length; the answer is empty."""


_LONGEST_SECONDS = 600.0
"""A server that says nothing for so long has died without closing the connection."""

_WAITS = (1.0, 2.0, 5.0, 15.0, 30.0)
"""Seconds between tries at a server that is busy, where it does not say how long itself."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Asks one model.

    Attributes:
        provider: who serves the model, as it was named.
        source: the model.
        served: what was found about it.
        conditions: of the run.
        examples: solved examples, by benchmark.
        verdicts: judges the cleaned answers.
        which: the tokens that confidence is made of, as the setting `router.confidence`.
        path: the file that the tasks' texts are from; policy asks for it before anything leaves.
    """

    provider: str
    source: Source
    served: Served
    conditions: Conditions
    examples: Mapping[str, Examples]
    verdicts: Verdicts
    which: str
    path: str

    async def answer(self, task: Task) -> Prediction:
        """The model's answer to a task, not executed yet.

        Raises:
            SynConfRouteError: the server failed, or the text may not leave.
        """
        prompting = Prompting(task, self.conditions, self.examples[task.bench].of(task))
        draft, seconds = await self._patient(task, prompting)
        cleaned = cleaned_text(task, draft.text, self.conditions.profile)
        verdict = await self.verdicts.verdict(hole_of(task), cleaned) if cleaned else None
        return Prediction(
            task.id,
            draft.text,
            draft.tokens,
            seconds,
            provenance=self._asked(task)
            | self._answered(draft)
            | {
                "prompt_cut": {"prefix": prompting.cut.prefix, "suffix": prompting.cut.suffix},
                "cleaned": cleaned,
                "cleaned_passed": None,
            }
            | _judged(verdict),
        )

    async def _patient(self, task: Task, prompting: Prompting) -> tuple[Draft, float]:
        """`_draft`, tried again while the server is busy with others."""
        for wait in _WAITS:
            try:
                return await self._draft(task, prompting)
            except ServerBusy as error:
                await asyncio.sleep(min(error.retry_after or wait, _WAITS[-1]))
        return await self._draft(task, prompting)

    async def _draft(self, task: Task, prompting: Prompting) -> tuple[Draft, float]:
        """The model's finished draft, and its seconds from the request to the last token."""
        started = time.perf_counter()
        try:
            async with asyncio.timeout(_LONGEST_SECONDS):
                draft = await self.source.draft(
                    hole_of(task, self.path),
                    prompting,
                    self.conditions.extent_for(task.bench),
                    stop=self.conditions.stop == "structural",
                )
        except PromptTooLong:
            draft = Draft(finished=True, ending=TOO_LONG)
        except TimeoutError:
            raise ServerUnreachable(
                f"{self.served.client.address} did not answer within {_LONGEST_SECONDS:.0f} s."
            ) from None
        return draft, round(time.perf_counter() - started, 3)

    def _asked(self, task: Task) -> dict[str, Any]:
        conditions = self.conditions
        return {
            "bench": task.bench,
            "provider": self.provider,
            "server": self.served.probe.server,
            "profile": conditions.profile,
            "prompt": conditions.prompt,
            "shots": conditions.shots,
            "examples_as": conditions.examples if conditions.shots else "",
            "examples_by": conditions.examples_by,
            "examples": [example.id for example in self.examples[task.bench].of(task)],
            "cursor": conditions.cursor,
            "suffix": conditions.suffix,
            "indentation": conditions.indentation,
            "hint": conditions.hint,
            "healing": conditions.healing,
            "cut": conditions.cut,
            "validator": conditions.validator,
            "max_tokens": conditions.tokens_for(task.bench),
            "stop": conditions.stop,
            "temperature": conditions.temperature,
            "seed": conditions.seed,
            "version": __version__,
        }

    def _answered(self, draft: Draft) -> dict[str, Any]:
        sureness = confidence(
            draft.tokens, preamble=draft.preamble, finished=True, which=self.which
        )
        return {
            "model": draft.model or self.served.model,
            "finish": draft.ending,
            "cut_by_limit": draft.ending == "length",
            "confidence": sureness.value,
            "preamble": draft.preamble or 0,
        }


def _judged(verdict: Verdict | None) -> dict[str, Any]:
    """The verdict without its reason, which may name what stands in the buffer."""
    return {
        "verdict": None if verdict is None else verdict.outcome.value,
        "evidence": [] if verdict is None else [each.kind for each in verdict.evidence],
    }

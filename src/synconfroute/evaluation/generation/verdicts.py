"""Verdicts on answers: by the server's validator, or by the paper's."""

import asyncio
from typing import Protocol

from synconfroute.errors import EvaluationError
from synconfroute.server.completion.hole import Hole
from synconfroute.validators.verdict import Verdict

_SECONDS = 5.0
"""A verdict may take longer here than while somebody types: the machine is busy with the model."""
_COMPILER_SECONDS = 20.0


class Verdicts(Protocol):
    """Says what inserting a text does to a buffer."""

    async def verdict(self, hole: Hole, text: str) -> Verdict:
        """The verdict on a text in a hole."""
        ...

    async def aclose(self) -> None:
        """End what was started."""
        ...


def verdicts_of(validator: str) -> Verdicts:
    """The validator "live" or "paper"."""
    return PaperVerdicts() if validator == "paper" else LiveVerdicts()


class LiveVerdicts:
    """The server's own validator, in its parser process."""

    def __init__(self) -> None:
        """Start the parser process in the background: the first verdict does not wait for it."""
        from synconfroute.server.completion.judging import Judging
        from synconfroute.validators import Validator

        self._validator = Validator()
        self._validator.warm()
        self._judging = Judging(self._validator, _SECONDS)

    async def verdict(self, hole: Hole, text: str) -> Verdict:
        """What the text does to the buffer, with the evidence."""
        return await self._judging.verdict(hole, text)

    async def aclose(self) -> None:
        """End the parser process."""
        await asyncio.to_thread(self._validator.close)


class PaperVerdicts:
    """The paper's check of the whole buffer."""

    def __init__(self) -> None:
        """Start nothing yet."""
        from synconfroute.evaluation.paper_validator import PaperValidator

        self._validator = PaperValidator(seconds=_COMPILER_SECONDS)

    async def verdict(self, hole: Hole, text: str) -> Verdict:
        """Whether the buffer parses with the text in it.

        Raises:
            EvaluationError: the parser of this language is not installed.
        """
        try:
            return await asyncio.to_thread(
                self._validator.validate, hole.language, hole.prefix, text, hole.suffix
            )
        except ImportError:
            raise EvaluationError(
                "The paper's parsers are not installed: pip install 'synconfroute[eval]'."
            ) from None
        except OSError:
            raise EvaluationError(
                f"The paper's parser of {hole.language} is not installed: it is g++ for C++."
            ) from None

    async def aclose(self) -> None:
        """Nothing runs on."""

"""How much developers ask, from what `synconfroute stats` counts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from synconfroute.errors import EvaluationError
from synconfroute.server.completion.answer import Reason
from synconfroute.server.completion.counts import Event
from synconfroute.server.completion.day_files import History, read_days

_DOUBTS = (
    Reason.LOW_CONFIDENCE,
    Reason.INVALID,
    Reason.EVIDENCE,
    Reason.REFUSED_POLICY,
    Reason.REFUSED_BREAKER,
    Reason.LATE,
    Reason.SHADOW,
)
"""Why a request went away, or would have gone with a server to go to."""


@dataclass(frozen=True, slots=True)
class Rates:
    """What was counted.

    Attributes:
        developers: how many have numbers.
        days: days with numbers, of all of them together.
        requests: all that the editors asked for and no memory answered.
        per_day: of a developer, on a day with numbers.
        escalated: share that was sent, or where nothing was, that would have been.
        sent: something was sent.
        answer_tokens: of the local model's answers, mean; None where none were counted.
    """

    developers: int
    days: int
    requests: int
    per_day: float
    escalated: float
    sent: bool
    answer_tokens: float | None


def rates_of(folders: Sequence[Path | None]) -> Rates:
    """What the day files of some developers, a folder each, say; None is the user's own.

    Raises:
        EvaluationError: there are no numbers.
    """
    histories = [read_days(folder) for folder in folders]
    counted = [history for history in histories if _total(history)[Event.ASKED]]
    if not counted:
        raise EvaluationError(
            "No completions were counted there yet: give --developers and rates instead, or"
            " folders with the files of `synconfroute stats`."
        )
    total = sum((_total(history) for history in counted), Counter[str]())
    doubts = sum((_total(history, _DOUBTS) for history in counted), Counter[str]())
    days = sum(len(history.days) for history in counted)
    # What was asked ahead never goes to the organisation's server.
    asked = max(1, total[Event.ASKED] - total[Event.AHEAD])
    away = total[Event.SENT] or doubts[Event.ASKED]
    return Rates(
        developers=len(counted),
        days=days,
        requests=asked,
        per_day=asked / days,
        escalated=min(1.0, away / asked),
        sent=total[Event.SENT] > 0,
        answer_tokens=_mean(total[Event.GENERATED], total[Event.ASKED]),
    )


def _total(history: History, reasons: Iterable[str] | None = None) -> Counter[str]:
    """All numbers of all days, or those of some reasons."""
    total: Counter[str] = Counter()
    for rows in history.days.values():
        for source, numbers in rows.items():
            if reasons is None or source.reason in reasons:
                total.update(numbers)
    return total


def _mean(whole: int, many: int) -> float | None:
    return whole / many if whole and many else None

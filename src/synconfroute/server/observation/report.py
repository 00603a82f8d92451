"""All that is said of the counts: numbers, and what two rules in turn came to."""

from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from synconfroute.server.completion.day_files import History, read_days
from synconfroute.server.completion.summary import Summary, summarise
from synconfroute.server.observation.comparison.result import DIFFERENCE, Comparison, compared
from synconfroute.server.observation.comparison.sessions import read_sessions
from synconfroute.server.observation.page import page
from synconfroute.server.observation.page.rules import rules


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say.

    Attributes:
        since: days before it are left out; None: none are.
        summary: the numbers.
        comparisons: two rules in turn, where there were any.
        people: of so many people's exports; 0: of this machine.
    """

    since: date | None
    summary: Summary
    comparisons: tuple[Comparison, ...]
    people: int = 0

    def as_json(self) -> dict[str, Any]:
        """One object with names that stay."""
        since = None if self.since is None else self.since.isoformat()
        return {
            "since": since,
            **asdict(self.summary),
            "comparisons": [asdict(each) for each in self.comparisons],
            "people": self.people,
        }

    def as_page(self) -> str:
        """One HTML page."""
        where = "on this machine" if not self.people else f"of {self.people} people"
        if self.people == 1:
            where = "of one person"
        return page(self.summary, "\n".join(map(rules, self.comparisons)), where)


def report_here(
    since: date | None = None, folder: Path | None = None, difference: float = DIFFERENCE
) -> Report:
    """What was counted on this machine.

    Args:
        since: leave out earlier days, and sessions that began earlier.
        folder: where the counts are; None: the user's.
        difference: as for `compared`.
    """
    first = since or date.min
    history: History = read_days(folder, since=first)
    sessions = [each for each in read_sessions(folder) if each.day >= first]
    return Report(since, summarise(history), compared(sessions, difference=difference))

"""The pages of the endpoint: the metrics, and the statistics for people."""

from collections.abc import Callable
from pathlib import Path

from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.day_files import Totals
from synconfroute.server.observation.endpoint import Page

METRICS, PEOPLE = "/metrics", "/"


def pages(
    folder: Path | None = None,
    breaker: Callable[[], State | None] = lambda: None,
    before: Callable[[], object] = lambda: None,
) -> dict[str, Page]:
    """What stands at each path. Read anew at each request, on the endpoint's own threads.

    Args:
        folder: where the counts are; None: the user's.
        breaker: the state of this process's breaker; None: it has none.
        before: called before the counts are read, so that this process's own are among them.
    """
    totals = Totals(folder)

    def metrics(accept: str) -> tuple[str, bytes]:
        from synconfroute.server.observation.metrics import exposition

        before()
        return exposition(totals.rows(), breaker(), accept)

    def people(_accept: str) -> tuple[str, bytes]:
        from synconfroute.server.observation.report import report_here

        before()
        return "text/html; charset=utf-8", report_here(folder=folder).as_page().encode()

    return {METRICS: metrics, PEOPLE: people}

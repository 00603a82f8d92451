"""What it costs to be seen: counting, spans, metrics, the page.

python -m benchmarks.observation
"""

import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from synconfroute.server.completion.answer import Provenance, Reason, Tier
from synconfroute.server.completion.counts import MOST_ROWS, Counts, Event, Rows, Source
from synconfroute.server.completion.day_files import MOST_DAYS, Totals, add_days
from synconfroute.server.protocol.observing import Observing
from synconfroute.server.settings.tree import Comparison, Org, Settings, Tracing
from synconfroute.validators.verdict import Outcome

_SOURCE = Source("local", "small", "python", "kept", "valid")
_MADE = Provenance(
    tier=Tier.ORG,
    provider="org",
    model="large",
    confidence=0.4,
    verdict=Outcome.VALID,
    verdict_reason="",
    evidence=(),
    reason=Reason.LOW_CONFIDENCE,
    timings_ms={
        "local_first_token": 40.0, "confidence": 90.0, "decided": 90.1, "policy_asked": 90.2,
        "policy": 90.6, "org_sent": 90.7, "org_answered": 400.0, "org_cleaned": 400.2,
        "org": 401.0, "total": 401.1,
    },
    tokens_generated=12,
    request_id="0123456789abcdef" * 2,
)  # fmt: skip


def main() -> int:
    """Measure, and print a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for row in (*_counting(folder), *_spans(), *_reading(folder)):
            sys.stdout.write("{:<58} {:>12}  {}\n".format(*row))
    return 0


def _counting(folder: Path) -> list[tuple[str, str, str]]:
    """A counted event: as counts alone take it, as a session does, and in a comparison."""
    alone = Counts(folder / "alone")
    off = Observing(Counts(folder / "off"), lambda: None, print)
    compared = Observing(Counts(folder / "compared"), lambda: None, print)
    compared.compared(Settings(org=Org(url="http://o"), comparison=Comparison(rule="paper")))
    plain = _median(lambda: alone.add(_SOURCE, Event.SHOWN), 20_000)
    rows = [("one event counted", _us(plain), "")]
    for what, one in (("the same, all off", off), ("the same, two rules compared", compared)):
        taken = _median(lambda one=one: one.count(_SOURCE, Event.SHOWN), 20_000)  # type: ignore[misc]
        rows.append((what, _us(taken), f"{taken / plain:.2f} x"))
    done = _median(lambda: off.made("python", _MADE), 20_000)
    return [*rows, ("a request's end, all off", _us(done), "")]


def _spans() -> list[tuple[str, str, str]]:
    """A request's end with spans: on its thread, with nobody to take them."""
    try:
        from synconfroute.server.observation.spans import spans_for
    except ImportError:
        return [("a request's end, with spans", "-", "not measured: no extra `tracing`")]
    logging.disable()  # of the collector that does not answer
    spans = spans_for(Tracing(enabled=True, endpoint="http://127.0.0.1:9"))
    taken = _median(lambda: spans.made("python", _MADE), 100)
    spans.close()
    return [("a request's end, with spans", _us(taken), "they are made on another thread")]


def _reading(folder: Path) -> list[tuple[str, str, str]]:
    """The metrics' text and the page, of as many days and sources as are ever kept."""
    from synconfroute.server.observation.metrics import exposition
    from synconfroute.server.observation.report import report_here

    counts = folder / "full"
    first = date(2026, 1, 1)
    day: Rows = {
        Source("local", f"model {number % 4}", f"language {number}", "kept", "valid"): {
            str(name): 100 for name in Event
        }
        for number in range(MOST_ROWS)
    }
    add_days({first: day}, counts)
    written = (counts / f"{first}.json").read_bytes()
    for number in range(1, MOST_DAYS):
        (counts / f"{first + timedelta(days=number)}.json").write_bytes(written)
    totals = Totals(counts)
    began = time.perf_counter()
    exposition(totals.rows(), None)
    once = time.perf_counter() - began
    again = _median(lambda: exposition(totals.rows(), None), 5)
    page = _median(lambda: report_here(folder=counts).as_page(), 3)
    of = f"{MOST_DAYS} days of {MOST_ROWS} sources"
    return [
        ("the metrics' text, at first", f"{once * 1e3:.0f} ms", of),
        ("the metrics' text, again", f"{again * 1e3:.0f} ms", "only what changed is read"),
        ("the page", f"{page * 1e3:.0f} ms", of),
    ]


def _median(work: Callable[[], object], times: int) -> float:
    """Seconds a call, the median of nine rounds."""
    rounds = []
    for _ in range(9):
        began = time.perf_counter()
        for _ in range(times):
            work()
        rounds.append((time.perf_counter() - began) / times)
    return statistics.median(rounds)


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.2f} us"


if __name__ == "__main__":
    sys.exit(main())

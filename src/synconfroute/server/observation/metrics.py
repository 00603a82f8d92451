"""The counts as metrics that a monitoring system collects (OpenMetrics 1.0).

Counters go up for ever and are the same whichever process tells them: they are read from the files
that all server processes add to. What was thrown away is no counter of its own: tokens count as
generated before it is known whether an editor is given them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from prometheus_client import Metric
from prometheus_client.core import (
    CounterMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    StateSetMetricFamily,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from synconfroute import __version__
from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.counts import BOUNDS_MS, OTHER, Event, Rows, Source, Wait

MOST_SOURCES = 200
"""Sources told apart; those that came later count as "other", by tier."""

_NONE = "none"
_BY_SOURCE = ("tier", "reason", "verdict", "language", "model")
_COUNTERS: dict[str, tuple[Event, str]] = {
    "requests": (Event.ASKED, "Completions that a model was asked for."),
    "escalations": (Event.SENT, "Of these, those that the organisation's server was asked for."),
    "shown": (Event.SHOWN, "Completions that an editor showed."),
    "accepted": (Event.ACCEPTED, "Of these, those that the user took whole."),
    "partly_accepted": (Event.PARTLY, "Completions of which a part was taken."),
    "kept": (Event.KEPT, "Accepted completions that still stood there a minute later."),
    "gone": (Event.GONE, "Accepted completions that did not."),
    "tokens_generated": (Event.GENERATED, "Tokens that the local model generated."),
    "tokens_given": (Event.USED, "Of these, those of texts that an editor was given."),
}
_TOTALS: dict[str, tuple[Event, str]] = {
    "asked_ahead": (Event.AHEAD, "Completions asked for before the editor did."),
    "asked_ahead_used": (Event.AHEAD_USED, "Of these, those that the editor asked for then."),
    "requests_org_left_alone": (
        Event.LEFT_ALONE,
        "Requests made while the organisation's server was left alone, since it had failed.",
    ),
    "ledger_failures": (
        Event.UNRECORDED,
        "Requests that did not leave, since the ledger could not be written.",
    ),
}
_WAITS = {Wait.MODEL: "model", Wait.MEMORY: "memory"}

Breaker = Callable[[], State | None]
"""Whether the organisation's server is asked now; None where that is not known, or none is set."""


def exposition(rows: Rows, breaker: State | None, accept: str = "") -> tuple[str, bytes]:
    """The metrics as a text.

    Args:
        rows: all that was counted, sources in the order in which they came.
        breaker: the state of this process's breaker; None: there is none.
        accept: the Accept header of whoever asks: OpenMetrics for who knows it, else the older
            Prometheus text.

    Returns:
        The content type, and the text.
    """
    encode, content_type = choose_encoder(accept)
    return content_type, encode(_Collected(families(rows, breaker)))


def families(rows: Rows, breaker: State | None) -> Iterator[Metric]:
    """Each metric with its samples."""
    yield InfoMetricFamily(
        "synconfroute_build", "The version that tells this.", {"version": __version__}
    )
    bounded = _bounded(rows)
    for name, (event, help_text) in _COUNTERS.items():
        counter = CounterMetricFamily(f"synconfroute_{name}", help_text, labels=_BY_SOURCE)
        for source, numbers in bounded.items():
            if numbers[event]:
                counter.add_metric(_labels(source), numbers[event])
        yield counter
    for name, (event, help_text) in _TOTALS.items():
        total = sum(numbers.get(event, 0) for numbers in rows.values())
        yield CounterMetricFamily(f"synconfroute_{name}", help_text, total)
    yield _waits(rows)
    if breaker is not None:
        yield StateSetMetricFamily(
            "synconfroute_org_breaker",
            "Whether the editor window that tells this asks the organisation's server.",
            {state.value: state is breaker for state in State},
        )


class _Collected(Collector):
    """Metrics that are there already, as the library wants them."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def _bounded(rows: Rows) -> dict[Source, Counter[str]]:
    bounded: dict[Source, Counter[str]] = {}
    for place, (source, numbers) in enumerate(rows.items()):
        kept = source if place < MOST_SOURCES else source.folded
        bounded.setdefault(kept, Counter()).update(numbers)
    return bounded


def _labels(source: Source) -> tuple[str, ...]:
    return (
        source.tier or _NONE,
        source.reason,
        source.verdict or _NONE,
        source.language or OTHER,
        source.model or OTHER,
    )


def _waits(rows: Mapping[Source, Mapping[str, int]]) -> Metric:
    """How long answers with a text took. Only what lies in which step is counted, so no sum."""
    histogram = HistogramMetricFamily(
        "synconfroute_answer",
        "From a request to its answer with a text, by who made it and what was waited for.",
        labels=("tier", "waited_for"),
        unit="seconds",
    )
    for tier in sorted({source.tier for source in rows}):
        for wait, label in _WAITS.items():
            counts = Counter[int]()
            for source, numbers in rows.items():
                if source.tier == tier:
                    counts.update({bound: numbers.get(f"{wait} {bound}", 0) for bound in BOUNDS_MS})
            if counts.total():
                histogram.add_metric((tier or _NONE, label), _cumulative(counts), sum_value=None)
    return histogram


def _cumulative(counts: Mapping[int, int]) -> list[tuple[str, float]]:
    """So many took at most so many seconds; the last step holds all that took longer, too."""
    buckets, below = [], 0
    for bound in BOUNDS_MS[:-1]:
        below += counts[bound]
        buckets.append((repr(bound / 1000), float(below)))
    return [*buckets, ("+Inf", float(below + counts[BOUNDS_MS[-1]]))]

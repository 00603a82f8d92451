"""Spans of each request for an OpenTelemetry collector, made from its provenance once it is over.

Nothing runs on a request's way: when it was answered, its times are known, and spans are made of
them with those times. What a span holds comes from provenance's own vocabulary, numbers and the
model's name; never a text, a path, or a sentence.
"""

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue

import requests
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.environment_variables import (
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
)
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.trace import SpanKind, StatusCode, set_span_in_context

from synconfroute import __version__
from synconfroute.clients.http import is_loopback
from synconfroute.errors import UsageError
from synconfroute.server.completion.answer import Provenance, Reason
from synconfroute.server.completion.counts import Source
from synconfroute.server.completion.tracing_ids import ORG_REQUEST, span_id
from synconfroute.server.settings.tree import Tracing

USUAL = "http://127.0.0.1:4318"
"""Where a collector usually listens."""

_PATH = "/v1/traces"
_LAST_S = 0.5
_log = logging.getLogger(__name__)

Value = str | bool | int | float


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a request's way: from one of its `timings_ms` to another.

    Attributes:
        name: of its span.
        begins: the latest of these that is known and not after its end; "": the request's begin.
        ends: where it ends.
        kind: asks somebody, or happens here.
    """

    name: str
    begins: tuple[str, ...]
    ends: str
    kind: SpanKind = SpanKind.INTERNAL


PARTS = (
    Part("local generation", ("",), "local", SpanKind.CLIENT),
    Part("cleaning", ("local",), "cleaned"),
    Part("validation", ("cleaned",), "validation"),
    Part("decision", ("confidence", "validation"), "decided"),
    Part("policy", ("policy_asked",), "policy"),
    Part(ORG_REQUEST, ("org_sent",), "org_answered", SpanKind.CLIENT),
    Part("org cleaning", ("org_answered",), "org_cleaned"),
    Part("org validation", ("org_cleaned",), "org"),
)
"""What a request is made of, in order."""

_UNFINISHED = {"local generation": "total", ORG_REQUEST: "total"}
"""What may have been broken off ends with the request then."""


class Spans:
    """Makes spans and sends them in batches, on threads of their own, until it is closed."""

    def __init__(self, exporter: SpanExporter, now_ns: Callable[[], int] = time.time_ns) -> None:
        """Begin.

        Args:
            exporter: sends them.
            now_ns: the time, in nanoseconds since 1970.
        """
        self._now_ns = now_ns
        self._exporter = exporter
        self._ids = _Given()
        resource = Resource.create(
            {
                SERVICE_NAME: os.environ.get("OTEL_SERVICE_NAME", "synconfroute"),
                SERVICE_VERSION: __version__,
            }
        )
        provider = TracerProvider(resource=resource, id_generator=self._ids, shutdown_on_exit=False)
        self._over: SimpleQueue[tuple[str, Provenance, int] | None] = SimpleQueue()
        self._making = threading.Thread(target=self._make, name="spans", daemon=True)
        self._processor = BatchSpanProcessor(exporter)
        provider.add_span_processor(self._processor)
        self._tracer = provider.get_tracer("synconfroute", __version__)
        self._making.start()

    def made(self, language: str, made: Provenance) -> None:
        """A request is over; `made` is what it came to. Its answer waits for none of this."""
        self._over.put((language, made, self._now_ns()))

    def close(self) -> None:
        """Send what is left, if that can be done in less than a second."""
        self._over.put(None)
        last = threading.Thread(target=self._end, name="last spans", daemon=True)
        last.start()
        last.join(_LAST_S)
        if last.is_alive():
            self._exporter.shutdown()  # it waits before it tries again: it need not

    def _end(self) -> None:
        self._making.join()
        self._processor.shutdown()  # type: ignore[no-untyped-call]

    def _make(self) -> None:
        while (over := self._over.get()) is not None:
            self._span(*over)

    def _span(self, language: str, made: Provenance, end: int) -> None:
        times = made.timings_ms
        total = times.get("total")
        if total is None or len(made.request_id) != 32:
            return
        begin = end - round(total * 1e6)

        def at(ms: float) -> int:
            return begin + round(ms * 1e6)

        self._ids.trace = int(made.request_id, 16)
        self._ids.span = int(span_id(made.request_id, "request"), 16)
        root = self._tracer.start_span(
            "completion", Context(), attributes=attributes(language, made), start_time=begin
        )
        for name in ("local_first_token", "confidence"):
            if name in times:
                root.add_event(name, timestamp=at(times[name]))
        inside = set_span_in_context(root, Context())
        for part in PARTS:
            found = stretch(part, made)
            if found is None:
                continue
            self._ids.span = int(span_id(made.request_id, part.name), 16)
            child = self._tracer.start_span(
                part.name, inside, kind=part.kind, start_time=at(found[0])
            )
            if part.name == ORG_REQUEST and "org_answered" not in times:
                child.set_status(StatusCode.ERROR)
            child.end(at(found[1]))
        if made.reason is Reason.ERROR:
            root.set_status(StatusCode.ERROR)
        root.end(end)


def stretch(part: Part, made: Provenance) -> tuple[float, float] | None:
    """From when to when a part went on, in ms since the request; None where it did not happen."""
    times = made.timings_ms
    ends = times.get(part.ends)
    if ends is None and part.name in _UNFINISHED:
        ends = times.get(_UNFINISHED[part.name])
    if ends is None:
        return None
    known = [0.0 if name == "" else times[name] for name in part.begins if name in {"", *times}]
    before = [each for each in known if each <= ends]
    return (max(before), ends) if before else None


def attributes(language: str, made: Provenance) -> dict[str, Value]:
    """What a request's span says of it. The model's name is without the folders of a path."""
    source = Source.of(made, language)
    said: dict[str, Value | None] = {
        "synconfroute.language": source.language,
        "synconfroute.tier": source.tier or None,
        "synconfroute.provider": made.provider or None,
        "gen_ai.request.model": source.model or None,
        "synconfroute.reason": source.reason,
        "synconfroute.verdict": source.verdict or None,
        "synconfroute.confidence": made.confidence,
        "synconfroute.evidence": len(made.evidence),
        "synconfroute.tokens_generated": made.tokens_generated,
        "synconfroute.tokens_discarded": made.tokens_discarded,
        "synconfroute.context_files": made.context_files,
        "synconfroute.redacted": made.redacted,
        "synconfroute.repaired": made.repaired is not None,
        "synconfroute.ahead": made.ahead,
        "synconfroute.alternative": made.alternative,
        "synconfroute.ledger_failed": made.unrecorded,
        "synconfroute.org_left_alone": bool(made.org_problem),
    }
    return {name: value for name, value in said.items() if value is not None}


def spans_for(settings: Tracing) -> Spans:
    """Spans to the collector that the settings name, else the environment, else this machine's.

    Raises:
        UsageError: the environment names one that is not this machine, and the settings do not
            allow that.
    """
    address = _address(settings)
    if not (settings.allow_remote or is_loopback(address)):
        raise UsageError(
            "The collector that the OTEL_EXPORTER_OTLP variables name is not this machine, so no"
            " traces are sent; set tracing.allow_remote = true in your own settings if they may go"
            " there."
        )
    session = requests.Session()
    session.max_redirects = 0  # a collector does not say where else spans go
    if is_loopback(address):
        session.trust_env = False  # no proxy between here and here
    return Spans(_Told(OTLPSpanExporter(endpoint=address, session=session)))


def _address(settings: Tracing) -> str:
    """The whole address: that of all signals gets the usual path, as the specification has it."""
    if settings.endpoint:
        given = settings.endpoint.rstrip("/")
        return given if given.endswith(_PATH) else given + _PATH
    of_traces = os.environ.get(OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, "").strip()
    if of_traces:
        return of_traces
    return (os.environ.get(OTEL_EXPORTER_OTLP_ENDPOINT, "").strip() or USUAL).rstrip("/") + _PATH


class _Told(SpanExporter):
    """Says once in the log that spans cannot be sent, and once that they can again."""

    def __init__(self, inner: SpanExporter) -> None:
        self._inner = inner
        self._failing = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._inner.export(spans)
        failed = result is not SpanExportResult.SUCCESS
        if failed and not self._failing:
            _log.warning("Traces cannot be sent: see that the collector runs and takes OTLP/HTTP.")
        elif self._failing and not failed:
            _log.info("Traces are sent again.")
        self._failing = failed
        return result

    def shutdown(self) -> None:
        self._inner.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        return self._inner.force_flush(timeout_millis)


class _Given(IdGenerator):
    """Ids that are made of the request's."""

    def __init__(self) -> None:
        self.trace = 0
        self.span = 0

    def generate_trace_id(self) -> int:
        return self.trace

    def generate_span_id(self) -> int:
        return self.span

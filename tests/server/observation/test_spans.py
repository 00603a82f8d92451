"""Spans of requests, sent to a collector that reads them as protobuf."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

from synconfroute.errors import ServerFault, UsageError
from synconfroute.server.completion.answer import Provenance, Reason, Tier
from synconfroute.server.completion.tracing_ids import ORG_REQUEST, span_id
from synconfroute.server.observation.spans import PARTS, Spans, spans_for, stretch
from synconfroute.server.settings.tree import Tracing
from synconfroute.validators.verdict import Evidence, Outcome
from tests.server.completion.scripted import UNSURE, words
from tests.server.completion.test_pipeline import BAD, GOOD, World
from tests.server.completion.test_type_through import MADE
from tests.server.observation.collector import Collector, attributes_of

ID = "0123456789abcdef" * 2


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    """One at any free port; no variable of whoever tests names another, or a proxy."""
    for name in list(os.environ):
        if name.startswith("OTEL_") or name.lower() in {"no_proxy", "all_proxy"}:
            monkeypatch.delenv(name)
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nothing answers there
    one = Collector()
    yield one
    one.close()


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A pipeline between scripted ends, with an organisation's server."""
    return World(tmp_path)


async def test_a_request_is_a_span_with_its_parts(world: World, collector: Collector) -> None:
    """Unsure at the third token: local generation, decision, policy, the organisation's answer."""
    spans = spans_for(Tracing(enabled=True, endpoint=collector.address))
    await world.complete([*words(GOOD, UNSURE)], org=[[*words(GOOD)]])
    (made,) = world.made
    spans.made("python", made)
    spans.close()
    found = {span.name: span for span in collector.spans}
    assert set(found) - {"cleaning", "validation"} == {  # how far the hedge came is chance
        "completion", "local generation", "decision", "policy", ORG_REQUEST, "org cleaning",
        "org validation",
    }  # fmt: skip
    root = found["completion"]
    assert root.trace_id.hex() == made.request_id
    assert root.parent_span_id == b""
    for name, span in found.items():
        assert span.trace_id == root.trace_id
        assert name == "completion" or span.parent_span_id == root.span_id
        assert root.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.end_time_unix_nano <= root.end_time_unix_nano
    assert found[ORG_REQUEST].span_id.hex() == span_id(made.request_id, ORG_REQUEST)
    said = attributes_of(root)
    assert (said["synconfroute.tier"], said["synconfroute.reason"]) == ("org", "low_confidence")
    assert said["gen_ai.request.model"] == "org-model"
    assert said["synconfroute.verdict"] == "valid"
    assert collector.paths == ["/v1/traces"]
    assert collector.resource["service.name"] == "synconfroute"


async def test_a_local_answer_has_no_part_elsewhere(world: World, collector: Collector) -> None:
    """And one that is invalid where nothing may leave has a policy that was asked."""
    spans = spans_for(Tracing(enabled=True, endpoint=collector.address))
    await world.complete([*words(GOOD)], org=[])
    spans.made("python", world.made[0])
    spans.close()
    assert [span.name for span in collector.spans] == [
        "local generation", "cleaning", "validation", "decision", "completion",
    ]  # fmt: skip


async def test_no_code_and_no_path_is_in_any_span(world: World, collector: Collector) -> None:
    """Of a request whose answer is bad, and one whose server fails, with the file's path known."""
    spans = spans_for(Tracing(enabled=True, endpoint=collector.address))
    await world.complete([*words(BAD)], org=[[*words(GOOD)]])
    await world.complete([*words(BAD)], org=[ServerFault(f"cannot answer {GOOD}")])
    for made in world.made:
        spans.made("python", made)
    spans.close()
    sent = b"".join(collector.bodies)
    assert len(collector.spans) > 10
    for secret in (GOOD, BAD, "def f", str(world.file), world.file.name, world.folder.name):
        assert secret.encode() not in sent


class Kept(SpanExporter):
    """Keeps spans as they would be sent."""

    def __init__(self) -> None:
        self.sent = b""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Keep them."""
        self.sent += encode_spans(spans).SerializeToString()
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """Nothing to close."""


SECRET = "Zq7-secret"
SENTENCES = st.text(max_size=20).map(lambda text: f"{text}{SECRET}{text}")
PROVENANCES = st.builds(
    Provenance,
    tier=st.none() | st.sampled_from(Tier),
    provider=st.sampled_from(["ollama", "org", ""]),
    model=st.sampled_from([f"/home/{SECRET}/m.gguf", f"C:\\{SECRET}\\m.gguf", "small", ""]),
    confidence=st.none() | st.floats(0.01, 1),
    verdict=st.none() | st.sampled_from(Outcome),
    verdict_reason=SENTENCES,
    evidence=st.lists(
        st.builds(Evidence, kind=st.just("name"), message=SENTENCES, line=st.just(1)), max_size=2
    ).map(tuple),
    reason=st.sampled_from(Reason),
    problem=SENTENCES,
    timings_ms=st.dictionaries(
        st.sampled_from([*(part.ends for part in PARTS), "org_sent", "policy_asked", "confidence"]),
        st.floats(0, 10_000),
    ).map(lambda times: {**times, "total": max(times.values(), default=0.0) + 1}),
    request_id=st.just(ID),
    org_problem=SENTENCES,
)


@given(PROVENANCES, st.text(max_size=10))
def test_nothing_but_the_vocabulary_of_provenance_is_sent(made: Provenance, language: str) -> None:
    """Whatever its sentences quote and wherever the model's file lies; times stay in order."""
    kept = Kept()
    spans = Spans(kept, now_ns=lambda: 10**18)
    spans.made(language, made)
    spans.close()
    assert b"completion" in kept.sent
    assert SECRET.encode() not in kept.sent
    for part in PARTS:
        found = stretch(part, made)
        if found is not None:
            assert 0 <= found[0] <= found[1] <= made.timings_ms["total"]


def test_what_was_broken_off_ends_with_the_request(collector: Collector) -> None:
    """The user typed on while the organisation's server was asked."""
    times = {"local_first_token": 5.0, "confidence": 9.0, "org_sent": 12.0, "total": 40.0}
    made = replace(MADE, request_id=ID, reason=Reason.CANCELLED, tier=None, timings_ms=times)
    spans = spans_for(Tracing(enabled=True, endpoint=collector.address))
    spans.made("python", made)
    spans.close()
    found = {span.name: span for span in collector.spans}
    assert set(found) == {"completion", "local generation", ORG_REQUEST}
    broken = found[ORG_REQUEST]
    assert broken.end_time_unix_nano - broken.start_time_unix_nano == 28_000_000
    assert broken.status.code == 2
    assert [event.name for event in found["completion"].events] == [
        "local_first_token", "confidence",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]
)
def test_the_environment_names_a_collector(
    collector: Collector, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As the specification has it; only of this machine, unless the settings say otherwise."""
    path = "/here" if "TRACES" in name else ""
    monkeypatch.setenv(name, collector.address + path)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "mine")
    spans = spans_for(Tracing(enabled=True))
    spans.made("python", replace(MADE, request_id=ID, timings_ms={"total": 1.0}))
    spans.close()
    assert collector.paths == [path or "/v1/traces"]
    assert collector.resource["service.name"] == "mine"
    monkeypatch.setenv(name, "http://collector.example.org:4318")
    with pytest.raises(UsageError, match="allow_remote"):
        spans_for(Tracing(enabled=True))
    spans_for(Tracing(enabled=True, allow_remote=True)).close()


def test_a_collector_sends_no_span_elsewhere(
    collector: Collector, caplog: pytest.LogCaptureFixture
) -> None:
    """A redirect is a failure, told once in the log."""
    other = Collector()
    collector.status, collector.location = 307, other.address
    spans = spans_for(Tracing(enabled=True, endpoint=collector.address))
    spans.made("python", replace(MADE, request_id=ID, timings_ms={"total": 1.0}))
    spans.close()
    assert len(collector.bodies) == 1
    assert other.bodies == []
    other.close()
    told = [record.message for record in caplog.records if record.name.startswith("synconfroute")]
    assert told == ["Traces cannot be sent: see that the collector runs and takes OTLP/HTTP."]


def test_a_collector_that_is_gone_holds_nothing_up() -> None:
    """Closing ends what is tried again."""
    gone = Collector()
    gone.close()
    spans = spans_for(Tracing(enabled=True, endpoint=gone.address))
    for _ in range(3):
        spans.made("python", replace(MADE, request_id=ID, timings_ms={"total": 1.0}))
    spans.close()


@pytest.mark.parametrize(("enabled", "told"), [(True, True), (True, False), (False, True)])
async def test_the_organisations_server_is_told_of_the_trace_only_if_set_so(
    world: World, enabled: bool, told: bool
) -> None:
    """Its span is the one that the header names; the local model is told nothing."""
    world.settings = replace(world.settings, tracing=Tracing(enabled=enabled, traceparent=told))
    await world.complete([*words(GOOD, UNSURE)], org=[[*words(GOOD)]])
    (request,), (made,) = world.org.requests, world.made
    expected = f"00-{made.request_id}-{span_id(made.request_id, ORG_REQUEST)}-01"
    assert request.traceparent == (expected if enabled and told else "")
    assert world.local.client.requests[0].traceparent == ""


def test_nothing_is_imported_while_it_is_off() -> None:
    """A session without tracing, metrics or a comparison knows none of their packages."""
    code = (
        "import sys, json\n"
        "from synconfroute.server.completion.counts import Counts\n"
        "from synconfroute.server.protocol.observing import Observing\n"
        "from synconfroute.server.settings.tree import Settings\n"
        "one = Observing(Counts(), lambda: None, print)\n"
        "settings = Settings()\n"
        "assert one.compared(settings) is settings and not one.wants(settings)\n"
        "one.follow(settings)\n"
        "names = ('opentelemetry', 'requests', 'prometheus_client', 'http.server',\n"
        "         'synconfroute.server.observation')\n"
        "print(json.dumps([name for name in names if name in sys.modules]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(done.stdout) == []

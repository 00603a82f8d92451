"""A real server that is watched: metrics, spans, a comparison, and no code in any of them."""

import http.client
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.e2e.editor import SERVE, Editor, editor, environment, homes, until
from tests.server.command.model_server import ModelServer, serving
from tests.server.observation.collector import Collector, attributes_of
from tests.server.protocol.test_observing import free_port

SECRET = "zq7_secret"
SOURCE = f"def {SECRET}(a, b):\n    return \n"
PLACE = 1, 11


@pytest.fixture
def local() -> Iterator[ModelServer]:
    """A local model that is unsure."""
    with serving(ModelServer(text=f"{SECRET}(a)\n", logprob=-3.0)) as one:
        yield one


@pytest.fixture
def org() -> Iterator[ModelServer]:
    """The organisation's, which is sure."""
    with serving(ModelServer(text="a + b\n")) as one:
        yield one


@pytest.fixture
def collector() -> Iterator[Collector]:
    """Takes spans."""
    one = Collector()
    yield one
    one.close()


@asynccontextmanager
async def watched(
    local: ModelServer, org: ModelServer, collector: Collector, port: int, tmp_path: Path
) -> AsyncIterator[Editor]:
    """A session with all of it on."""
    options = {
        "local": {"provider": "openai", "url": local.url},
        "org": {"url": org.url},
        "escalation": {"deadline_ms": 60_000},
        "limits": {"alternatives": 0},
        "log": {"file": str(tmp_path / "server.log")},
        "metrics": {"listen": f"127.0.0.1:{port}"},
        "tracing": {"enabled": True, "endpoint": collector.address, "traceparent": True},
        "comparison": {"rule": "paper"},
    }
    env = environment(**homes(str(tmp_path / "home")), OTEL_BSP_SCHEDULE_DELAY="50")
    async with editor(SERVE, env, options=options, root=tmp_path) as one:
        yield one


def named(collector: Collector, name: str) -> list[Span]:
    """The spans of a name that came so far."""
    return [span for span in collector.spans if span.name == name]


def shown(port: int, path: str) -> str:
    """What stands at a path; "" while nobody listens."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    except ConnectionError:
        return ""
    finally:
        connection.close()


async def test_a_request_is_seen_and_its_code_is_not(
    org: ModelServer, local: ModelServer, collector: Collector, tmp_path: Path
) -> None:
    """As a counter, as spans whose id the organisation's server got, and as a session's number."""
    file, port = tmp_path / f"{SECRET}.py", free_port()
    file.write_text(SOURCE, encoding="utf-8")
    log = tmp_path / "server.log"
    async with watched(local, org, collector, port, tmp_path) as session:
        await until(lambda: log.exists() and "Traces are sent" in log.read_text(), "the tracing")
        session.open(file.as_uri(), SOURCE)
        assert await session.text(file.as_uri(), *PLACE, explicit=True) == "a + b"
        await until(lambda: "synconfroute_shown_total{" in shown(port, "/metrics"), "the metrics")
        metrics, page = shown(port, "/metrics"), shown(port, "/")
        await until(lambda: len(named(collector, "completion")) == 1, "the spans")
        assert session.shown == []
    (asked,), (root,) = named(collector, "org request"), named(collector, "completion")
    assert org.traces == [f"00-{asked.trace_id.hex()}-{asked.span_id.hex()}-01"]
    assert local.traces == [""]
    assert attributes_of(root)["synconfroute.reason"] == "low_confidence"
    escalated = re.search(r"^synconfroute_escalations_total{(.*)} 1.0$", metrics, re.MULTILINE)
    assert escalated is not None
    assert 'reason="low_confidence"' in escalated[1]
    assert 'synconfroute_org_breaker="closed"} 1.0' in metrics
    assert "Low confidence" in page
    counts = [each for each in (tmp_path / "home").rglob("*.json") if "counts" in each.parts]
    (compared,) = [each for each in counts if each.parent.name in {"paper", "score"}]
    assert json.loads(compared.read_text(encoding="utf-8"))["numbers"]["sent"] == 1
    told = [each.read_text(encoding="utf-8") for each in counts]
    told += [metrics, page, *(body.decode("latin-1") for body in collector.bodies)]
    assert len(told) >= 5
    for text in told:
        assert SECRET not in text
        assert str(tmp_path) not in text

"""What of a session is shown: one port for all windows, spans, and one of two rules."""

import http.client
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from synconfroute.server.completion.breaker import State
from synconfroute.server.completion.counts import Counts, Event, Source
from synconfroute.server.completion.day_files import read_days
from synconfroute.server.observation.comparison.sessions import read_sessions
from synconfroute.server.observation.endpoint import Endpoint
from synconfroute.server.protocol.observing import Observing
from synconfroute.server.settings.tree import Comparison, Metrics, Org, Settings, Tracing
from tests.server.completion.test_type_through import MADE
from tests.server.observation.collector import Collector

SOURCE = Source("local", "small", "python", "kept", "valid")
Window = Callable[[], Observing]


@pytest.fixture
def said() -> list[str]:
    """What the user was told."""
    return []


@pytest.fixture
def window(home: Path, said: list[str]) -> Iterator[Window]:
    """Opens editor windows, each a server process's part, in one home."""
    assert home.is_dir()
    opened: list[Observing] = []

    def another() -> Observing:
        one = Observing(Counts(), lambda: State.HALF_OPEN, said.append)
        opened.append(one)
        return one

    yield another
    for one in opened:
        one.close()


def free_port() -> int:
    """A port where nothing listens."""
    one = Endpoint("127.0.0.1", 0, {})
    one.close()
    return one.port


def listening(port: int) -> Settings:
    """Settings that show metrics there."""
    return Settings(metrics=Metrics(f"127.0.0.1:{port}"))


def metrics(port: int) -> str:
    """What is shown there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/metrics")
        answer = connection.getresponse()
        assert answer.status == 200
        return answer.read().decode()
    finally:
        connection.close()


def shown(port: int) -> float:
    """How many completions were shown, by what is shown there."""
    return sum(map(float, re.findall(r"^synconfroute_shown_total{.*} (.*)$", metrics(port), re.M)))


def test_one_window_shows_the_numbers_of_all(window: Window, said: list[str]) -> None:
    """Its own at once; no window says a word of the port that another has."""
    port, first, second = free_port(), window(), window()
    for one in (first, second):
        assert one.wants(listening(port))
        one.follow(listening(port))
        assert not one.wants(listening(port))
    first.count(SOURCE, Event.SHOWN, 2)
    second.count(SOURCE, Event.SHOWN, 3)
    assert shown(port) == 2
    assert second.save()
    assert shown(port) == 5
    assert 'synconfroute_org_breaker="half_open"} 1.0' in metrics(port)
    assert said == []


def test_another_window_takes_over_and_no_number_falls(window: Window) -> None:
    """Once the first is closed, when it saves next."""
    port, first, second = free_port(), window(), window()
    first.follow(listening(port))
    second.follow(listening(port))
    first.count(SOURCE, Event.SHOWN, 2)
    before = shown(port)
    first.close()
    with pytest.raises(ConnectionError):
        metrics(port)
    assert second.save()
    assert shown(port) == before == 2


def test_settings_that_change_move_it_or_end_it(window: Window) -> None:
    """And a window that is closed shows nothing any more, whatever is set."""
    one, port, other = window(), free_port(), free_port()
    one.follow(listening(port))
    one.follow(listening(other))
    assert shown(other) == 0
    one.follow(Settings())
    one.close()
    one.follow(listening(port))
    for each in (port, other):
        with pytest.raises(ConnectionError):
            metrics(each)


def test_spans_are_sent_while_it_is_on(window: Window) -> None:
    """Beginning and ending with the settings."""
    collector, one = Collector(), window()
    made = replace(MADE, request_id="ab" * 16, timings_ms={"total": 2.0})
    one.made("python", made)
    one.follow(Settings(tracing=Tracing(enabled=True, endpoint=collector.address)))
    one.made("python", made)
    one.follow(Settings())
    one.made("python", made)
    assert [span.name for span in collector.until(2)] == ["local generation", "completion"]
    collector.close()


def test_a_collector_elsewhere_is_refused_in_a_sentence(
    window: Window, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment alone does not send spans to another machine."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector.example.org")
    one = window()
    one.follow(Settings(tracing=Tracing(enabled=True)))
    one.made("python", replace(MADE, request_id="ab" * 16, timings_ms={"total": 2.0}))
    (sentence,) = said
    assert "tracing.allow_remote = true" in sentence


def test_without_the_extra_a_sentence_says_how_to_get_it(
    window: Window, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Completions go on."""
    import sys

    monkeypatch.delitem(sys.modules, "synconfroute.server.observation.spans", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    one = window()
    one.follow(Settings(tracing=Tracing(enabled=True)))
    one.made("python", MADE)
    (sentence,) = said
    assert "pip install 'synconfroute[tracing]'" in sentence


def test_a_comparison_counts_by_session_beside_the_day(window: Window) -> None:
    """And a session without one only by the day."""
    settings = Settings(org=Org(url="https://org.example"), comparison=Comparison(rule="paper"))
    one, plain = window(), window()
    applied = one.compared(settings)
    assert plain.compared(Settings()) == Settings()
    one.count(SOURCE, Event.ASKED, 3)
    plain.count(SOURCE, Event.ASKED, 4)
    one.close()
    plain.close()
    (session,) = read_sessions()
    assert (session.arm, session.numbers) == (applied.router.rule, {"asked": 3})
    (rows,) = read_days().days.values()
    assert rows[SOURCE]["asked"] == 7

"""What a client may set over TCP."""

import pytest

from synconfroute.server.command.restraint import restrained
from synconfroute.server.settings.keys import KEYS


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("org.url", "https://elsewhere.example"),
        ("org.api_key", "k"),
        ("org.headers", {"X-Key": "k"}),
        ("local.url", "http://elsewhere.example"),
        ("local.allow_remote", True),
        ("local.model", "/some/file.gguf"),
        ("escalation.enabled", True),
        ("context.org", True),
        ("log.file", "/some/file"),
        ("validation.compiler", "g++"),
        ("metrics.listen", "127.0.0.1:9464"),
        ("tracing.enabled", True),
        ("tracing.endpoint", "http://127.0.0.1:4318"),
        ("tracing.allow_remote", True),
        ("tracing.traceparent", True),
    ],
)
def test_nothing_that_says_where_code_goes_or_touches_the_machine(name: str, value: object) -> None:
    """Each is ignored, in one sentence that names the key and not the value."""
    section, _, key = name.partition(".")
    for table in ({name: value}, {section: {key: value}}):
        kept, (sentence,) = restrained(table)
        assert kept == {}
        assert sentence.startswith(f"{name} is ignored")
        assert str(value) not in sentence.removeprefix(name)


def test_what_tightens_or_does_no_harm_holds() -> None:
    """Also what is wrong: the reader says so."""
    table = {"escalation.enabled": False, "limits.lines": "multi", "colour": 3}
    assert restrained(table) == (table, [])
    assert restrained(None) == ({}, [])


def test_every_secret_and_every_address_is_among_the_ignored() -> None:
    """Also those that are yet to come."""
    for key in KEYS.values():
        if key.secret or key.address:
            assert restrained({key.name: "x"})[0] == {}

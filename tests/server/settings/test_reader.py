"""Settings: which value holds, what a workspace may not do, and what a user is told."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from synconfroute.server.settings.keys import KEYS, value_of
from synconfroute.server.settings.reader import Reading, read_settings
from synconfroute.server.settings.rules import Rule
from synconfroute.server.settings.sources import Source
from synconfroute.server.settings.tree import Settings

_SECRET = "sk-very-secret-0123456789"


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Read with these sources and no others."""

    def reader(
        user: str | bytes | None = None,
        workspace: str | None = None,
        organisation: str | None = None,
        **others: Any,
    ) -> Reading:
        user_file = tmp_path / "settings.toml"
        if user is not None:
            user_file.write_bytes(user if isinstance(user, bytes) else user.encode())
        root = tmp_path / "workspace"
        root.mkdir(exist_ok=True)
        if workspace is not None:
            (root / ".synconfroute.toml").write_text(workspace)
        organisation_file = tmp_path / "organisation.toml"
        if organisation is not None:
            organisation_file.write_text(organisation)
            organisation_file.chmod(0o644)
        others.setdefault("environ", {})
        return read_settings(
            user_file=user_file,
            workspaces=[root],
            organisation_file=organisation_file,
            **others,
        )

    return reader


def test_without_sources_every_key_has_its_default(read: Any) -> None:
    """Nothing set anywhere gives the plain tree and no message."""
    reading = read()
    assert reading.settings == Settings()
    assert reading.messages == ()
    assert set(reading.sources.values()) == {Source.DEFAULT}


def test_every_number_has_its_limits() -> None:
    """The sentence about a wrong number can always say what is allowed."""
    for key in KEYS.values():
        if key.kind in (int, float):
            assert key.low is not None
            assert key.high is not None


def test_the_stronger_source_wins(read: Any) -> None:
    """Organisation < user < workspace < editor < environment < command line, key by key."""
    sources: dict[str, Any] = {
        "organisation": "limits.single_line_tokens = 9",
        "user": "limits.single_line_tokens = 1",
        "workspace": "limits.single_line_tokens = 2",
        "editor": {"limits": {"single_line_tokens": 3}},
        "environ": {"SYNCONFROUTE_LIMITS_SINGLE_LINE_TOKENS": "4"},
        "command_line": ["limits.single_line_tokens=5"],
    }
    expected = [
        Source.ORGANISATION,
        Source.USER,
        Source.WORKSPACE,
        Source.EDITOR,
        Source.ENVIRONMENT,
        Source.COMMAND_LINE,
    ]
    for count, source in enumerate(expected, 1):
        reading = read(**dict(list(sources.items())[:count]))
        value = [9, 1, 2, 3, 4, 5][count - 1]
        assert reading.settings.limits.single_line_tokens == value
        assert reading.sources["limits.single_line_tokens"] is source
        assert reading.messages == ()


def _as_text(value: Any) -> str:
    if isinstance(value, tuple):
        return json.dumps([rule.as_json() for rule in value])
    return json.dumps(value) if isinstance(value, dict) else str(value)


def test_every_key_can_be_set_by_its_variable(read: Any) -> None:
    """The environment reaches each key of the tree, in its own type."""
    samples: dict[str, Any] = {}
    of_users = [key for key in KEYS.values() if not key.organisation]
    for key in of_users:
        if key.kind is bool:
            samples[key.name] = not key.default
        elif key.kind is tuple:
            samples[key.name] = (
                Rule("shadow", languages=("sql",), where="SYNCONFROUTE_POLICY_RULES"),
            )
        elif key.kind is dict:
            samples[key.name] = {"X-Team": "a b"} if key.item is str else {"paper/m/python": 0.5}
        elif key.kind in (int, float):
            samples[key.name] = key.kind(key.high or 0)
        elif key.name == "metrics.listen":
            samples[key.name] = "127.0.0.1:9464"
        elif key.address:
            samples[key.name] = "http://127.0.0.1:9/v1"
        else:
            samples[key.name] = key.choices[-1] if key.choices else "x"
    environ = {KEYS[name].variable: _as_text(value) for name, value in samples.items()}
    reading = read(environ=environ)
    assert reading.messages == ()
    assert {key.name: value_of(reading.settings, key) for key in of_users} == samples


@pytest.mark.parametrize(
    "line",
    [
        'local.url = "http://127.0.0.1:1"',
        "local.allow_remote = true",
        'local.provider = "openai"',
        'local.api_key = "k"',
        'org.url = "https://evil.example/v1"',
        'org.api_key = "k"',
        "org.headers = {a = 'b'}",
        'org.model = "m"',
        "router.threshold = 1.0",
        "escalation.hedge = false",
        'log.file = "/tmp/x"',
        "engine.threads = 1",
    ],
)
def test_a_workspace_file_cannot_set_where_code_goes(read: Any, line: str) -> None:
    """Any key not opened to workspaces is refused in one sentence, and nothing changes."""
    reading = read(workspace=line)
    assert reading.settings == Settings()
    (message,) = reading.messages
    assert "a file in a workspace may not set it" in message
    assert line.partition(" ")[0] in message


def test_the_tree_opens_only_limits_and_what_restricts_to_workspaces() -> None:
    """What a workspace may set is exactly this."""
    opened = {key.name: key.workspace for key in KEYS.values() if key.workspace != "never"}
    assert opened.pop("policy.rules") == "restrict"
    for switch in ("escalation.enabled", "context.enabled", "context.org"):
        assert opened.pop(switch) == "off"
    assert {name.partition(".")[0] for name in opened} == {"limits"}


@pytest.mark.parametrize("name", ["enabled", "org"])
def test_a_workspace_can_switch_context_off_and_not_on(read: Any, name: str) -> None:
    """Whatever the stronger sources say; and where they say nothing it stays off."""
    off = read(workspace=f"context.{name} = false", editor={"context": {name: True}})
    assert getattr(off.settings.context, name) is False
    on = read(workspace=f"context.{name} = true")
    assert getattr(on.settings.context, name) is False
    (message,) = on.messages
    assert f"context.{name}" in message


def test_a_workspace_can_switch_escalation_off_for_good(read: Any) -> None:
    """What a workspace forbids holds against every stronger source."""
    reading = read(
        workspace="[escalation]\nenabled = false",
        editor={"escalation": {"enabled": True}},
        environ={"SYNCONFROUTE_ESCALATION_ENABLED": "true"},
        command_line=["escalation.enabled=true"],
    )
    assert reading.settings.escalation.enabled is False
    assert reading.sources["escalation.enabled"] is Source.WORKSPACE


def test_a_workspace_cannot_switch_escalation_on(read: Any) -> None:
    """The user's "off" stays, with one sentence."""
    reading = read(user="escalation.enabled = false", workspace="escalation.enabled = true")
    assert reading.settings.escalation.enabled is False
    (message,) = reading.messages
    assert "may only switch it off" in message


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("router.threshold", 1.7, "router.threshold = 1.7 (in the editor) is not allowed: give a"
         " number from 0 to 1.01."),
        ("router.threshold", float("nan"), "a number from 0 to 1.01"),
        ("router.threshold", True, "router.threshold = true"),
        ("router.threshold", "0.5", "router.threshold = '0.5'"),
        ("engine.threads", 1.0, "a whole number from 0 to 256"),
        ("engine.threads", True, "a whole number"),
        ("engine.threads", 10**400, "a huge number"),
        ("engine.idle_minutes", float("inf"), "a number from 0.05 to 1440"),
        ("escalation.hedge", 1, "true or false"),
        ("escalation.hedge", "true", "true or false"),
        ("local.provider", "olama", "one of auto, ollama, embedded, openai"),
        ("local.keep_alive", "1\x1b[2J", "without control characters"),
        ("local.keep_alive", "a\ud800", "without control characters"),
        ("local.model", 3, "local.model = 3"),
        ("org.headers", {"a b": "c"}, "a table of header names and texts"),
        ("router.thresholds", {"paper/m/python": 1.7}, "names and numbers from 0 to 1.01"),
        ("router.thresholds", {"paper/m/python": "0.7"}, "names and numbers from 0 to 1.01"),
        ("router.thresholds", {"\n": 0.7}, "names and numbers from 0 to 1.01"),
        ("org.headers", {"a": "c\r\nHost: x"}, "a table of header names and texts"),
        ("org.headers", {"a": 1}, "a table of header names and texts"),
        ("org.headers", "x", "a table of header names and texts"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_one_sentence(read: Any, name: str, value: Any, told: str) -> None:
    """Key, value and what is allowed are told; the default stays; the rest applies."""
    reading = read(editor={name: value, "limits": {"single_line_tokens": 7}})
    (message,) = reading.messages
    assert told in message
    assert message.isprintable()
    assert value_of(reading.settings, KEYS[name]) == KEYS[name].default
    assert reading.settings.limits.single_line_tokens == 7


@pytest.mark.parametrize(
    ("given_name", "meant"),
    [("router.treshold", "router.threshold"), ("org.urls", "org.url"), ("Local.Url", "local.url")],
)
def test_an_unknown_key_names_the_nearest(read: Any, given_name: str, meant: str) -> None:
    """A mistyped key is answered with the one that was meant."""
    (message,) = read(editor={given_name: 1}).messages
    assert f"did you mean {meant}?" in message


def test_an_unknown_key_near_to_none_points_to_the_list(read: Any) -> None:
    """Without a near key the sentence says where all are listed."""
    (message,) = read(editor={"zzz": {"a": 1}}).messages
    assert "settings show" in message


@pytest.mark.parametrize(
    "sources",
    [
        {"editor": {"org": {"api_kye": _SECRET}}},
        {"editor": {"org": {"api_key": f"{_SECRET}\n"}}},
        {"editor": {"org": {"headers": {"Authorization": f"{_SECRET}\n"}}}},
        {"editor": {"org": {"url": f"https://name:{_SECRET}@host/v1"}}},
        {"editor": {"org": {"url": f"https://host/v1?key={_SECRET}"}}},
        {"editor": {"org": f"{_SECRET}"}},
        {"environ": {"SYNCONFROUTE_ORG_APIKEY": _SECRET}},
        {"environ": {"SYNCONFROUTE_ORG_HEADERS": f'{{"Authorization": "{_SECRET}"'}},
        {"command_line": [f"org.api_key={_SECRET}"]},
        {"command_line": [f"org.token={_SECRET}"]},
        {"user": f'org.api_key = "{_SECRET}'},
    ],
)
def test_no_secret_is_ever_in_a_message(read: Any, sources: dict[str, Any]) -> None:
    """Keys in wrong places, wrong forms or mistyped are told of without their value."""
    reading = read(**sources)
    assert len(reading.messages) == 1
    assert _SECRET not in reading.messages[0]


def test_a_secret_on_the_command_line_is_refused(read: Any) -> None:
    """Other users can read a process's arguments; the variable is named instead."""
    reading = read(command_line=["org.api_key=k"])
    assert reading.settings.org.api_key == ""
    assert "SYNCONFROUTE_ORG_API_KEY" in reading.messages[0]


def test_broken_toml_is_one_sentence_with_the_line(read: Any) -> None:
    """The other sources apply, but nothing is escalated while a file cannot be read."""
    reading = read(
        user="[org]\nurl = 'https://a/v1'\nbroken\n",
        editor={"org": {"url": "https://b.example/v1"}},
    )
    (message,) = reading.messages
    assert "line 3" in message
    assert "nothing is escalated" in message
    assert reading.settings.org.url == "https://b.example/v1"
    assert reading.settings.escalation.enabled is False


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"a = 1\n" * 200_000, b"a = " + b"[" * 5000, b"a = " + b"9" * 5000]
)
def test_a_settings_file_that_is_none_is_one_sentence(read: Any, content: bytes) -> None:
    """Bytes, huge files, deep nesting and numbers without end are refused, not raised."""
    (message,) = read(user=content).messages
    assert message.count("\n") == 0


def test_a_folder_in_place_of_the_file_is_one_sentence(tmp_path: Path) -> None:
    """What is not a file is said to be none."""
    (message,) = read_settings(user_file=tmp_path, environ={}).messages
    assert "is not a file" in message


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes")
def test_a_named_pipe_in_the_workspace_does_not_hang(tmp_path: Path) -> None:
    """A workspace cannot stall the server with a pipe for a settings file."""
    os.mkfifo(tmp_path / ".synconfroute.toml")
    reading = read_settings(workspaces=[tmp_path], user_file=tmp_path / "none", environ={})
    assert "is not a file" in reading.messages[0]


@pytest.mark.parametrize(
    "url",
    [
        "host:11434", "ftp://host/", "http://", "https://u:p@h/v1", "https://h/v1?x=1", "https://h#f",
        "https://h\\@evil/", "https://h:99999/", "http://[::1", "https://a b/",
        "javascript:alert(1)", "file:///etc/passwd", "https://u@h",
    ],
)  # fmt: skip
def test_what_is_no_plain_address_is_refused(read: Any, url: str) -> None:
    """Scheme, host, no name and key, no query; the address of a weaker source does not step in."""
    reading = read(
        user='org.url = "https://other.example/v1"', environ={"SYNCONFROUTE_ORG_URL": url}
    )
    assert len(reading.messages) == 1
    assert reading.settings.org.url == ""


@pytest.mark.parametrize(
    ("url", "allow", "used"),
    [
        ("http://127.0.0.1:8080/v1", False, True),
        ("http://localhost:8080", False, True),
        ("http://[::1]:8080", False, True),
        ("http://10.1.2.3:8080", False, False),
        ("http://10.1.2.3:8080", True, True),
        ("http://localhost.evil.example", False, False),
        ("http://127.0.0.1.nip.io", False, False),
        ("http://0.0.0.0:1", False, False),
    ],
)
def test_the_local_address_is_this_machine_unless_the_user_says_otherwise(
    read: Any, url: str, allow: bool, used: bool
) -> None:
    """`local.url` elsewhere needs `local.allow_remote` from the user's own settings."""
    reading = read(user=f'local.url = "{url}"\nlocal.allow_remote = {str(allow).lower()}')
    assert reading.settings.local.url == (url if used else "")
    assert len(reading.messages) == (0 if used else 1)


def test_a_workspace_cannot_open_the_local_tier(read: Any) -> None:
    """`allow_remote` in a workspace changes nothing."""
    reading = read(user='local.url = "http://10.1.2.3:1"', workspace="local.allow_remote = true")
    assert reading.settings.local.url == ""
    assert len(reading.messages) == 2


@pytest.mark.parametrize(
    ("url", "used"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("https://vllm.example.org/v1", True),
        ("http://vllm.example.org/v1", False),
        ("HTTP://vllm.example.org/v1", False),
    ],
)
def test_plain_http_goes_to_this_machine_only(read: Any, url: str, used: bool) -> None:
    """An organisation's address elsewhere must be https."""
    reading = read(editor={"org": {"url": url}})
    assert reading.settings.org.url == (url if used else "")
    assert len(reading.messages) == (0 if used else 1)


def test_a_wrong_off_switch_is_off(read: Any) -> None:
    """Whoever tried to say something about escalation gets none until it is said rightly."""
    reading = read(user='escalation.enabled = "no"', editor={"escalation": {"enabled": True}})
    assert reading.settings.escalation.enabled is True  # a stronger source said it rightly
    assert read(user='escalation.enabled = "no"').settings.escalation.enabled is False


def test_variables_of_others_are_ignored(read: Any) -> None:
    """Only variables of a section are ours; of these a mistyped one is told."""
    reading = read(
        environ={
            "SYNCONFROUTE_DATA": "/x",
            "SYNCONFROUTE_REQUIRE": "all",
            "SYNCONFROUTE_ORG_ULR": "https://h",
            "SYNCONFROUTE_ENGINE_THREADS": "",
            "PATH": "/bin",
        }
    )
    (message,) = reading.messages
    assert "did you mean SYNCONFROUTE_ORG_URL?" in message


@pytest.mark.parametrize("nothing", [None, {}, [], {"local": None}, {"local": []}, {"org": {}}])
def test_an_editor_that_says_nothing_is_no_fault(read: Any, nothing: Any) -> None:
    """Null and Lua's empty table mean that nothing was set."""
    assert read(editor=nothing).messages == ()


@pytest.mark.parametrize("wrong", ["x", 3, [1], True])
def test_editor_options_that_are_no_object_are_one_sentence(read: Any, wrong: Any) -> None:
    """Anything but an object is told."""
    assert len(read(editor=wrong).messages) == 1


def test_a_flood_of_wrong_keys_stays_readable(read: Any) -> None:
    """Twenty sentences and a count, whatever a file holds."""
    reading = read(workspace="\n".join(f"k{number} = 1" for number in range(3000)))
    assert len(reading.messages) == 21
    assert "2980 more" in reading.messages[-1]


_NAMES = st.one_of(st.sampled_from([*KEYS, "local", "org", "limits"]), st.text(max_size=12))
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_NAMES, inner, max_size=4),
    max_leaves=12,
)


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(editor=_VALUES)
def test_no_editor_options_raise(read: Any, editor: Any) -> None:
    """Whatever JSON an editor sends, settings come out and every value is allowed."""
    reading = read(editor=editor)
    for message in reading.messages:
        assert message.isprintable()
    for key in KEYS.values():
        value = value_of(reading.settings, key)
        assert type(value) is key.kind or (value is None and key.default is None)
        if isinstance(value, int | float) and key.low is not None and key.high is not None:
            assert key.low <= value <= key.high


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(workspace=st.dictionaries(_NAMES, st.booleans() | st.integers() | st.text(max_size=5)))
def test_no_workspace_file_opens_anything(read: Any, workspace: dict[str, Any]) -> None:
    """Whatever a workspace holds, only limits and the off switch can differ from the default."""
    lines = [f"{json.dumps(name)} = {json.dumps(value)}" for name, value in workspace.items()]
    lines += [f"{name} = {json.dumps(value)}" for name, value in workspace.items() if name in KEYS]
    settings = read(workspace="\n".join(lines)).settings
    for key in KEYS.values():
        if key.workspace == "never":
            assert value_of(settings, key) == key.default


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60), name=st.sampled_from(sorted(KEYS)))
def test_no_variable_raises(read: Any, name: str, text: str) -> None:
    """Any text in any variable gives a value that is allowed, or a sentence."""
    reading = read(environ={KEYS[name].variable: text})
    key, value = KEYS[name], value_of(reading.settings, KEYS[name])
    assert isinstance(value, key.kind) or (value is None and key.default is None)


@pytest.mark.parametrize(
    ("listen", "allowed"),
    [
        ("127.0.0.1:9464", True),
        ("localhost:0", True),
        ("[::1]:9464", True),
        ("127.3.2.1:1", True),
        ("0.0.0.0:9464", False),
        ("[::]:9464", False),
        ("192.168.1.2:9464", False),
        ("example.org:9464", False),
        ("localhost.example.org:9464", False),
        ("127.0.0.1", False),
        ("127.0.0.1:99999", False),
        ("9464", False),
        ("127.0.0.1:80/metrics", False),
        ("user@127.0.0.1:80", False),
        ("0x7f.1:80", False),
    ],
)
def test_metrics_are_shown_on_this_machine_only(read: Any, listen: str, allowed: bool) -> None:
    """Anything else is one sentence with an example, and nothing listens."""
    reading = read(user=f'metrics.listen = "{listen}"')
    assert reading.settings.metrics.listen == (listen if allowed else "")
    if allowed:
        assert reading.messages == ()
    else:
        (message,) = reading.messages
        assert "127.0.0.1:9464" in message


@pytest.mark.parametrize("allow", [True, False])
def test_traces_go_elsewhere_only_if_the_user_says_so(read: Any, allow: bool) -> None:
    """As the local model's address does."""
    address = "https://collector.example.org/otlp"
    text = f'tracing.endpoint = "{address}"\ntracing.allow_remote = {str(allow).lower()}'
    reading = read(user=text)
    assert reading.settings.tracing.endpoint == (address if allow else "")
    assert len(reading.messages) == (not allow)

"""The organisation's settings file: it holds for all users of a machine, and locks what it says."""

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from synconfroute.server.places import organisation_settings_file
from synconfroute.server.settings.keys import KEYS, value_of
from synconfroute.server.settings.reader import Reading, read_settings
from synconfroute.server.settings.sources import Source

_LOCKS = 'locked = ["org.url", "escalation"]\norg.url = "https://models.acme.example/v1"\n'


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Read with this text as the organisation's file, a workspace, and other sources."""

    def reader(organisation: str, workspace: str = "", **others: Any) -> Reading:
        file = tmp_path / "organisation.toml"
        file.write_text(organisation)
        file.chmod(0o644)
        (tmp_path / ".synconfroute.toml").write_text(workspace)
        others.setdefault("environ", {})
        others.setdefault("user_file", tmp_path / "none.toml")
        return read_settings(organisation_file=file, workspaces=[tmp_path], **others)

    return reader


def test_what_it_says_holds_until_somebody_else_says_otherwise(read: Any) -> None:
    """Without a lock it is a default of the organisation's own."""
    text = 'org.url = "https://models.acme.example/v1"'
    reading = read(text)
    assert reading.settings.org.url == "https://models.acme.example/v1"
    assert reading.sources["org.url"] is Source.ORGANISATION
    other = read(text, editor={"org": {"url": "https://other.example/v1"}})
    assert other.settings.org.url == "https://other.example/v1"
    assert reading.messages == other.messages == ()


def test_a_locked_key_is_set_by_nobody_else(read: Any, tmp_path: Path) -> None:
    """Not by the user, the editor, the environment or the command line; one sentence says so."""
    user = tmp_path / "user.toml"
    user.write_text('org.url = "https://user.example/v1"')
    reading = read(
        _LOCKS,
        user_file=user,
        editor={"org": {"url": "https://editor.example/v1"}},
        environ={"SYNCONFROUTE_ORG_URL": "https://environment.example/v1"},
        command_line=["org.url=https://line.example/v1"],
    )
    assert reading.settings.org.url == "https://models.acme.example/v1"
    assert reading.sources["org.url"] is Source.ORGANISATION
    assert "org.url" in reading.locked
    (message,) = reading.messages
    assert message.startswith(f"org.url (in {user}) is ignored: your organisation locks it in ")


def test_a_wrong_value_cannot_undo_a_lock(read: Any) -> None:
    """An address that is none, given elsewhere, leaves the locked one as it is."""
    reading = read(_LOCKS, editor={"org": {"url": "nonsense"}})
    assert reading.settings.org.url == "https://models.acme.example/v1"


def test_a_locked_key_that_it_does_not_set_keeps_its_default(read: Any) -> None:
    """A section locks all its keys, whether the file sets them or not."""
    reading = read(_LOCKS, command_line=["escalation.deadline_ms=100"])
    assert reading.settings.escalation.deadline_ms == 4_000
    (message,) = reading.messages
    assert "escalation.deadline_ms (in --set) is ignored" in message


def test_a_workspace_can_still_keep_code_here(read: Any) -> None:
    """Whatever is locked: a workspace may switch escalation off, which sends less."""
    locked = read(_LOCKS + "escalation.enabled = true\n", workspace="escalation.enabled = false")
    assert locked.settings.escalation.enabled is False
    assert locked.messages == ()


def test_a_locked_limit_is_not_for_workspaces_either(read: Any) -> None:
    """What a workspace may set otherwise, it may not set against a lock."""
    reading = read('locked = ["limits"]', workspace="limits.single_line_tokens = 5")
    assert reading.settings.limits.single_line_tokens == 50
    assert "is ignored: your organisation locks it" in reading.messages[0]


def test_plain_http_to_another_machine_is_for_the_organisation_alone(
    read: Any, tmp_path: Path
) -> None:
    """`org.allow_http` elsewhere is refused; in the organisation's file it opens plain http."""
    url = {"org": {"url": "http://models.acme.example/v1"}}
    user = tmp_path / "user.toml"
    user.write_text("org.allow_http = true")
    for elsewhere in (
        {"user_file": user},
        {"workspace": "org.allow_http = true"},
        {"editor": url | {"org.allow_http": True}},
        {"environ": {"SYNCONFROUTE_ORG_ALLOW_HTTP": "true"}},
        {"command_line": ["org.allow_http=true"]},
    ):
        reading = read("", **({"editor": url} | elsewhere))
        assert reading.settings.org.url == ""
        assert reading.settings.org.allow_http is False
        assert any("only your organisation's settings file" in each for each in reading.messages)
    reading = read("org.allow_http = true", editor=url)
    assert reading.settings.org.url == "http://models.acme.example/v1"
    assert reading.messages == ()


@pytest.mark.parametrize(
    "text",
    [
        "locked = true",
        'locked = "org.url"',
        'locked = ["org.ulr"]',
        "locked = [7]",
        "[locked]\norg = true",
        "locked = ['org.url'",
        "a = \x01",
    ],
)
def test_a_file_that_is_not_understood_stops_escalation(read: Any, text: str) -> None:
    """Nobody knows what the organisation forbade: nothing leaves, and one sentence says why."""
    reading = read(text, editor={"escalation": {"enabled": True}})
    assert reading.settings.escalation.enabled is False
    (message,) = reading.messages
    assert "nothing is escalated" in message
    assert message.isprintable()


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_a_file_that_others_may_write_is_not_the_organisations(tmp_path: Path, mode: int) -> None:
    """What anybody may have written decides nothing; until that is mended nothing is escalated."""
    file = tmp_path / "organisation.toml"
    file.write_text("org.allow_http = true")
    file.chmod(mode)
    reading = read_settings(
        organisation_file=file, user_file=tmp_path / "none.toml", environ={}, command_line=[]
    )
    assert reading.settings.org.allow_http is False
    assert reading.settings.escalation.enabled is False
    assert "chmod go-w" in reading.messages[0]


def test_no_variable_leads_past_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it lies follows from the platform alone."""
    before = organisation_settings_file()
    for name in ("HOME", "XDG_CONFIG_DIRS", "XDG_CONFIG_HOME", "ProgramFiles", "ProgramData"):
        monkeypatch.setenv(name, "/elsewhere")
    assert organisation_settings_file() == before
    assert before.is_absolute()


_ALL = 'locked = ["escalation", "org", "context", "local"]\norg.url = "https://acme.example/v1"'
_VALUES = st.booleans() | st.integers() | st.text(max_size=8) | st.just("https://evil.example/v1")


@hypothesis_settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50
)
@given(given_values=st.dictionaries(st.sampled_from(sorted(KEYS)), _VALUES, max_size=5))
def test_no_value_elsewhere_moves_a_locked_key(read: Any, given_values: dict[str, Any]) -> None:
    """Whatever the other sources say, a locked key holds what it held without them."""
    environ = {KEYS[name].variable: str(value) for name, value in given_values.items()}
    pairs = [f"{name}={value}" for name, value in given_values.items()]
    alone = read(_ALL)
    reading = read(_ALL, editor=given_values, environ=environ, command_line=pairs)
    for name in alone.locked:
        assert value_of(reading.settings, KEYS[name]) == value_of(alone.settings, KEYS[name])


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
@pytest.mark.parametrize(("mode", "used"), [(0o600, True), (0o400, True), (0o644, False)])
def test_a_key_in_a_settings_file_that_others_may_read_is_not_used(
    read: Any, tmp_path: Path, mode: int, used: bool
) -> None:
    """The rest of the file applies; the sentence names the command that mends it, and no key."""
    user = tmp_path / "user.toml"
    user.write_text('org.api_key = "sk-secret"\norg.model = "large"\n')
    user.chmod(mode)
    reading = read("", user_file=user)
    assert reading.settings.org.model == "large"
    assert reading.settings.org.api_key == ("sk-secret" if used else "")
    assert len(reading.messages) == (0 if used else 1)
    assert all("chmod 600" in each and "sk-secret" not in each for each in reading.messages)


def test_a_locked_rule_is_compared_with_no_other(read: Any) -> None:
    """But by the organisation itself; where the rule is not locked anybody may."""
    locks = 'locked = ["router"]\n'
    theirs = {"comparison": {"rule": "paper"}}
    reading = read(locks, editor=theirs)
    assert reading.settings.comparison.rule == "off"
    (message,) = reading.messages
    assert message.startswith("comparison.rule is ignored")
    own = read(f'{locks}comparison.rule = "paper"\n')
    assert (own.settings.comparison.rule, own.messages) == ("paper", ())
    free = read('locked = ["org.url"]\n', editor=theirs)
    assert (free.settings.comparison.rule, free.messages) == ("paper", ())

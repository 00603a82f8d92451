"""Rules on what may leave, as users, workspaces and organisations write them."""

from pathlib import Path
from typing import Any

import pytest

from synconfroute.server.settings.reader import Reading, read_settings
from synconfroute.server.settings.rules import EVERYTHING_STAYS, MOST_RULES, Rule, rules_of


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Read TOML texts by source."""

    def reader(editor: Any = None, **texts: str) -> Reading:
        files = {name: tmp_path / f"{name}.toml" for name in ("user", "organisation")}
        files["workspace"] = tmp_path / ".synconfroute.toml"
        for name, text in texts.items():
            files[name].write_text(text)
            files[name].chmod(0o644)
        return read_settings(
            organisation_file=files["organisation"],
            user_file=files["user"],
            workspaces=[tmp_path],
            editor=editor,
            environ={},
        )

    return reader


_DENY = '[[policy.rules]]\naction = "deny"\npaths = ["legal/"]\n'
_ALLOW = '[[policy.rules]]\naction = "allow"\nlanguages = ["python"]\n'


def test_the_rules_of_all_places_count(read: Any, tmp_path: Path) -> None:
    """A stronger place adds to what a weaker one says, and each rule knows its place."""
    reading = read(
        organisation=_DENY,
        user=_ALLOW,
        workspace='[[policy.rules]]\naction = "shadow"\n',
        editor={"policy": {"rules": [{"action": "deny", "larger_than": 9}]}},
    )
    assert reading.messages == ()
    assert reading.settings.policy.rules == (
        Rule("deny", paths=("legal/",), where=str(tmp_path / "organisation.toml")),
        Rule("allow", languages=("python",), where=str(tmp_path / "user.toml")),
        Rule("shadow", where=str(tmp_path / ".synconfroute.toml")),
        Rule("deny", larger_than=9, where="the editor"),
    )


def test_a_workspace_may_only_restrict(read: Any) -> None:
    """Its "allow" is refused in one sentence; its "deny" beside it holds."""
    reading = read(workspace=_ALLOW + _DENY)
    assert [rule.action for rule in reading.settings.policy.rules] == ["deny"]
    (message,) = reading.messages
    assert "rules in a workspace may only deny or shadow" in message


@pytest.mark.parametrize("line", ['policy.default = "allow"', 'escalation.secrets = "redact"'])
def test_a_workspace_sets_no_default(read: Any, line: str) -> None:
    """What holds for files without a rule, and what becomes of secrets, is the user's."""
    strict = 'policy.default = "deny"\n'
    reading = read(user=strict, workspace=line)
    assert reading.settings.policy.default == "deny"
    assert reading.settings.escalation.secrets == "deny"
    assert "may not set it" in reading.messages[0]


def test_locked_rules_are_the_organisations_alone_but_for_what_restricts(read: Any) -> None:
    """A user's rules are ignored in one sentence; a workspace may still keep code here."""
    reading = read(
        organisation=f"locked = ['policy']\n{_ALLOW}",
        user='policy.default = "shadow"\n[[policy.rules]]\naction = "deny"\n',
        workspace=_DENY,
    )
    assert [rule.action for rule in reading.settings.policy.rules] == ["allow", "deny"]
    assert reading.settings.policy.default == "allow"
    assert len(reading.messages) == 2
    assert all("your organisation locks it" in message for message in reading.messages)


@pytest.mark.parametrize(
    "wrong",
    [
        "x",
        7,
        {},
        ["deny"],
        [{}],
        [{"action": "refuse"}],
        [{"action": "deny", "path": ["a"]}],
        [{"action": "deny", "paths": "a"}],
        [{"action": "deny", "paths": []}],
        [{"action": "deny", "paths": [""]}],
        [{"action": "deny", "paths": ["a\nb"]}],
        [{"action": "deny", "remotes": [7]}],
        [{"action": "deny", "larger_than": -1}],
        [{"action": "deny", "larger_than": True}],
        [{"action": "deny", "larger_than": 1.5}],
        [{"action": "deny"}] * (MOST_RULES + 1),
    ],
)
def test_rules_that_are_none_keep_everything_here(read: Any, wrong: Any) -> None:
    """Nobody knows what they meant to forbid, so all is forbidden, in one sentence."""
    assert rules_of(wrong) is None
    reading = read(editor={"policy": {"rules": wrong}})
    assert [rule.action for rule in reading.settings.policy.rules] == [EVERYTHING_STAYS.action]
    assert reading.settings.policy.rules[0].paths == ()
    (message,) = reading.messages
    assert "give a list of tables, each with an action" in message


def test_a_rule_is_shown_as_it_is_written() -> None:
    """What it does not say is left out, and reading it again gives the same rule."""
    table = {"action": "deny", "paths": ["a/*.py"], "remotes": ["github.com/acme/*"]}
    (rule,) = rules_of([table]) or ()
    assert rule.as_json() == table
    assert rules_of([rule.as_json()]) == (rule,)

"""VS Code offers the settings of the server's tree, and lets no folder decide where code goes."""

import copy
import json
from typing import Any

from editors.vscode.configuration import PACKAGE, renewed

from synconfroute.server.settings.keys import KEYS

_DECIDING = (
    "server.path",
    "server.source",
    "local.url",
    "local.allow_remote",
    "org.url",
    "log.file",
)


def manifest() -> dict[str, Any]:
    """package.json."""
    package: dict[str, Any] = json.loads(PACKAGE.read_text("utf-8"))
    return package


def settings() -> dict[str, Any]:
    """All settings by name, without the section."""
    categories = manifest()["contributes"]["configuration"]
    return {
        name.removeprefix("synconfroute."): schema
        for category in categories
        for name, schema in category["properties"].items()
    }


def test_the_manifest_is_current() -> None:
    """package.json is what `editors/vscode/configuration.py` makes now; run it if this fails."""
    assert renewed(copy.deepcopy(manifest())) == manifest()


def test_every_setting_of_the_users_but_secrets_is_offered() -> None:
    """And no secret is."""
    offered = {name for name in settings() if not name.startswith("server.")}
    assert offered == {name for name, key in KEYS.items() if key.for_editors}


def test_no_folder_sets_what_a_workspace_file_may_not() -> None:
    """Everything else is machine-scoped, and restricted besides."""
    restricted = manifest()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    for name, schema in settings().items():
        open_to_all = name in KEYS and KEYS[name].workspace == "always"
        assert schema["scope"] == ("window" if open_to_all else "machine"), name
        assert (f"synconfroute.{name}" in restricted) == (not open_to_all), name
    assert {settings()[name]["scope"] for name in _DECIDING} == {"machine"}


def test_limits_and_choices_are_the_servers() -> None:
    """What VS Code lets pass, the server takes."""
    offered = settings()
    assert offered["limits.lines"]["enum"] == list(KEYS["limits.lines"].choices)
    assert offered["router.threshold"]["maximum"] == KEYS["router.threshold"].high
    assert offered["router.threshold"]["type"] == ["number", "null"]
    assert all(schema["markdownDescription"] for schema in offered.values())


def test_every_command_of_a_walkthrough_is_contributed() -> None:
    """No button leads nowhere."""
    package = manifest()["contributes"]
    commands = {command["command"] for command in package["commands"]}
    for walkthrough in package["walkthroughs"]:
        for step in walkthrough["steps"]:
            assert step["description"].rpartition("(command:")[2].rstrip(")") in commands
            assert (PACKAGE.parent / step["media"]["markdown"]).exists()

"""The server's settings as VS Code's settings, made from the settings tree into package.json.

python editors/vscode/configuration.py
"""

import json
import sys
from pathlib import Path
from typing import Any

from synconfroute.server.settings.keys import KEYS, SECTIONS, Key
from synconfroute.server.settings.rules import SCHEMA

PACKAGE = Path(__file__).with_name("package.json")
_PREFIX = "synconfroute."
_OWN = _PREFIX + "server."
_TITLES = {"org": "Organisation's server", "log": "Log file"}
_TYPES = {
    str: "string", bool: "boolean", int: "integer", float: "number", dict: "object", tuple: "array"
}  # fmt: skip


def renewed(package: dict[str, Any]) -> dict[str, Any]:
    """The manifest with the settings that the tree has now; the extension's own stay.

    Keys and headers are left out: VS Code's settings files are no place for secrets.
    """
    contributed = package["contributes"]
    own = [
        category
        for category in contributed["configuration"]
        if all(name.startswith(_OWN) for name in category["properties"])
    ]
    contributed["configuration"] = own + [_category(section) for section in SECTIONS]
    package["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = [
        name
        for category in contributed["configuration"]
        for name, schema in category["properties"].items()
        if schema["scope"] == "machine"
    ]
    return package


def _category(section: str) -> dict[str, Any]:
    keys = [key for key in KEYS.values() if key.name.startswith(f"{section}.") and key.for_editors]
    return {
        "title": _TITLES.get(section, section.capitalize()),
        "properties": {_PREFIX + key.name: _schema(key) for key in keys},
    }


def _schema(key: Key) -> dict[str, Any]:
    """One setting as JSON schema. Only what a workspace's file may set, a workspace may set."""
    kind: Any = _TYPES[key.kind]
    limits = {"minimum": key.low, "maximum": key.high}
    limits = {name: value for name, value in limits.items() if value is not None}
    schema = {
        "type": [kind, "null"] if key.default is None else kind,
        "default": key.default,
        "scope": "window" if key.workspace == "always" else "machine",
        "markdownDescription": key.doc,
    }
    if key.choices:
        schema["enum"] = list(key.choices)
    if key.address:
        schema["pattern"] = "^$|^https?://"
        schema["patternErrorMessage"] = "Give an http or https address, or nothing."
    if key.kind is tuple:
        return schema | {"default": list(key.default), "items": SCHEMA}
    if key.item is float:
        return schema | {"additionalProperties": {"type": "number"} | limits}
    return schema | limits


if __name__ == "__main__":
    manifest = renewed(json.loads(PACKAGE.read_text("utf-8")))
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    sys.exit(0 if PACKAGE.write_text(text, "utf-8", newline="\n") else 1)

"""The server's settings as a JSON schema, by which LSP4IJ checks and completes what users write.

python editors/jetbrains/schema.py
"""

import json
import sys
from pathlib import Path
from typing import Any

from synconfroute.server.settings.keys import KEYS, SECTIONS, Key
from synconfroute.server.settings.rules import SCHEMA as RULE

SCHEMA = Path(__file__).with_name("settings.schema.json")
_TYPES = {
    str: "string", bool: "boolean", int: "integer", float: "number", dict: "object", tuple: "array"
}  # fmt: skip


def schema() -> dict[str, Any]:
    """All settings below "synconfroute". Keys and headers are left out: an IDE keeps no secrets."""
    sections = {section: _object(_keys(section)) for section in SECTIONS}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "SynConfRoute",
        **_object({"synconfroute": _object(sections)}),
    }


def _keys(section: str) -> dict[str, Any]:
    return {
        key.name.partition(".")[2]: _property(key)
        for key in KEYS.values()
        if key.name.startswith(f"{section}.") and key.for_editors
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _property(key: Key) -> dict[str, Any]:
    limits = {"minimum": key.low, "maximum": key.high}
    limits = {name: value for name, value in limits.items() if value is not None}
    found: dict[str, Any] = {"type": _TYPES[key.kind], "description": key.doc}
    if key.default is not None:
        found["default"] = key.default
    if key.choices:
        found["enum"] = list(key.choices)
    if key.kind is tuple:
        return found | {"default": list(key.default), "items": RULE}
    if key.item is float:
        return found | {"additionalProperties": {"type": "number"} | limits}
    return found | limits


if __name__ == "__main__":
    text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    sys.exit(0 if SCHEMA.write_text(text, "utf-8", newline="\n") else 1)

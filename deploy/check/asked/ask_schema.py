"""Does each schema take its document? A member that the schema does not know is wrong, too."""

import json
import sys
from typing import Any

import jsonschema

_FREE = {"annotations", "labels", "matchLabels", "metadata", "env"}
"""Whose members nobody knows beforehand."""


def main() -> None:
    """Ask."""
    wrong = []
    for schema, document in json.load(sys.stdin):
        kind = jsonschema.validators.validator_for(schema)
        found = kind(_closed(schema)).iter_errors(document)
        wrong += [f"{error.json_path}: {error.message}" for error in found]
    print(json.dumps(wrong))


def _closed(schema: Any, name: str = "") -> Any:
    """A schema that takes no member beside the ones that it names."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {
        key: {each: _closed(value, each) for each, value in part.items()}
        if key == "properties"
        else _closed(part)
        for key, part in schema.items()
    }
    names = "properties" in schema and "type" in schema
    if names and name not in _FREE and "x-kubernetes-preserve-unknown-fields" not in schema:
        inner.setdefault("additionalProperties", False)
    return inner


if __name__ == "__main__":
    main()

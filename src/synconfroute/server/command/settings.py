"""`synconfroute settings show`: each value and its source. Secrets are only "set" or "not set"."""

import json
from argparse import Namespace
from typing import Any

from synconfroute.server.command import console
from synconfroute.server.command.reading import read_for
from synconfroute.server.places import organisation_settings_file, user_settings_file
from synconfroute.server.settings.keys import KEYS, Key, value_of
from synconfroute.server.settings.reader import Reading
from synconfroute.server.settings.sources import Source


def show_settings(options: Namespace) -> int:
    """Print the settings that hold here. What was wrong is told on stderr, or in the JSON."""
    reading = read_for(options)
    if options.json:
        console.say(json.dumps(_as_json(reading), indent=2))
        return 0
    for message in reading.messages:
        console.complain(message)
    console.say(f"Your settings file: {user_settings_file()}")
    console.say(f"Your organisation's: {organisation_settings_file()}\n")
    width = max(map(len, KEYS))
    for key in KEYS.values():
        value, source = _shown(reading, key), reading.sources[key.name]
        text = value if isinstance(value, str) and key.secret else json.dumps(value)
        lock = ", locked" if key.name in reading.locked else ""
        origin = "" if source is Source.DEFAULT and not lock else f"   ({source}{lock})"
        console.say(f"{key.name:<{width}}  {text}{origin}")
    return 0


def _as_json(reading: Reading) -> dict[str, Any]:
    return {
        "settings": {
            name: {"value": _shown(reading, key), "source": reading.sources[name]}
            for name, key in KEYS.items()
        },
        "locked": sorted(reading.locked),
        "messages": list(reading.messages),
        "user_file": str(user_settings_file()),
        "organisation_file": str(organisation_settings_file()),
    }


def _shown(reading: Reading, key: Key) -> Any:
    value = value_of(reading.settings, key)
    if key.secret:
        return "set" if value else "not set"
    return [rule.as_json() for rule in value] if key.kind is tuple else value

"""Settings as environment variables, for a process that cannot be told them otherwise."""

import json
from collections.abc import Mapping
from typing import Any

from synconfroute.server.settings.keys import KEYS
from synconfroute.server.settings.sources import Source, from_table


def as_variables(table: Mapping[Any, Any]) -> dict[str, str]:
    """Each setting of a table as the variable that sets the same; what is no setting is left out.

    Args:
        table: nested or dotted keys, as an editor sends them.
    """
    given = from_table(table, Source.EDITOR, "the editor")
    return {
        KEYS[each.name].variable: _text(each.value)
        for each in given
        if each.name in KEYS and not (isinstance(each.value, str) and "\0" in each.value)
    }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)

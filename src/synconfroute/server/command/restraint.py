"""What a client may set over TCP, where nobody knows whose it is.

On stdin the editor is the user's own, and so are its settings. A port can be reached by every user
of the machine: nobody who comes that way may say where code or keys go, or loosen a rule.
"""

from typing import Any

from synconfroute.server.settings.keys import KEYS, Key
from synconfroute.server.settings.sources import Given, Source, from_table

_TOUCHES_THE_MACHINE = frozenset(
    {"log.file", "validation.compiler", "local.model", "org.api_key_file", "org.keyring",
     "org.ca_file", "org.client_certificate", "org.client_key", "org.no_proxy", "metrics.listen"}
)  # fmt: skip
"""Files that are written or loaded, programs that are run, ports that are opened."""


def restrained(editor: dict[str, Any] | None) -> tuple[dict[str, Any], list[str]]:
    """What is left of a client's settings, and one sentence for each that is ignored."""
    kept, sentences = {}, []
    for given in from_table(editor or {}, Source.EDITOR, "the editor"):
        key = KEYS.get(given.name)
        if key is None or _harmless(key, given):
            kept[given.name] = given.value
        else:
            sentences.append(
                f"{key.name} is ignored over TCP, where any user of this machine may be the"
                " editor; put it into your settings file."
            )
    return kept, sentences


def _harmless(key: Key, given: Given) -> bool:
    if key.secret or key.address or key.name in _TOUCHES_THE_MACHINE:
        return False
    loosens = key.when_wrong is not None or key.workspace == "off"
    return not loosens or given.value is False

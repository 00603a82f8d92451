"""The configuration reference, `docs/configuration.md`, made from the settings tree.

python -m synconfroute.server.settings.reference > docs/configuration.md
"""

import json
import sys
from typing import get_type_hints

from synconfroute.server.settings.keys import KEYS, Key
from synconfroute.server.settings.tree import Settings
from synconfroute.server.settings.values import allowed

_HEAD = """# Configuration

Made from `src/synconfroute/server/settings/tree.py`; change that file, then run
`python -m synconfroute.server.settings.reference > docs/configuration.md`.

Every setting can be given in seven places. From weakest to strongest:

1. the default below;
2. your organisation's settings file, TOML, which administrators put on a machine:
   `/etc/synconfroute/settings.toml`, on macOS
   `/Library/Application Support/synconfroute/settings.toml`, on Windows
   `SynConfRoute\\settings.toml` in the folder of installed programs. What its list `locked` names,
   keys (`"org.url"`) or sections (`"policy"`), holds against every other place;
3. your settings file, TOML: `synconfroute settings show` says where it lies on your platform;
4. `.synconfroute.toml` at the root of a workspace. It travels with code that others wrote, so it
   may only set the keys marked *workspace* below. What it switches off stays off, whatever the
   other places say;
5. your editor's initialization options: nested objects, or one key with its dot;
6. environment variables, named in the tables;
7. `--set section.key=value` on the command line. Keys and headers are refused there, where other
   users of the machine could read them.

A wrong or unknown key is told in one sentence, and the rest applies. Where the wrong value would
decide where code goes (an address, `local.allow_remote`, `escalation.enabled`), nothing is allowed
instead of what a weaker place says. While a settings file cannot be read at all, nothing is
escalated: nobody knows what it forbade.

The local tier is asked on this machine only (localhost, 127.0.0.0/8, ::1) unless
`local.allow_remote = true` stands in one of your own places. The organisation's address is https,
or plain http to this machine, unless the organisation's file says `org.allow_http`.

Example:

```toml
[local]
provider = "ollama"
model = "qwen2.5-coder:3b"

[org]
url = "https://vllm.example.org/v1"

[router]
threshold = 0.8
```
"""
_WORKSPACE = {
    "never": "",
    "always": " *Workspace: may set it.*",
    "off": " *Workspace: may switch it off.*",
    "restrict": " *Workspace: may add rules that deny or shadow.*",
}


def reference() -> str:
    """The whole page, Markdown."""
    parts = [_HEAD]
    for section, kind in get_type_hints(Settings).items():
        keys = [key for key in KEYS.values() if key.name.startswith(f"{section}.")]
        rows = "\n".join(map(_row, keys))
        parts.append(
            f"## {section}\n\n{kind.__doc__}\n\n"
            f"| key | variable | values | default | meaning |\n|---|---|---|---|---|\n{rows}\n"
        )
    return "\n".join(parts)


def _row(key: Key) -> str:
    values = allowed(key) if not key.secret else "a text" if key.kind is str else "a table"
    meaning = key.doc + (" Never shown." if key.secret else "") + _WORKSPACE[key.workspace]
    meaning += " *Only the organisation's file sets it.*" if key.organisation else ""
    cells = (
        f"`{key.name}`",
        "" if key.organisation else f"`{key.variable}`",
        values,
        "not set" if key.default is None else f"`{json.dumps(key.default)}`",
        meaning,
    )
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    sys.stdout.write(reference())

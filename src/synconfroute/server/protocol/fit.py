"""Do an editor's extension and this server belong together?"""

import re

_MAJOR_MINOR = re.compile(r"(\d{1,9})\.(\d{1,9})")


def misfit(plugin: str, plugin_version: str, own: str) -> str:
    """One sentence where major or minor version differ; "" where they do not, or none is said."""
    theirs, ours = _MAJOR_MINOR.match(plugin_version), _MAJOR_MINOR.match(own)
    if theirs is None or ours is None or theirs.groups() == ours.groups():
        return ""
    older, newer = plugin or "The extension", f"the server synconfroute {own}"
    name = f"{older} {plugin_version}"
    behind = tuple(map(int, theirs.groups())) < tuple(map(int, ours.groups()))
    which = "the extension" if behind else "synconfroute"
    return f"{name} and {newer} are of different versions: update {which}."

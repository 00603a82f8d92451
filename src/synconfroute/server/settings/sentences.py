"""The sentences that tell a user what is wrong with a setting. They hold no secrets."""

from synconfroute.server.settings.keys import KEYS, SECTIONS, Key
from synconfroute.server.settings.sources import Given, Source
from synconfroute.server.settings.values import allowed, shown

_LONGEST_NAME = 60


def not_its_place(key: Key, given: Given) -> str:
    """Why this source may not set the key at all, or ""."""
    if key.organisation and given.source is not Source.ORGANISATION:
        return (
            f"{key.name} (in {given.where}) is ignored: only your organisation's settings file may"
            " set it."
        )
    if given.source is Source.WORKSPACE and key.workspace == "never":
        return (
            f"{key.name} (in {given.where}) is ignored: a file in a workspace may not set it; put"
            " it into your own settings."
        )
    if given.source is Source.COMMAND_LINE and key.secret:
        return (
            f"{key.name} is ignored on the command line, where other users can read it; set"
            f" {key.variable} or put it into your settings file."
        )
    return ""


def exposed_secret(key: Key, exposed: str) -> str:
    """A key stands in a settings file that others may read."""
    return f"{key.name} is ignored: the file {exposed}"


def locked(key: Key, given: Given, where: str) -> str:
    """The organisation's file `where` locks the key."""
    return (
        f"{key.name} (in {given.where}) is ignored: your organisation locks it in {where}, and the"
        " value from there holds."
    )


def rule_locked(where: str) -> str:
    """The organisation's file `where` locks the router's rule, and somebody compares others."""
    return (
        f"comparison.rule is ignored: your organisation locks the router's rule in {where}, and"
        " every session works with that."
    )


def only_off(key: Key, given: Given) -> str:
    """A workspace file tried to switch something on."""
    return (
        f"{key.name} (in {given.where}) is ignored: a file in a workspace may only switch it off."
    )


def only_restricting(key: Key, given: Given) -> str:
    """A workspace file tried to allow something."""
    return (
        f"{key.name} (in {given.where}) allows something, which is ignored: rules in a workspace"
        " may only deny or shadow."
    )


def not_allowed(key: Key, given: Given) -> str:
    """The value is of the wrong type, range or form."""
    return (
        f"{key.name}{_equals(key, given)} (in {given.where}) is not allowed: give {allowed(key)}."
    )


def not_a_setting(given: Given) -> str:
    """No key has this name."""
    if given.name in SECTIONS:
        return f"{given.name} (in {given.where}) is a section: give {given.name}.<key> = <value>."
    name = ascii(given.name[:_LONGEST_NAME])[1:-1]
    head = f"{name}{_equals(None, given)} (in {given.where}) is not a setting"
    near = _nearest(given)
    if near is None:
        return f"{head}; `synconfroute settings show` lists them all."
    meant = near.variable if given.source is Source.ENVIRONMENT else near.name
    return f"{head}; did you mean {meant}?"


def _equals(key: Key | None, given: Given) -> str:
    value = "" if key is None and given.is_text else shown(key, given.value)
    return f" = {value}" if value else ""


def _nearest(given: Given) -> Key | None:
    import difflib

    name = given.name[:_LONGEST_NAME].lower()
    if given.source is Source.ENVIRONMENT:
        name = name.removeprefix("synconfroute_").replace("_", ".", 1)
    near = difflib.get_close_matches(name, KEYS, n=1)
    return KEYS[near[0]] if near else None

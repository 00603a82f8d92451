"""Is a value allowed for a key? And how may it be shown?"""

import json
import math
from dataclasses import replace
from typing import Any

from synconfroute.clients.http import bad_header, base_address
from synconfroute.server.settings.keys import Key
from synconfroute.server.settings.rules import FORM, rules_of

_WORDS = {
    "true": True, "yes": True, "on": True, "1": True,
    "false": False, "no": False, "off": False, "0": False,
}  # fmt: skip
_LONGEST_SHOWN = 60


class NotAllowed(ValueError):
    """The value is not allowed; `str(error)` says what is, as in "give ..."."""


def allowed(key: Key) -> str:
    """What may be given for `key`, in words."""
    if key.choices:
        return "one of " + ", ".join(key.choices)
    if key.address:
        return "an http or https address such as https://host:8000/v1, or nothing"
    if key.kind is bool:
        return "true or false"
    if key.kind is tuple:
        return FORM
    if key.item is str:
        return "a table of header names and texts"
    if key.item is float:
        return f"a table of names and numbers {_range(key)}"
    if key.kind in (int, float):
        return f"{'a whole number' if key.kind is int else 'a number'} {_range(key)}"
    return "a text without control characters"


def check(key: Key, value: Any) -> Any:
    """Return `value` in the type of `key`.

    Raises:
        NotAllowed: its type, range or form is wrong. A bool is not a number, NaN is in no range.
    """
    if key.kind is bool:
        good = isinstance(value, bool)
    elif key.kind in (int, float):
        return _number(key, value)
    elif key.item is float:
        return _numbers(key, value)
    elif key.kind is tuple:
        rules = rules_of(value)
        return _refuse(key) if rules is None else rules
    elif key.kind is dict:
        good = _is_headers(value)
        return dict(value) if good else _refuse(key)
    else:
        good = _is_text(key, value)
    return value if good else _refuse(key)


def from_text(key: Key, text: str) -> Any:
    """Read the text of an environment variable or an option as a value for `key`.

    Raises:
        NotAllowed: the text is not of the key's kind.
    """
    if key.kind is str:
        return text
    if key.kind is bool:
        return _WORDS.get(text.strip().lower(), text)
    try:
        if key.kind in (dict, tuple):
            return json.loads(text)
        return key.kind(text)
    except (ValueError, RecursionError):
        return _refuse(key)


def shown(key: Key | None, value: Any) -> str:
    """A value as a message may show it: no secrets, no control characters, short; "" if at all.

    A text given for an unknown key (None) is not shown: it may be a key with its name mistyped.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:.10g}" if abs(value) < 1e15 or isinstance(value, float) else "a huge number"
    if value is None or key is None or key.secret or not isinstance(value, str):
        return ""
    text = _without_credentials(value) if key.address else value
    return ascii(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "...")


def _refuse(key: Key) -> Any:
    raise NotAllowed(allowed(key))


def _number(key: Key, value: Any) -> Any:
    wanted = (int,) if key.kind is int else (int, float)
    if isinstance(value, bool) or not isinstance(value, wanted):
        return _refuse(key)
    low, high = key.low or 0, key.high or math.inf
    return key.kind(value) if low <= value <= high else _refuse(key)  # NaN is in no range


def _numbers(key: Key, value: Any) -> Any:
    if not isinstance(value, dict) or not all(
        isinstance(name, str) and name.isprintable() for name in value
    ):
        return _refuse(key)
    entry = replace(key, kind=float, item=None)
    try:
        return {name: _number(entry, number) for name, number in value.items()}
    except NotAllowed:
        return _refuse(key)


def _range(key: Key) -> str:
    return f"from {key.low:,.10g} to {key.high:,.10g}".replace(",", "")


def _is_text(key: Key, value: Any) -> bool:
    if not isinstance(value, str) or not value.isprintable():
        return False
    if key.choices:
        return value in key.choices
    if key.secret:
        return value.isascii() and " " not in value
    return not key.address or value == "" or _is_address(value)


def _is_headers(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(isinstance(text, str) for pair in value.items() for text in pair)
        and bad_header(value) is None
    )


def _is_address(text: str) -> bool:
    """Scheme, host, perhaps port and path: no name and key, no query, no white space."""
    return base_address(text) is not None and not any(mark in text for mark in " @?#\\")


def _without_credentials(address: str) -> str:
    head = address.partition("?")[0].partition("#")[0]
    scheme, mark, rest = head.rpartition("://")
    return scheme + mark + rest.rpartition("@")[2]

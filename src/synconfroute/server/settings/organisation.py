"""The organisation's settings file: what holds for all users of a machine, and what it locks."""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synconfroute.errors import SettingsError
from synconfroute.server.settings.keys import KEYS, SECTIONS
from synconfroute.server.settings.sources import Given, Source, from_table, table_of

_LOCKED = "locked"
_OTHERS_MAY_WRITE = 0o022


@dataclass(frozen=True, slots=True)
class Organisation:
    """What the file says.

    Attributes:
        given: its values.
        locked: names of the keys that nobody else may set.
    """

    given: tuple[Given, ...] = ()
    locked: frozenset[str] = frozenset()


def read_organisation(path: Path) -> Organisation:
    """Read the file; where there is none the organisation says nothing.

    Its `locked` is a list of keys ("org.url") and of whole sections ("org").

    Raises:
        SettingsError: it cannot be read, others than its owner may write it, or `locked` names
            what is no setting: nobody knows then what the organisation meant to lock.
    """
    table = table_of(path)
    if not table:
        return Organisation()
    if sys.platform != "win32" and os.stat(path).st_mode & _OTHERS_MAY_WRITE:
        raise SettingsError(
            f"{path} is not used, since others than its owner may change it: let an administrator"
            f" run chmod go-w {path}."
        )
    locked = frozenset(_locked(table.pop(_LOCKED, []), path))
    return Organisation(tuple(from_table(table, Source.ORGANISATION, str(path))), locked)


def _locked(names: Any, path: Path) -> Iterator[str]:
    if not isinstance(names, list):
        raise SettingsError(
            f"{_LOCKED} in {path} is not a list of settings: give one such as"
            ' ["org.url", "policy"].'
        )
    for name in names:
        found = [key for key in KEYS if name in (key, key.partition(".")[0])]
        if not found:
            raise SettingsError(
                f"{ascii(name)[:60]}, {_LOCKED} in {path}, is not a setting: give a key such as"
                f" org.url, or a section: {', '.join(SECTIONS)}."
            )
        yield from found

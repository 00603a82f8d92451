"""What each source of settings says, before anything is checked."""

import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from synconfroute.errors import SettingsError
from synconfroute.server.settings.keys import KEYS, SECTIONS

_LARGEST_FILE = 1_000_000
_VARIABLES = {key.variable: key.name for key in KEYS.values()}


class Source(StrEnum):
    """Where a value comes from."""

    DEFAULT = "default"
    ORGANISATION = "organisation's file"
    USER = "user file"
    WORKSPACE = "workspace file"
    EDITOR = "editor"
    ENVIRONMENT = "environment"
    COMMAND_LINE = "command line"


@dataclass(frozen=True, slots=True)
class Given:
    """One value that a source gives.

    Attributes:
        name: the key's name as the source spells it.
        value: as it was read; a text still to be read where the source knows only texts.
        where: the file, variable or option, for messages.
    """

    name: str
    value: Any
    source: Source
    where: str

    @property
    def is_text(self) -> bool:
        """True if the source knows only texts."""
        return self.source in (Source.ENVIRONMENT, Source.COMMAND_LINE)


def from_file(path: Path, source: Source) -> list[Given]:
    """Read a TOML file; a file that is not there says nothing.

    Raises:
        SettingsError: it is there and cannot be read.
    """
    return from_table(table_of(path), source, str(path))


def table_of(path: Path) -> dict[str, Any]:
    """What a TOML file holds; a file that is not there holds nothing.

    Raises:
        SettingsError: it is there and cannot be read.
    """
    text = _read(path)
    if text is None:
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise SettingsError(f"{path} cannot be read: it is nested too deeply.") from None
    except ValueError as error:
        raise SettingsError(f"{path} is not valid TOML: {_first_line(error)}.") from None


def from_table(table: Mapping[Any, Any], source: Source, where: str) -> list[Given]:
    """Flatten nested tables; a name may also be written with its dot.

    None says nothing, and neither does an empty list: Lua writes its empty tables so.
    """
    given = []
    for name, value in table.items():
        if name in SECTIONS and isinstance(value, Mapping):
            given += [
                Given(f"{name}.{inner}", each, source, where) for inner, each in value.items()
            ]
        else:
            given.append(Given(str(name), value, source, where))
    return [each for each in given if each.value is not None and each.value != []]


def from_environment(environ: Mapping[str, str]) -> list[Given]:
    """`SYNCONFROUTE_<SECTION>_<KEY>`; other names count only if they begin like a section's."""
    given = []
    for variable in sorted(environ):
        name = _VARIABLES.get(variable)
        if name is None and _section_of(variable) is None:
            continue
        value = environ[variable]
        if value == "" and (name is None or KEYS[name].kind is not str):
            continue
        given.append(Given(name or variable, value, Source.ENVIRONMENT, variable))
    return given


def from_pairs(pairs: Iterable[str]) -> list[Given]:
    """Read the `section.key=value` of `--set` options."""
    split = [pair.partition("=") for pair in pairs]
    return [Given(name.strip(), value, Source.COMMAND_LINE, "--set") for name, _, value in split]


def _section_of(variable: str) -> str | None:
    for section in SECTIONS:
        if variable.startswith(f"SYNCONFROUTE_{section.upper()}_"):
            return section
    return None


def _read(path: Path) -> str | None:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SettingsError(f"{path} cannot be read: it is not a file.")
        if status.st_size > _LARGEST_FILE:
            raise SettingsError(f"{path} cannot be read: it is larger than 1 MB.")
        return path.read_bytes().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise SettingsError(f"{path} cannot be read: it is not UTF-8 text.") from None
    except (OSError, ValueError) as error:
        reason = (
            os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "bad name"
        )
        raise SettingsError(f"{path} cannot be read: {reason}.") from None


def _first_line(error: ValueError) -> str:
    lines = str(error).splitlines()
    return ascii(lines[0])[1:-1].rstrip(".") if lines else "unknown error"

"""Sets one entry of `router.thresholds` in the user's settings file; all else stays as it is."""

import contextlib
import copy
import json
import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from synconfroute.errors import SettingsError

_SECTION, _TABLE = "router", "thresholds"
_HEADER = re.compile(r"""\s*\[\s*(['"]?)router\1\s*\.\s*(['"]?)thresholds\2\s*\]\s*(#.*)?""")
_ANY_HEADER = re.compile(r"\s*\[")
_ENTRY = re.compile(r"""(\s*(?:"(?:\\.|[^"\\])*"|'[^']*'|[\w-]+)\s*=\s*)[^\s#]+""")


def set_threshold(file: Path, name: str, value: float) -> None:
    """Write `value` for `name` into the file, which is made where there is none.

    Comments, order and line ends stay; the new text is read again before it replaces the old one,
    in one step.

    Args:
        file: the settings file; a symbolic link is followed.
        name: the entry, such as "paper/qwen2.5-coder:0.5b/python".
        value: the threshold.

    Raises:
        SettingsError: the file cannot be read or written, or is written in a way that this does
            not edit; the sentence holds the line to add by hand.
    """
    file = Path(os.path.realpath(file))
    try:
        old = file.read_bytes().decode("utf-8") if file.exists() else ""
        new = edited(old, name, value)
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, new)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "the system refused"
        raise SettingsError(f"{file} cannot be written: {reason}.") from None
    except ValueError:
        raise SettingsError(f"{file} is not valid TOML in UTF-8: mend it first.") from None


def edited(text: str, name: str, value: float) -> str:
    """The text of a settings file with the entry set.

    Raises:
        ValueError: the text is no TOML.
        SettingsError: it is, and writes the table in a form that this does not edit.
    """
    before = tomllib.loads(text.removeprefix("\ufeff"))
    lines = text.split("\n")
    end = "\r" if lines[0].endswith("\r") else ""
    entry = f"{json.dumps(name, ensure_ascii=False)} = {value:.10g}"
    header = next((row for row, line in enumerate(lines) if _HEADER.fullmatch(line.strip())), None)
    if header is None:
        gap = [] if not text.strip() else ["\n"] if text.endswith("\n") else ["\n", "\n"]
        added = [f"[{_SECTION}.{_TABLE}]{end}\n", f"{entry}{end}\n"]
        new = text + "".join([line.replace("\n", f"{end}\n") for line in gap] + added)
    else:
        new = "\n".join(_within(lines, header, name, entry, end))
    return _confirmed(before, new, name, value, entry)


def _within(lines: list[str], header: int, name: str, entry: str, end: str) -> list[str]:
    """The lines with the entry set in the table that begins at `header`."""
    last = header
    for row in range(header + 1, len(lines)):
        line = lines[row]
        if _ANY_HEADER.match(line):
            break
        if _names(line, name):
            value = entry.rpartition("= ")[2]
            return [*lines[:row], _ENTRY.sub(rf"\g<1>{value}", line, count=1), *lines[row + 1 :]]
        if line.strip() and not line.lstrip().startswith("#"):
            last = row
    if last == len(lines) - 1:  # the file has no line break at its end
        return [*lines[:last], lines[last] + end, entry + end, ""]
    return [*lines[: last + 1], entry + end, *lines[last + 1 :]]


def _names(line: str, name: str) -> bool:
    try:
        return list(tomllib.loads(line)) == [name]
    except ValueError:
        return False


def _confirmed(before: dict[str, Any], new: str, name: str, value: float, entry: str) -> str:
    """The new text, if it says what the old one said, and the entry."""
    with contextlib.suppress(ValueError, TypeError, AttributeError):
        wanted = copy.deepcopy(before)
        wanted.setdefault(_SECTION, {}).setdefault(_TABLE, {})[name] = float(f"{value:.10g}")
        if tomllib.loads(new.removeprefix("\ufeff")) == wanted:
            return new
    raise SettingsError(
        f"Your settings file writes {_SECTION}.{_TABLE} in a form that is not edited here: put the"
        f" line {entry} below [{_SECTION}.{_TABLE}] by hand."
    )


def _replace(file: Path, text: str) -> None:
    """Put the text in the file's place in one step, with the old file's mode."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(text.encode("utf-8"))
        if file.exists():
            os.chmod(name, file.stat().st_mode & 0o7777)
        os.replace(name, file)
    except BaseException:
        os.unlink(name)
        raise

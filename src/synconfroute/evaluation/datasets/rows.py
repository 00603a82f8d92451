"""The rows of a benchmark's file: one JSON object a line, gzip-compressed or not."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synconfroute.errors import EvaluationError


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a benchmark's file.

    Attributes:
        fields: the JSON object.
        place: file and line, for errors.
    """

    fields: dict[str, Any]
    place: str

    def text(self, name: str) -> str:
        """A field that must be a string, with LF line breaks: an editor's buffer has no others.

        Raises:
            EvaluationError: the field is missing, or no string.
        """
        value = self.fields.get(name)
        if not isinstance(value, str):
            raise EvaluationError(f"{self.place} is no task of this benchmark: it lacks {name}.")
        return value.replace("\r\n", "\n")


def read_rows(data: Path, folder: str, name: str) -> Iterator[Row]:
    """The rows of a file, in order.

    Args:
        data: the folder that the user named: it holds `folder`, or the file itself.
        folder: where the benchmark's files are within `data`.
        name: the file's name without .gz.

    Raises:
        EvaluationError: there is no such folder or file, or a line is no JSON object.
    """
    file = _file(data, folder, name)
    opened = gzip.open if file.suffix == ".gz" else open
    try:
        with opened(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(line, f"{file}, line {number}")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is damaged"
        raise EvaluationError(f"{file} cannot be read: {said}.") from error


def _file(data: Path, folder: str, name: str) -> Path:
    if not data.is_dir():
        raise EvaluationError(
            f"There is no folder {data}: name the one that holds the benchmarks with --data."
        )
    for place in (data / folder, data):
        for file in (place / name, place / f"{name}.gz"):
            if file.is_file():
                return file
    raise EvaluationError(f"{data} holds neither {folder}/{name} nor {folder}/{name}.gz.")


def _row(line: str, place: str) -> Row:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"{place} is no JSON.") from error
    if not isinstance(fields, dict):
        raise EvaluationError(f"{place} is no JSON object.")
    return Row(fields, place)

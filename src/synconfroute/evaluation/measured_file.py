"""Files of measured numbers: a JSON object with the number of its format."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from synconfroute.errors import EvaluationError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Made = TypeVar("Made")


def write_measured(file: Path, form: int, measured: "DataclassInstance") -> None:
    """Write a dataclass as a file.

    Args:
        file: which.
        form: the number of its format.
        measured: what stands in it; its members must be what JSON has.

    Raises:
        EvaluationError: it cannot be written.
    """
    text = json.dumps({"format": form, **asdict(measured)}, indent=1, ensure_ascii=False)
    try:
        file.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        said = error.strerror or type(error).__name__
        raise EvaluationError(f"{file} cannot be written: {said}.") from error


def read_measured(file: Path, form: int, make: Callable[[dict[str, Any]], Made], kind: str) -> Made:
    """Read what `write_measured` wrote, or somebody by hand.

    Args:
        file: which.
        form: the number of its format.
        make: of the object without that number.
        kind: what the file should be, as in "profile of `synconfroute plan --measure`".

    Raises:
        EvaluationError: it cannot be read, or is none.
    """
    try:
        return make(_of_format(json.loads(file.read_text(encoding="utf-8")), form))
    except OSError as error:
        raise EvaluationError(f"{file} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        raise EvaluationError(f"{file} is no {kind}, or of another version.") from error


def _of_format(row: dict[str, Any], form: int) -> dict[str, Any]:
    if row.pop("format") != form:
        raise ValueError("another format")
    return row

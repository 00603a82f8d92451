"""Results that need not be found again: one small file each, named by what was run."""

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from synconfroute.evaluation.execution.languages import toolchain
from synconfroute.evaluation.execution.limits import Limits
from synconfroute.evaluation.execution.program import Program
from synconfroute.evaluation.execution.walls import Walls

_FORMAT = 1
"""Changes when the same program may come to another result."""


class Results:
    """What programs came to, in a folder. Whatever is wrong with the folder, nothing is raised."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def key(self, program: Program, limits: Limits, walls: Walls) -> str:
        """A hash of all that makes a difference: program, check, limits, walls, tools."""
        made_of = [
            _FORMAT, program.language, program.source, program.cases, asdict(limits),
            walls, toolchain(program.language),
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()

    def get(self, key: str) -> tuple[str, float] | None:
        """Outcome and seconds, or None where there is none, or one that is damaged."""
        try:
            row: Any = json.loads(self._file(key).read_bytes())
            outcome, seconds = row["outcome"], float(row["seconds"])
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        return (outcome, seconds) if row.get("key") == key and isinstance(outcome, str) else None

    def put(self, key: str, outcome: str, seconds: float) -> None:
        """Keep a result. Another process may keep the same one meanwhile."""
        file = self._file(key)
        row = {"key": key, "outcome": outcome, "seconds": round(seconds, 3)}
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=file.parent)
            with open(handle, "w", encoding="utf-8") as written:
                json.dump(row, written)
            os.replace(name, file)

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key[2:]}.json"

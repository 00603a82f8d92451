"""The file of a run: answers are appended as they come, so that a killed run can go on.

Beside FILE stands FILE.run.json: what the run was begun with. Every answer is one line, handed to
the disk before the next one is asked for. A last line without its end was being written when the
run was killed: it is dropped. When the run ends, the file is replaced by one with the outcomes.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.predictions import (
    Prediction,
    line_of,
    read_predictions,
    write_predictions,
)


class Record:
    """The answers of one run of one model."""

    def __init__(self, file: Path, begun_with: Mapping[str, Any], notes: Mapping[str, Any]) -> None:
        """Name the file; nothing is read or written yet.

        Args:
            file: where the answers go.
            begun_with: what must be the same for a run to go on: JSON values by name.
            notes: what is kept beside them, such as the text of the prompt.
        """
        self._file = file
        self._head = file.with_name(f"{file.name}.run.json")
        self._begun_with = json.loads(json.dumps(begun_with))
        self._notes = notes

    @property
    def file(self) -> Path:
        """Where the answers are."""
        return self._file

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep other runs away from the file.

        Raises:
            EvaluationError: another run is writing it, or its folder cannot be written.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(f"{self._file}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise EvaluationError(f"Another run is writing {self._file}.") from None
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            yield
        finally:
            lock.release()
            with contextlib.suppress(OSError):
                Path(lock.lock_file).unlink()

    def resume(self) -> list[Prediction]:
        """What earlier runs have answered, in order; a torn last line is dropped from the file.

        A file without any answer is begun anew.

        Raises:
            EvaluationError: the file is of a run with other options, or of no run.
        """
        try:
            if self._file.exists() and self._file.stat().st_size:
                self._check_head()
                _drop_torn_line(self._file)
                return list(read_predictions(self._file))
            self._write_head()
            self._file.touch()
        except OSError as error:
            raise self._unwritable(error) from None
        return []

    def append(self, prediction: Prediction) -> None:
        """Add an answer; it is on the disk when this returns.

        Raises:
            EvaluationError: it cannot be written.
        """
        try:
            with self._file.open("ab") as lines:
                lines.write(line_of(prediction).encode("utf-8", "replace"))
                lines.flush()
                os.fsync(lines.fileno())
        except OSError as error:
            raise self._unwritable(error) from None

    def replace(self, predictions: Iterable[Prediction]) -> None:
        """Put these in place of all, at once: a kill leaves the one or the other.

        Raises:
            EvaluationError: they cannot be written.
        """
        beside = self._file.with_name(f"{self._file.name}.new")
        try:
            write_predictions(beside, predictions)
            os.replace(beside, self._file)
        except OSError as error:
            raise self._unwritable(error) from None

    def _write_head(self) -> None:
        head = {"begun_with": self._begun_with, **self._notes}
        beside = self._head.with_name(f"{self._head.name}.new")
        beside.write_text(json.dumps(head, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        os.replace(beside, self._head)

    def _check_head(self) -> None:
        """Compare what the run was begun with."""
        try:
            begun_with = json.loads(self._head.read_text(encoding="utf-8"))["begun_with"]
            names = [*begun_with, *self._begun_with]
        except (OSError, ValueError, KeyError, TypeError):
            raise EvaluationError(
                f"{self._file} is there and was not begun by this command ({self._head.name} is"
                " missing or damaged): choose another --out."
            ) from None
        for name in dict.fromkeys(names):
            before, now = begun_with.get(name), self._begun_with.get(name)
            if before != now:
                raise EvaluationError(
                    f"{self._file} was begun with {name} = {before}, not {now}: give the same"
                    " options to go on, or another --out."
                )

    def _unwritable(self, error: OSError) -> EvaluationError:
        said = error.strerror or type(error).__name__
        return EvaluationError(f"{self._file} cannot be written: {said}.")


def _drop_torn_line(file: Path) -> None:
    with file.open("r+b") as lines:
        content = lines.read()
        whole = content.rfind(b"\n") + 1
        if whole != len(content):
            lines.truncate(whole)

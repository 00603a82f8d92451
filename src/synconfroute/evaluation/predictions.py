"""Stored answers of a model, one JSON object a line, gzip-compressed where the name ends in .gz."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synconfroute.clients.model import Token
from synconfroute.errors import EvaluationError


@dataclass(frozen=True, slots=True)
class Prediction:
    """A model's answer to one task.

    Attributes:
        task_id: the task.
        text: what the model sent, before cleaning.
        tokens: its tokens, in order; empty where the server gives none.
        seconds: from the request to the last token, or None.
        passed: whether the text passed, by the benchmark's own reading of it; None if not tried.
        provenance: how it was made: bench, model, prompt and so on, as in the file.
    """

    task_id: str
    text: str
    tokens: tuple[Token, ...] = ()
    seconds: float | None = None
    passed: bool | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict)


_OWN = {"task_id", "text", "tokens", "secs", "passed"}


def read_predictions(file: Path) -> Iterator[Prediction]:
    """The predictions of a file, in order. A last line without its end is left out.

    Raises:
        EvaluationError: the file cannot be read, or a line is no prediction.
    """
    opened = gzip.open if file.suffix == ".gz" else open
    try:
        with opened(file, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.endswith("\n"):
                    return  # a run that was killed while it wrote
                yield _prediction(line, file, number)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is no text"
        raise EvaluationError(f"{file} cannot be read: {said}.") from error


def digest_of_file(file: Path) -> str:
    """The first twelve digits of the SHA-256 of a file of predictions.

    Raises:
        EvaluationError: it cannot be read.
    """
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise EvaluationError(f"{file} cannot be read: {error.strerror}.") from error


def model_of(predictions: Iterable[Prediction], file: Path) -> str:
    """The model that a file's answers are of, as they say; else as its name says.

    Files are named BENCH.MODEL.PROMPT.jsonl where the answers name no model.
    """
    said = next((str(each.provenance["model"]) for each in predictions
                 if each.provenance.get("model")), "")  # fmt: skip
    name = file.name.removesuffix(".gz").removesuffix(".jsonl")
    for prompt in (".fim", ".chat"):
        name = name.removesuffix(prompt)
    return said or name.partition(".")[2] or name


def line_of(prediction: Prediction) -> str:
    """The prediction as a line of a file, with its line break."""
    row = {
        "task_id": prediction.task_id,
        "text": prediction.text,
        "tokens": [[token.text, token.logprob] for token in prediction.tokens],
        "secs": prediction.seconds,
        "passed": prediction.passed,
        **prediction.provenance,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def write_predictions(file: Path, predictions: Iterable[Prediction]) -> None:
    """Write a whole file of predictions."""
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "wt", encoding="utf-8") as lines:
        lines.writelines(map(line_of, predictions))


def prediction_of(line: str) -> Prediction:
    """The prediction that a line of a file holds.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: none.
    """
    row = json.loads(line)
    tokens = tuple(
        Token(text, None if logprob is None else float(logprob))
        for text, logprob in row.get("tokens") or ()
    )
    seconds = row.get("secs")
    return Prediction(
        str(row["task_id"]),
        str(row["text"]),
        tokens,
        None if seconds is None else float(seconds),
        row.get("passed"),
        {key: value for key, value in row.items() if key not in _OWN},
    )


def _prediction(line: str, file: Path, number: int) -> Prediction:
    try:
        return prediction_of(line)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise EvaluationError(
            f"{file}, line {number} is no prediction: each line is a JSON object with task_id,"
            " text and tokens as pairs of text and log-prob."
        ) from error

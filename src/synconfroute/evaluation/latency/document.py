"""The file that `eval latency` writes, and what reads it.

A JSON object. Times are seconds; what is not known is null; no code stands in it. Its keys are the
attributes of `Measured`, and so on down:

    {
      "format": 1,
      "made": "2026-11-30T06:00:00+00:00",
      "version": "0.1.0",
      "machine": {"cpu": "…", "cores": 2, "threads": 2, "memory": 8324956160, "system": "Linux …"},
      "load_before": {"average": 0.12, "busy": 0.02},
      "load_after": {"average": 1.97, "busy": 0.03},
      "bench": "humaneval-single-line", "sample": 60, "seed": 42,
      "profile": "live", "prompt": "fim", "shots": 0,
      "models": [
        {
          "provider": "embedded", "model": "qwen2.5-coder-0.5b-instruct-q4_k_m",
          "server": "llama.cpp (xllamacpp 2026.10)", "device": "cpu",
          "n": 60, "refused": 0,
          "seconds": {"median": 0.41, "p90": 0.75, "ci95": [0.37, 0.46]},
          "first_token": {"median": …}, "third_token": {"median": …},
          "tokens_per_second": {"median": 27.1, "p90": 29.0, "ci95": [26.5, 27.8]},
          "prompt_tokens": {"median": …}, "prompt_tokens_by": "estimate",
          "answers": [
            {"bench": "…", "task_id": "…", "group": "HumanEval/0", "seconds": 0.4312,
             "first_token": 0.2210, "third_token": 0.2874, "tokens": 11, "prompt_tokens": 143}
          ]
        }
      ]
    }

A `Spread` is over the answers; its interval is of the median, 95 %, whole functions drawn
(bootstrap). The answers are there so that a routed request can be put together task by task.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from synconfroute.evaluation.machine import Load, Machine
from synconfroute.evaluation.measured_file import read_measured, write_measured

FORMAT = 1
CountedBy = Literal["server", "estimate"]


@dataclass(frozen=True, slots=True)
class Timed:
    """One answer.

    Attributes:
        bench: the benchmark.
        task_id: the task.
        group: the function that it is of.
        seconds: from the request to the complete answer, when the stream is closed.
        first_token: from the request to the first token; of an empty answer, to its end.
        third_token: to the third token, when the confidence is known and the router may decide; of
            a shorter answer, to its end.
        tokens: how many came.
        prompt_tokens: of the prompt.
    """

    bench: str
    task_id: str
    group: str
    seconds: float
    first_token: float
    third_token: float
    tokens: int
    prompt_tokens: int


@dataclass(frozen=True, slots=True)
class Spread:
    """Some numbers in short.

    Attributes:
        median: the middle one.
        p90: nine of ten are no greater.
        ci95: the interval of the median.
    """

    median: float
    p90: float
    ci95: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ModelLatency:
    """One model.

    Attributes:
        provider: who serves it, as it was named.
        model: as the server calls it.
        server: name and version, as the server says; "" if it does not.
        device: "cpu", "gpu", "mixed", or None where unknown.
        n: answers that are counted.
        refused: prompts that the server took in no length; not counted.
        seconds: until the complete answer.
        first_token: until the first token.
        third_token: until the third.
        tokens_per_second: after the first token; None where no answer has two.
        prompt_tokens: of the prompts.
        prompt_tokens_by: who counted them.
        answers: one a task.
    """

    provider: str
    model: str
    server: str
    device: str | None
    n: int
    refused: int
    seconds: Spread
    first_token: Spread
    third_token: Spread
    tokens_per_second: Spread | None
    prompt_tokens: Spread
    prompt_tokens_by: CountedBy
    answers: tuple[Timed, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement of some models on one machine.

    Attributes:
        made: when, ISO 8601 with its offset.
        version: of this project.
        machine: where.
        load_before: of the machine, before the first model was loaded.
        load_after: behind the last answer; the average still holds what the models did.
        bench: the benchmark, or the first words of several.
        sample: tasks of each that were drawn; None: all.
        seed: of the draw.
        profile: how they were asked, as in `generation.conditions`.
        prompt: the same.
        shots: the same.
        models: in the order asked.
    """

    made: str
    version: str
    machine: Machine
    load_before: Load
    load_after: Load
    bench: str
    sample: int | None
    seed: int
    profile: str
    prompt: str
    shots: int
    models: tuple[ModelLatency, ...]


def write_latency(file: Path, measured: Measured) -> None:
    """Write the file.

    Raises:
        EvaluationError: it cannot be written.
    """
    write_measured(file, FORMAT, measured)


def read_latency(file: Path) -> Measured:
    """Read a file that `eval latency` wrote.

    Raises:
        EvaluationError: it cannot be read, or is none.
    """
    return read_measured(file, FORMAT, _measured, "file of `synconfroute eval latency`")


def _measured(row: dict[str, Any]) -> Measured:
    return Measured(
        **row
        | {
            "machine": Machine(**row["machine"]),
            "load_before": Load(**row["load_before"]),
            "load_after": Load(**row["load_after"]),
            "models": tuple(map(_model, row["models"])),
        }
    )


def _model(row: dict[str, Any]) -> ModelLatency:
    spreads = ("seconds", "first_token", "third_token", "tokens_per_second", "prompt_tokens")
    return ModelLatency(
        **row
        | {name: _spread(row[name]) for name in spreads}
        | {"answers": tuple(Timed(**answer) for answer in row["answers"])}
    )


def _spread(row: Mapping[str, Any] | None) -> Spread | None:
    if row is None:
        return None
    low, high = row["ci95"]
    return Spread(row["median"], row["p90"], (low, high))

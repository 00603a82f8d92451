"""The servers that are asked: the scripted vLLM, and llama.cpp."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fleet import site
from benchmarks.fleet.simulation.llama import BATCH
from benchmarks.fleet.site import FleetModel
from benchmarks.model.vllm import MODEL
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.evaluation.capacity.measuring import Extent
from synconfroute.evaluation.capacity.workload import Workload

_ROOT = Path(__file__).parents[3]
_SPEED = (
    '{"at_once": 16, "step_ms": 12, "each_ms": 1.2, "bend": 0.8, "prefill_ms": 0.05,'
    ' "overhead_ms": 1, "jitter": 0.15}'
)
"""So slow that one process can serve it to its limit. Its steps do not grow in a straight line, and
scatter; the profile knows neither."""
_LONGEST_ANSWER = 400


@dataclass(frozen=True, slots=True)
class Kind:
    """A server, and what is asked of it.

    Attributes:
        name: in the table.
        extent: of its measurement.
        batched_tokens: most tokens of one step, as it was started.
        workload: what is asked; its rate is set by the load.
        seconds: of each load, the warm-up included.
        loads: shares of what its profile says it can do.
        deadline_ms: of the clients.
    """

    name: str
    extent: Extent
    batched_tokens: int
    workload: Workload
    seconds: float
    loads: tuple[float, ...]
    deadline_ms: int


SCRIPTED = Kind(
    "scripted vLLM, 16 at once",
    Extent(most_at_once=24, tokens=48, prompts=(64, 512, 1_500)),
    8_192,
    Workload(
        200, prompt_tokens=500, answer_tokens=20, cached=0.0, escalated=1.0, peak=1.0, burst=1.0
    ),
    seconds=27.0,
    loads=(0.3, 0.6, 0.8, 0.95, 1.1),
    deadline_ms=4_000,
)
REAL = Kind(
    "llama.cpp, 4 at once, starter model, CPU",
    Extent(most_at_once=6, tokens=32, prompts=(32, 100, 240)),
    BATCH,
    Workload(40, prompt_tokens=60, answer_tokens=8, cached=0.0, escalated=1.0, peak=1.0, burst=1.0),
    seconds=35.0,
    loads=(0.3, 0.7, 0.95),
    deadline_ms=15_000,
)


@contextmanager
def scripted() -> Iterator[tuple[OpenAICompatible, FleetModel | None]]:
    """The scripted vLLM, with what it says of itself."""
    with site.model("vllm", tokens=_LONGEST_ANSWER, speed=_SPEED) as model:
        yield OpenAICompatible(f"{model.url}/v1", MODEL), model


@contextmanager
def real() -> Iterator[tuple[OpenAICompatible, FleetModel | None]]:
    """llama.cpp with the starter model, which is fetched where it is not here."""
    from synconfroute.clients.engine import pull

    command = [sys.executable, "-m", "benchmarks.fleet.simulation.llama", str(pull())]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().decode().strip()
            yield OpenAICompatible(address), None
        finally:
            process.kill()

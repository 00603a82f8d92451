"""What one replica can do: a file of numbers, measured on a server or assumed.

{
  "format": 1,
  "name": "vLLM 0.32 at https://vllm.example.org/v1, qwen2.5-coder-7b",
  "measured": true,
  "at_once": 256,
  "step_ms": [[1, 9.8], [8, 11.2], [32, 15.0]],
  "prefill_ms_per_token": 0.05,
  "overhead_ms": 4.0,
  "batched_tokens": 8192,
  "kv_tokens": null,
  "prompt_tokens": [64, 1024],
  "spread": 0.06
}
"""

from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synconfroute.evaluation.measured_file import read_measured, write_measured

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Profile:
    """How fast a replica is. A *step* gives each running request one token.

    Attributes:
        name: the server and its model, in words.
        measured: False: the numbers are assumptions.
        at_once: most requests that run at the same time (vLLM: `max_num_seqs`); others wait.
        step_ms: pairs of requests that run and the ms of a step with no prompt in it, by number.
        prefill_ms_per_token: what each prompt token that is not in the cache adds to a step, in ms.
        overhead_ms: of a request before it is in the queue, in ms: HTTP, tokenizing.
        batched_tokens: most tokens of one step; a longer prompt takes several (vLLM:
            `max_num_batched_tokens`).
        kv_tokens: room in the cache for so many tokens of running requests; None: no limit known.
        prompt_tokens: the shortest and the longest prompt that it was measured with.
        spread: of the measured steps around these numbers, as a share of them; None: not measured.
    """

    name: str
    measured: bool
    at_once: int
    step_ms: tuple[tuple[int, float], ...]
    prefill_ms_per_token: float
    overhead_ms: float
    batched_tokens: int = 8192
    kv_tokens: int | None = None
    prompt_tokens: tuple[int, int] | None = None
    spread: float | None = None

    def __post_init__(self) -> None:
        """Refuse what no server can be.

        Raises:
            ValueError: a number is out of its range.
        """
        numbers = [batch for batch, _ in self.step_ms]
        if not numbers or numbers != sorted(set(numbers)) or numbers[0] < 1:
            raise ValueError("step_ms needs pairs of rising numbers of requests, from 1 on")
        if any(not 0 < ms < float("inf") for _, ms in self.step_ms):
            raise ValueError("a step takes more than 0 ms")
        if self.at_once < 1 or self.batched_tokens < 1 or (self.kv_tokens or 1) < 1:
            raise ValueError("at_once, batched_tokens and kv_tokens are at least 1")
        if not (0 <= self.prefill_ms_per_token < 1e6 and 0 <= self.overhead_ms < 1e6):
            raise ValueError("prefill_ms_per_token and overhead_ms are 0 or more")

    @property
    def most_measured(self) -> int:
        """The most requests at once for which there is a number."""
        return self.step_ms[-1][0]

    def step(self, running: int) -> float:
        """Seconds of a step in which so many requests run, at least one, and no prompt is read.

        Between two numbers it is a straight line; beyond the last the line through the last two
        goes on, and never falls.
        """
        pairs = self.step_ms
        if running <= pairs[0][0] or len(pairs) == 1:
            return pairs[0][1] / 1000
        at = min(bisect_left(pairs, (running, 0.0)), len(pairs) - 1)
        (left, low), (right, high) = pairs[at - 1], pairs[at]
        slope = (high - low) / (right - left)
        if running > right:
            slope = max(slope, 0.0)
            return (high + slope * (running - right)) / 1000
        return (low + slope * (running - left)) / 1000


ASSUMED = Profile(
    name="a 7B model on one 24 GB GPU, by assumption",
    measured=False,
    at_once=256,
    step_ms=((1, 20.0), (8, 22.0), (32, 28.0), (64, 38.0), (128, 60.0)),
    prefill_ms_per_token=0.25,
    overhead_ms=5.0,
    batched_tokens=8192,
    kv_tokens=100_000,
)
"""Where nothing was measured. The order of magnitude follows from arithmetic, not from a server: 15
GB of 16-bit weights at 0.8 TB/s are read in about 20 ms, a step's least; 14 GFLOP a token at 60
TFLOP/s are 0.25 ms; 5 GB of the memory are left for the cache, at 57 kB a token (28 layers, 4 heads
of 128 for keys and values each, 16 bits)."""


def write_profile(file: Path, profile: Profile) -> None:
    """Write the file.

    Raises:
        EvaluationError: it cannot be written.
    """
    write_measured(file, FORMAT, profile)


def read_profile(file: Path) -> Profile:
    """Read a file that `plan --measure` wrote, or that somebody wrote by hand.

    Raises:
        EvaluationError: it cannot be read, or is none.
    """
    return read_measured(file, FORMAT, _profile, "profile of `synconfroute plan --measure`")


def _profile(row: dict[str, Any]) -> Profile:
    read = row.get("prompt_tokens")
    return Profile(
        **row
        | {
            "name": str(row["name"]),
            "measured": row["measured"] is True,
            "step_ms": tuple((int(batch), float(ms)) for batch, ms in row["step_ms"]),
            "prompt_tokens": None if read is None else (int(read[0]), int(read[1])),
        }
    )

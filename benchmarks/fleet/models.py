"""A scripted model of the load, as a process: `python -m benchmarks.fleet.models ROLE`.

Its stdout is that of `benchmarks.model`; it ends when its stdin is closed.
"""

import argparse
import asyncio
import json
from dataclasses import asdict

from benchmarks.fleet.batched import Batched, Speed
from benchmarks.fleet.gate import Gate
from benchmarks.fleet.lag import watch_lag
from benchmarks.fleet.script import LOCAL, ORG, Marked
from benchmarks.model.ollama import Ollama
from benchmarks.model.pace import Pace, Steady
from benchmarks.model.serving import serve
from benchmarks.model.vllm import VLLM

LOCAL_FIRST_S, LOCAL_NEXT_S, LOCAL_TOKENS = 0.06, 0.012, 9
ORG_TOKENS = 11


async def _serve(role: str, speed: Speed, tokens: int) -> None:
    if role == "local":
        script = Marked(LOCAL, tokens or LOCAL_TOKENS)
        await _watched(Gate(Ollama()), script, Steady(LOCAL_FIRST_S, LOCAL_NEXT_S))
    else:
        batched = Batched(speed)
        script = Marked(ORG, tokens or ORG_TOKENS, always_sure=True)
        await _watched(Gate(VLLM(), batched), script, batched)


async def _watched(gate: Gate, script: Marked, pace: Pace) -> None:
    watching = asyncio.ensure_future(watch_lag(gate.late))
    try:
        await serve(gate, script, pace)
    finally:
        watching.cancel()


def main() -> None:
    """Serve until stdin is closed."""
    parser = argparse.ArgumentParser("python -m benchmarks.fleet.models", description=__doc__)
    parser.add_argument("role", choices=("local", "vllm"))
    parser.add_argument("--tokens", type=int, default=0, help="of an answer")
    parser.add_argument("--speed", metavar="JSON", default="{}", help="of vLLM; see `Speed`")
    options = parser.parse_args()
    speed = Speed(**{**asdict(Speed()), **json.loads(options.speed)})
    asyncio.run(_serve(options.role, speed, options.tokens))


if __name__ == "__main__":
    main()

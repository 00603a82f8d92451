"""Doctor's offer to let a running Ollama pull a code model."""

import json
import sys
from collections.abc import AsyncIterator
from typing import Any

from synconfroute.clients.http import open_client
from synconfroute.errors import ModelServerError
from synconfroute.server.command import console


async def pull_if_wanted(address: str, model: str) -> bool:
    """Ask on the terminal; on "y" let Ollama pull the model, with a progress bar.

    Args:
        address: Ollama's.
        model: its name there.

    Returns:
        True if it was pulled.
    """
    if not _yes(f"Ollama runs here without a code model. Pull {model} now? [y/N] "):
        return False
    try:
        await _pull(address, model)
    except ModelServerError as error:
        console.complain(str(error))
        return False
    return True


def _yes(question: str) -> bool:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


async def _pull(address: str, model: str) -> None:
    from tqdm import tqdm

    with tqdm(unit="B", unit_scale=True, desc=model, disable=None, file=sys.stderr) as bar:
        async for step in _steps(address, model):
            if step.get("error"):
                raise ModelServerError(f"Ollama could not pull {model}: {step['error']}")
            if isinstance(step.get("total"), int):
                bar.total = step["total"]
                bar.n = int(step.get("completed") or 0)
            bar.set_postfix_str(str(step.get("status", ""))[:40])


async def _steps(address: str, model: str) -> AsyncIterator[dict[str, Any]]:
    import httpx

    try:
        async with (
            open_client(address) as client,
            client.stream("POST", f"{address}/api/pull", json={"model": model}) as answer,
        ):
            async for line in answer.aiter_lines():
                step = json.loads(line)
                if isinstance(step, dict):
                    yield step
    except (httpx.HTTPError, ValueError) as error:
        raise ModelServerError(
            f"Ollama at {address} broke off while pulling {model} ({type(error).__name__}); ask"
            " again to go on from there."
        ) from None

"""Doctor's offer to let a running Ollama pull a code model."""

import sys

from synconfroute.errors import ModelServerError
from synconfroute.server.command import console


async def pull_if_wanted(address: str, model: str, *, allow_remote: bool) -> bool:
    """Ask on the terminal; on "y" let Ollama pull the model, with a progress bar.

    Args:
        address: Ollama's.
        model: its name there.
        allow_remote: `local.allow_remote`.

    Returns:
        True if it was pulled.
    """
    if not _yes(f"Ollama runs here without a code model. Pull {model} now? [y/N] "):
        return False
    try:
        await _pull(address, model, allow_remote=allow_remote)
    except ModelServerError as error:
        console.complain(str(error))
        return False
    return True


def _yes(question: str) -> bool:
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


async def _pull(address: str, model: str, *, allow_remote: bool) -> None:
    from tqdm import tqdm

    from synconfroute.clients.ollama import Ollama, PullProgress

    with tqdm(unit="B", unit_scale=True, desc=model, disable=None, file=sys.stderr) as bar:

        def show(progress: PullProgress) -> None:
            if progress.total:
                bar.total, bar.n = progress.total, progress.completed
            bar.set_postfix_str(console.printable(progress.status)[:40])

        client = Ollama(address, allow_remote=allow_remote)
        try:
            await client.pull(model, show)
        finally:
            await client.aclose()

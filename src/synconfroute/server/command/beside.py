"""Commands of ours that an editor asks for, each run in a process of its own beside the server.

A process, because the doctor loads every parser, and both may take minutes while the user types.
"""

import asyncio
import contextlib
import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synconfroute.server.protocol.commands import Report
from synconfroute.server.settings.variables import as_variables

_MOST_SECONDS = 3600.0
_LATE = "It took too long and was given up; run it in a terminal."


async def run_beside(
    options: Namespace,
    command: Sequence[str],
    editor: dict[str, Any] | None,
    roots: Sequence[Path],
) -> Report:
    """Run `synconfroute` with a session's settings. Cancelling it ends it.

    Args:
        options: of the server's own command line.
        command: what is typed after `synconfroute`.
        editor: the editor's settings.
        roots: the folders that the editor has open; the first one's workspace counts.

    Returns:
        What it said, on stdout or else on stderr, and whether it exited with 0.
    """
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # nothing is imported from the folder that is open
        "-m",
        "synconfroute",
        *(part for setting in options.set for part in ("--set", setting)),
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=next((root for root in roots if root.is_dir()), None),
        env=_environment(editor, os.environ),
    )
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            said, complained = await child.communicate()
    except TimeoutError:
        return Report(_LATE, ok=False)
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    text = (said.strip() or complained.strip()).decode("utf-8", "replace")
    return Report(text, ok=child.returncode == 0)


def _environment(editor: dict[str, Any] | None, own: Mapping[str, str]) -> dict[str, str]:
    """What the editor says, where the environment, which is stronger, does not say it."""
    return {**as_variables(editor or {}), **own, "PYTHONUTF8": "1"}

"""The doctor for editors: `synconfroute doctor` in a process of its own.

A process, because it loads every parser and may wait for minutes, while the user goes on typing.
"""

import asyncio
import contextlib
import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synconfroute.server.protocol.commands import Examination
from synconfroute.server.settings.variables import as_variables

_MOST_SECONDS = 180.0
_LATE = "The examination took too long and was given up; run `synconfroute doctor` in a terminal."


async def examine(
    options: Namespace, editor: dict[str, Any] | None, roots: Sequence[Path]
) -> Examination:
    """Run the doctor with a session's settings.

    Args:
        options: of the server's own command line.
        editor: the editor's settings.
        roots: the folders that the editor has open; the first one's workspace counts.
    """
    arguments = [part for setting in options.set for part in ("--set", setting)]
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-P",  # nothing is imported from the folder that is open
        "-m",
        "synconfroute",
        *arguments,
        "doctor",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=next((root for root in roots if root.is_dir()), None),
        env=_environment(editor, os.environ),
    )
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            said, _ = await child.communicate()
    except TimeoutError:
        return Examination(_LATE, ok=False)
    finally:
        if child.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            await child.wait()
    return Examination(said.decode("utf-8", "replace").strip(), ok=child.returncode == 0)


def _environment(editor: dict[str, Any] | None, own: Mapping[str, str]) -> dict[str, str]:
    """What the editor says, where the environment, which is stronger, does not say it."""
    return {**as_variables(editor or {}), **own, "PYTHONUTF8": "1"}

"""When an editor's process counts as gone."""

import asyncio
import subprocess
import sys

import pytest

from synconfroute.server.protocol.parent import until_gone


@pytest.fixture
def gone() -> int:
    """The id of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait(20)
    return process.pid


async def test_an_editor_that_ended_before_it_was_looked_for_is_gone(gone: int) -> None:
    """In the time in which all is imported that looking needs."""
    async with asyncio.timeout(20):
        await until_gone(gone, started_us=True)


async def test_an_unknown_id_says_nothing(gone: int) -> None:
    """It may be that of an editor in another container."""
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await until_gone(gone, started_us=False)

"""Is the editor still there?"""

import asyncio

_LOOK_EVERY = 0.5


async def until_gone(process_id: int, *, started_us: bool) -> None:
    """Return when a process has ended (LSP, "Initialize Request", `processId`).

    An id that names no process from the start belongs to another machine or container, and says
    nothing: then this never returns. One that has started this process has ended already.

    Args:
        process_id: the editor's.
        started_us: it was our parent when the session began.
    """
    import psutil

    if not psutil.pid_exists(process_id):
        if started_us:
            return
        await asyncio.Event().wait()
    try:
        process = psutil.Process(process_id)
        while True:
            # There is no portable event for the end of a process that is not our child.
            await asyncio.sleep(_LOOK_EVERY)
            if not process.is_running() or process.status() == psutil.STATUS_ZOMBIE:
                return
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied:
        await asyncio.Event().wait()

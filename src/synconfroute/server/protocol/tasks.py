"""Whose task is it? Several sessions share one event loop, and each ends its own tasks only."""

import asyncio
from collections.abc import Coroutine, Generator
from contextvars import ContextVar
from typing import Any, TypeAlias
from weakref import WeakSet

_Work: TypeAlias = Coroutine[Any, Any, Any] | Generator[Any, None, Any]

_OWNER: ContextVar["Tasks | None"] = ContextVar("owner", default=None)


class Tasks:
    """The tasks of one session: all that are begun in its context, however deep inside."""

    def __init__(self) -> None:
        """Own what is begun from here on in the context of whoever makes this."""
        self._tasks: WeakSet[asyncio.Task[Any]] = WeakSet()
        _OWNER.set(self)

    def add(self, task: "asyncio.Task[Any]") -> None:
        """Own a task that was begun elsewhere."""
        self._tasks.add(task)

    async def end(self) -> None:
        """Cancel all of them but the one that asks for it, and wait for their end."""
        tasks = {task for task in self._tasks if not task.done()} - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


def follow_tasks() -> None:
    """Have the running loop tell owners of their tasks."""
    asyncio.get_running_loop().set_task_factory(_begin)


def _begin(loop: asyncio.AbstractEventLoop, work: _Work, **more: Any) -> "asyncio.Task[Any]":
    task = asyncio.Task(work, loop=loop, **more)
    owner = _OWNER.get()
    if owner is not None:
        owner.add(task)
    return task

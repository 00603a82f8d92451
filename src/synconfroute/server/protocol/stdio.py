"""The language server on standard input and output.

Nothing here imports pygls before stdin and stdout are ours, so that no library can write into the
protocol or read from it.
"""

import asyncio
import gc
import os
import sys
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from synconfroute.server.protocol.completer import BuildCompleter, LoadSettings
from synconfroute.server.protocol.faults import describe
from synconfroute.server.protocol.framing import Frames
from synconfroute.server.protocol.logs import logger, start_logging

if TYPE_CHECKING:
    from synconfroute.server.protocol.commands import RunBeside
    from synconfroute.server.protocol.server import Server

_SWITCH_S = 0.0005
"""So long a thread that carries questions to the parser may keep the event loop waiting; Python's
own 5 ms are more than an answer from memory takes."""
_COLLECTIONS = (5_000, 20, 20)
"""Garbage is looked for after so many new objects; the other two as in Python, doubled."""
_PIECE = 64 * 1024
_PIECES_AHEAD = 64
_LAST_SECONDS = 1.2
"""With the half second in which the end of the editor is noticed, less than 2 s."""


def run_stdio(
    load: LoadSettings,
    build: BuildCompleter,
    beside: "RunBeside",
    *,
    log_file: str = "",
    log_level: str = "info",
) -> int:
    """Serve one editor until it says `exit`, closes our stdin, or is gone.

    Args:
        load: reads the settings, once the editor has sent its own.
        build: builds the completer from them.
        beside: runs other commands of ours, for editors that ask.
        log_file: where to log until the settings are known; "" means stderr.
        log_level: how much to log until then.

    Returns:
        The exit code: 0 after `shutdown` and `exit`, else 1 (LSP, "Exit Notification").
    """
    incoming, outgoing = claim_streams()
    sys.setswitchinterval(_SWITCH_S)
    start_logging(log_file, log_level)
    try:
        return asyncio.run(_serve(load, build, beside, incoming, outgoing))
    except KeyboardInterrupt:
        return 1


def claim_streams() -> tuple[int, int]:
    """Take stdin and stdout for the protocol. What others print goes to stderr from now on.

    Returns:
        File descriptors to read from and to write to.
    """
    sys.stdout.flush()
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return incoming, outgoing


class Output:
    """Writes messages to a file descriptor; an editor that is gone is no error.

    Attributes:
        on_gone: called when nobody reads any more.
    """

    def __init__(self, descriptor: int, on_gone: Callable[[], None]) -> None:
        """Write to `descriptor`."""
        self._descriptor = descriptor
        self.on_gone = on_gone

    def write(self, data: bytes) -> None:
        """Write all of it, or nothing more if nobody reads."""
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
        except OSError:
            self.on_gone()

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._descriptor)


def read_on_thread(
    descriptor: int, receive: Callable[[bytes], None], on_end: Callable[[], None]
) -> None:
    """Read a file descriptor on a thread of its own; hand every piece to the event loop.

    A thread, because no event loop waits for pipes, files and consoles alike on every platform.
    A daemon on the bare descriptor, because a read that never returns must not keep the process.
    """
    loop = asyncio.get_running_loop()
    ahead = threading.Semaphore(_PIECES_AHEAD)

    def take(piece: bytes) -> None:
        ahead.release()
        receive(piece)

    def pump() -> None:
        try:
            while piece := _read(descriptor):
                ahead.acquire()
                loop.call_soon_threadsafe(take, piece)
            loop.call_soon_threadsafe(on_end)
        except RuntimeError:
            return  # The loop is closed: the session has ended.

    threading.Thread(target=pump, name="stdin", daemon=True).start()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _PIECE)
    except OSError:
        return b""


class _Incoming:
    """The editor's messages; the first is handed out before there is a server for the others.

    Attributes:
        first: the first message; None where the editor goes without a word.
    """

    def __init__(self) -> None:
        self.first: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._frames = Frames()
        self._waiting: list[bytes] = []
        self._take: Callable[[bytes], None] = self._waiting.append
        self._ended = False
        self._on_end: Callable[[], None] = lambda: None

    def receive(self, piece: bytes) -> None:
        """Take the next bytes."""
        for body in self._frames.feed(piece):
            if self.first.done():
                self._take(body)
            else:
                self.first.set_result(body)

    def end(self) -> None:
        """There are no more."""
        self._ended = True
        if not self.first.done():
            self.first.set_result(None)
        self._on_end()

    def deliver(self, take: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        """Hand out all that wait, and from now on each as it comes, in the caller's context."""
        context = copy_context()
        self._take = lambda body: context.run(take, body)
        self._on_end = on_end
        for body in self._waiting:
            self._take(body)
        self._waiting.clear()
        if self._ended:
            on_end()


async def _serve(
    load: LoadSettings, build: BuildCompleter, beside: "RunBeside", incoming: int, outgoing: int
) -> int:
    from synconfroute.server.protocol.opening import answered
    from synconfroute.server.protocol.tasks import follow_tasks

    asyncio.get_running_loop().set_exception_handler(_on_loop_fault)
    follow_tasks()
    messages = _Incoming()
    read_on_thread(incoming, messages.receive, messages.end)
    gone = asyncio.Event()
    output = Output(outgoing, on_gone=gone.set)
    first = await messages.first
    if first is None:
        return 1
    opened = answered(first, load)
    if opened is not None:
        output.write(opened[1])
    if gone.is_set():
        return 1
    server = _made(load, build, beside)
    output.on_gone = lambda: server.stop(1)
    server.protocol.set_writer(output)
    if opened is None:
        server.protocol.receive(first)
    else:
        server.open(opened[0])
        await asyncio.sleep(0)  # what begins with the session is at work before messages are
    messages.deliver(server.protocol.receive, on_end=lambda: server.stop(1))
    code = await server.until_stopped()
    _end_soon(code)
    await server.aclose()
    output.close()
    return code


def _made(load: LoadSettings, build: BuildCompleter, beside: "RunBeside") -> "Server":
    """The server. Takes as long to import as all the rest of a start."""
    from synconfroute.server.protocol.server import Server

    server = Server(load, build, beside)
    _settle()
    server.on_ready = _settle
    return server


def _settle() -> None:
    """What was built so far stays, and no later collection looks at it again.

    One that looks at all objects takes 50 ms, in the middle of typing.
    """
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)


def _on_loop_fault(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    error = context.get("exception")
    what = describe(error) if isinstance(error, BaseException) else "no exception"
    logger.error("A fault in the event loop: %s", what)


def _end_soon(code: int) -> None:
    """End the process in any case, whatever still runs in some thread."""
    timer = threading.Timer(_LAST_SECONDS, os._exit, [code])
    timer.daemon = True
    timer.start()

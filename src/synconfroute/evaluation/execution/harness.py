"""Runs a Python program under test, inside the walls. Given to the interpreter as text.

Arguments: the program's file, and "end" or "answers". With "end" the first bytes of stdin are a
token; it is written to what was stderr once the program has run to its end: a program that leaves
early, with exit code 0 too, does not get there.
"""

import os
from collections.abc import Callable

NOT_COMPILED = 65
"""The exit code for a program that does not compile."""

FORBIDDEN = 70
"""The exit code for a program that did what no answer to a task needs."""


def _refusal() -> Callable[[str, tuple[object, ...]], None]:
    """A hook for events of the interpreter (docs.python.org, audit events), on each platform.

    It keeps what it needs: the program's names replace those of this module.
    """
    leave, code = os._exit, FORBIDDEN
    refused = frozenset({
        "os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.posix_spawn", "os.spawn",
        "os.startfile", "os.system", "socket.bind", "socket.connect", "subprocess.Popen",
    })  # fmt: skip

    def hook(event: str, _: tuple[object, ...]) -> None:
        if event in refused:
            leave(code)

    return hook


def _take_token() -> tuple[bytes, int]:
    """The token, and the channel that it goes to; the program gets an empty stdin."""
    token, channel = os.read(0, 64), os.dup(2)
    os.dup2(1, 2)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return token, channel


def _run() -> None:
    import builtins
    import os
    import sys

    file, mode = sys.argv[1:]
    sys.argv = [file]
    token, channel = _take_token() if mode == "end" else (b"", -1)
    with open(file, "rb") as opened:
        source = opened.read()
    try:
        code = compile(source, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        sys.exit(NOT_COMPILED)
    # The module `site` defines these, and is left out because it is slow.
    vars(builtins).update(exit=sys.exit, quit=sys.exit)
    sys.addaudithook(_refusal())
    space = vars(sys.modules["__main__"])
    for name in [name for name in space if not name.startswith("__")]:
        del space[name]
    exec(code, space)  # noqa: S102  that is what it is for
    if channel >= 0:
        os.write(channel, token)
        os._exit(0)


if __name__ == "__main__":
    _run()

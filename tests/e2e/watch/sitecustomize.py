"""Python imports this at its start where its folder is on PYTHONPATH, as in every server of a test.

Each address connected to, and each name looked up, is written to the file that CONNECTIONS names.
An audit hook sees them in the interpreter itself, whichever library asks; it cannot be taken back.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

_ADDRESS: dict[str, Callable[[tuple[Any, ...]], Any]] = {
    "socket.connect": lambda arguments: arguments[1],
    "socket.sendto": lambda arguments: arguments[1],
    "socket.sendmsg": lambda arguments: arguments[1],
    "socket.getaddrinfo": lambda arguments: arguments[:2],
    "socket.gethostbyname": lambda arguments: (arguments[0], 0),
    "socket.gethostbyaddr": lambda arguments: (arguments[0], 0),
}
_FILE = os.environ.get("CONNECTIONS", "")


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    find = _ADDRESS.get(event)
    address = None if find is None else find(arguments)
    if isinstance(address, tuple) and address:  # a Unix socket's is a path of this machine
        descriptor = os.open(_FILE, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, f"{tuple(address[:2])!r}\n".encode())
        finally:
            os.close(descriptor)


if _FILE:
    sys.addaudithook(_watch)

"""The real server with its allocations traced; says what is held to whoever asks on a socket.

It connects to the port that BENCHMARK_PORT names. For each byte that comes from there it sends a
line of JSON: how much memory is held now and what was the most since the last time, in bytes, and
how many blocks there are. Unreachable objects are collected first.
"""

import gc
import json
import os
import socket
import sys
import tracemalloc
from threading import Thread


def _tell(asking: socket.socket) -> None:
    while asking.recv(1):
        gc.collect()
        now, most = tracemalloc.get_traced_memory()
        held = {"now": now, "most": most, "blocks": sys.getallocatedblocks()}
        asking.sendall(json.dumps(held).encode() + b"\n")
        tracemalloc.reset_peak()


if __name__ == "__main__":
    from synconfroute.server.command.main import run

    tracemalloc.start()
    connection = socket.create_connection(("127.0.0.1", int(os.environ["BENCHMARK_PORT"])))
    Thread(target=_tell, args=(connection,), daemon=True).start()
    sys.exit(run())

"""llama.cpp's own server with the starter model, as a process: a real one that fits any machine.

Its first line on stdout is its address; it ends when its stdin is closed.
"""

import argparse
import os
import sys

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when llama.cpp is loaded

SEATS = 4
BATCH = 256
_CONTEXT = 1024


def main() -> None:
    """Serve until stdin is closed."""
    parser = argparse.ArgumentParser("python -m benchmarks.fleet.simulation.llama")
    parser.add_argument("model", help="a .gguf file")
    options = parser.parse_args()
    from synconfroute.clients.engine.openmp import load_openmp

    load_openmp()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.n_ctx, params.n_parallel = SEATS * _CONTEXT, SEATS
    params.n_batch = params.n_ubatch = BATCH
    threads = max(1, (os.cpu_count() or 1) - 1)  # one is left to whoever asks
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.cache_ram_mib = 0
    params.verbosity = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

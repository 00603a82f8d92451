"""A llama.cpp server on loopback with a key, as an organisation's server; run by tests.

Usage: org_server.py MODEL.gguf KEY. Prints its address, then serves until stdin is closed.
"""

import os
import sys

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when llama.cpp is loaded

from synconfroute.clients.engine.openmp import load_openmp

load_openmp()

import xllamacpp  # noqa: E402  a bare machine has just got what it needs

if __name__ == "__main__":
    model, key = sys.argv[1:]
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx, params.n_parallel, params.n_batch, params.n_ubatch = 2048, 1, 256, 256
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 2
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys = [key]
    params.cache_ram_mib = 64
    params.verbosity = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()

"""Products that complete code, side by side: `python -m benchmarks.peers`.

Each types the same trace (`benchmarks.trace`) before the same model, in real time. None of their
code is here: whoever wants them in the table installs them (`docs/peers.md`).
"""

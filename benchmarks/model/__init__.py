"""Model servers of fixed speed that write a scripted text: `python -m benchmarks.model`.

A *script* says what is written, a *pace* when each token is, a *shape* in whose protocol. A new
shape is a module beside `ollama.py` with a line in `shapes.py`.
"""

"""200 editors on one port of our server, before one scripted vLLM: `python -m benchmarks.fleet`.

Each editor types a line and asks for a completion every three seconds. Each has a scripted local
model, which takes as long however many ask, as if it ran on its developer's machine; it is unsure
of 42 % of its answers, the paper's share, and these go to the one vLLM that all share, whose steps
get longer the more requests run in them.
"""

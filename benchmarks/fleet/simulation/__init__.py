"""The simulation of `synconfroute plan` beside a server that is really asked.

    python -m benchmarks.fleet.simulation [--real] [--quick] [--write] [--json FILE]

A server is measured as `plan --measure` does it. Then it gets requests at several loads, by our
client's own rules, and the simulation gets the same requests with that profile: nothing in it is
adjusted to what came out.
"""

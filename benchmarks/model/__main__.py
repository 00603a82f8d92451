"""A scripted model as a process of its own.

Its first line on stdout is its port. After that, a line of JSON when a generation comes and when it
is over; see `benchmarks.model.record`. It ends when its stdin is closed.
"""

import argparse
import asyncio
import json

from benchmarks.model.pace import Steady
from benchmarks.model.script import SUM, Fixed, tokens_of
from benchmarks.model.serving import serve
from benchmarks.model.shapes import SHAPES


def main() -> None:
    """Serve until stdin is closed."""
    parser = argparse.ArgumentParser("python -m benchmarks.model", description=__doc__)
    parser.add_argument("--shape", choices=SHAPES, default="ollama", help="whose protocol: ollama")
    parser.add_argument("--first-ms", type=float, default=50, help="to the first token: 50")
    parser.add_argument("--next-ms", type=float, default=5, help="between tokens: 5")
    parser.add_argument("--endless", action="store_true", help="again and again")
    parser.add_argument("--tokens", metavar="JSON", help="list of [text, log-prob]; a sum if none")
    parser.add_argument("--port", type=int, default=0, help="any that is free: 0")
    options = parser.parse_args()
    tokens = tokens_of(json.loads(options.tokens)) if options.tokens else SUM.tokens
    script = Fixed(tokens, options.endless)
    pace = Steady(options.first_ms / 1000, options.next_ms / 1000)
    asyncio.run(serve(SHAPES[options.shape](), script, pace, options.port))


if __name__ == "__main__":
    main()

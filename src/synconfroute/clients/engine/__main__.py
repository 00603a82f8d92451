"""The engine as a process of its own: `python -m synconfroute.clients.engine`."""

import argparse
import sys
from pathlib import Path

from synconfroute.clients.engine.process import OWN_WORDS, EngineOptions, run_engine
from synconfroute.errors import SynConfRouteError


def main() -> int:
    """Run an engine as `start` asks for it; what goes wrong is one line in the log."""
    parser = argparse.ArgumentParser(prog="synconfroute-engine")
    parser.add_argument("model", type=Path)
    parser.add_argument("--idle-minutes", type=float, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--context-tokens", type=int, required=True)
    given = parser.parse_args()
    options = EngineOptions(given.idle_minutes, given.threads, given.context_tokens)
    try:
        run_engine(given.model, options)
    except SynConfRouteError as error:
        sys.stderr.write(f"{OWN_WORDS}{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

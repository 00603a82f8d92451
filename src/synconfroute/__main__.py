"""The command line: the server's commands, and those of the evaluation, which it does not know."""

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    # `python -m` looks for modules in the working folder first. An editor's is one that others
    # wrote: no json.py of theirs is run. Where we lie in it ourselves, it is ours.
    _OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:1] = [path for path in sys.path[:1] if path not in {"", os.getcwd()} or path == _OURS]

from synconfroute.evaluation.command import COMMANDS
from synconfroute.server.command.main import run


def main() -> int:
    """Run the command that the process was started with and return its exit code."""
    return run(further=COMMANDS)


if __name__ == "__main__":
    sys.exit(main())

"""The command line: the server's commands, and those of the evaluation, which it does not know."""

import sys

from synconfroute.evaluation.command import COMMANDS
from synconfroute.server.command.main import run


def main() -> int:
    """Run the command that the process was started with and return its exit code."""
    return run(further=COMMANDS)


if __name__ == "__main__":
    sys.exit(main())

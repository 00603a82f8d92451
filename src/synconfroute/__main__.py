"""`python -m synconfroute`: the command line."""

import sys

from synconfroute.server.command.main import run

sys.exit(run())

"""`python -m synconfroute.evaluation.routing.embedding`: fetch the model ahead of need."""

import sys

from synconfroute.errors import EvaluationError
from synconfroute.evaluation.routing.embedding.weights import files
from synconfroute.server.command import console


def main() -> int:
    """Fetch the model; the exit code is 0 if it is here then."""
    try:
        files()
    except EvaluationError as error:
        console.complain(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""The reader's process: finds what may help at a place, where hostile files hurt nobody.

Started by `reading`, never by hand. Requests, by their method: `warm` does nothing, `candidates`
answers a `Question` with pieces.
"""

from typing import Any

from synconfroute.server.completion.context.candidates import Candidates
from synconfroute.server.completion.context.question import Question
from synconfroute.validators.serving import serve


def main(memory_limit: int) -> None:
    """Serve until stdin ends.

    Args:
        memory_limit: bytes that this process may take.
    """
    candidates = Candidates()
    serve(memory_limit, lambda request: _answer(request, candidates))


def _answer(request: dict[str, Any], candidates: Candidates) -> dict[str, Any]:
    if request["method"] != "candidates":
        return {}
    pieces = candidates.pieces(Question.of_json(request))
    return {"pieces": [piece.as_json() for piece in pieces]}

"""What stands in the prompts of one document: it stays as long as it may.

A prompt that begins otherwise than the one before is evaluated anew by the model's server, all of
it; that takes longer than the context is worth, unless the code names something that is not there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from synconfroute.server.completion.budget import estimated_tokens
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.snippet import Snippet

REST_S = 20.0
"""So long, in seconds, what stands is not changed for what would merely be better."""

_PATH_TOKENS = 12
"""What the name of a file and the signs around it take in a prompt."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What goes into the prompts of a document.

    Attributes:
        pieces: chosen ones, the most useful first.
        candidates: all that may be chosen, the best first.
        since: when `pieces` became what they are, in seconds of the caller's clock.
    """

    pieces: tuple[Piece, ...] = ()
    candidates: tuple[Piece, ...] = ()
    since: float = float("-inf")

    def with_candidates(
        self, candidates: Iterable[Piece], *, tokens: int, now: float
    ) -> "Standing":
        """The same, now that these may be chosen; within `tokens`."""
        found = Standing(self.pieces, tuple(candidates), self.since)
        if now - self.since >= REST_S:
            return found._chosen(found.candidates, tokens=tokens, now=now)
        needed = [piece for piece in found.candidates if piece.needed]
        return found._with_wanted(needed, tokens=tokens, now=now)

    def for_line(self, names: frozenset[str], *, tokens: int, now: float) -> "Standing":
        """The same, now that the cursor's line names these, in plain form."""
        named = [piece for piece in self.candidates if piece.name and piece.name in names]
        return self._with_wanted(named, tokens=tokens, now=now)

    def _with_wanted(self, wanted: Sequence[Piece], *, tokens: int, now: float) -> "Standing":
        """Change what stands if something wanted is not there and fits."""
        must = _within(wanted, tokens)
        if all(piece in self.pieces for piece in must):
            return self
        return self._chosen((*must, *self._kept(), *self.candidates), tokens=tokens, now=now)

    def _chosen(self, ranked: Iterable[Piece], *, tokens: int, now: float) -> "Standing":
        chosen = _within(ranked, tokens)
        if set(chosen) == set(self.pieces):
            return self
        return Standing(chosen, self.candidates, now)

    def _kept(self) -> list[Piece]:
        """What stands and may still stand."""
        return [piece for piece in self.pieces if piece in self.candidates]


def snippets(pieces: Iterable[Piece]) -> tuple[Snippet, ...]:
    """The pieces as a prompt takes them: those of one file together, in the file's order.

    Files stand in the order of their best pieces.
    """
    files: dict[str, list[Piece]] = {}
    for piece in pieces:
        files.setdefault(piece.file, []).append(piece)
    return tuple(
        Snippet(
            found[0].path,
            "".join(f"{each.text}\n" for each in sorted(found, key=lambda each: each.first)),
        )
        for found in files.values()
    )


def _within(pieces: Iterable[Piece], tokens: int) -> tuple[Piece, ...]:
    """The first of these that fit together, each once."""
    chosen: dict[Piece, None] = {}
    files: set[str] = set()
    for piece in pieces:
        if piece in chosen:
            continue
        need = estimated_tokens(piece.text) + (0 if piece.file in files else _PATH_TOKENS)
        if need <= tokens:
            tokens -= need
            chosen[piece] = None
            files.add(piece.file)
    return tuple(chosen)

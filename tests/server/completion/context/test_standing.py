"""What stands in prompts stays the same while the user types."""

from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.server.completion.budget import estimated_tokens
from synconfroute.server.completion.context.piece import Piece
from synconfroute.server.completion.context.snippet import Snippet
from synconfroute.server.completion.context.standing import REST_S, Standing, snippets


def piece(name: str, *, needed: bool = False, size: int = 40, file: str = "", at: int = 0) -> Piece:
    """A definition of this name, in a file of its own."""
    path = file or f"{name}.py"
    text = f"def {name}(): ...".ljust(size, "#")
    return Piece(f"/project/{path}", path, text, at, at, name, needed)


def names(standing: Standing) -> list[str]:
    """What stands, by its names."""
    return [each.name for each in standing.pieces]


def test_the_first_candidates_are_taken_within_the_budget() -> None:
    """The best that fit: a smaller one may follow one that is too long."""
    found = [piece("a"), piece("b", size=5_000), piece("c"), piece("d")]
    standing = Standing().with_candidates(found, tokens=60, now=0.0)
    assert names(standing) == ["a", "c"]


def test_what_stands_stays_while_it_is_a_candidate() -> None:
    """A better one does not replace it before the rest is over."""
    first = Standing().with_candidates([piece("a"), piece("b")], tokens=60, now=0.0)
    better = [piece("c"), piece("b"), piece("a")]
    assert names(first.with_candidates(better, tokens=60, now=1.0)) == ["a", "b"]
    assert names(first.with_candidates(better, tokens=60, now=REST_S)) == ["c", "b"]


def test_what_is_needed_comes_in_at_once() -> None:
    """And what stands makes room from its end."""
    first = Standing().with_candidates([piece("a"), piece("b")], tokens=60, now=0.0)
    found = [piece("c", needed=True), piece("b"), piece("a")]
    assert names(first.with_candidates(found, tokens=60, now=1.0)) == ["c", "a"]


def test_a_name_on_the_line_brings_its_definition_in() -> None:
    """Without asking the reader again, and only once."""
    first = Standing().with_candidates([piece("a"), piece("b"), piece("c")], tokens=60, now=0.0)
    second = first.for_line(frozenset({"c", "x"}), tokens=60, now=1.0)
    assert names(second) == ["c", "a"]
    assert second.for_line(frozenset({"c"}), tokens=60, now=2.0) is second


def test_what_does_not_fit_changes_nothing() -> None:
    """A definition longer than the budget is asked for in vain."""
    first = Standing().with_candidates([piece("a"), piece("b", size=900)], tokens=60, now=0.0)
    assert first.for_line(frozenset({"b"}), tokens=60, now=1.0) is first


_NAMES = st.sampled_from("abcdefgh")
_FOUND = st.lists(st.tuples(_NAMES, st.booleans()), max_size=8, unique_by=lambda each: each[0])


@settings(max_examples=40, deadline=None)
@given(_FOUND, st.lists(st.tuples(_FOUND, st.frozensets(_NAMES)), max_size=6), st.data())
def test_nothing_changes_but_for_what_is_needed(
    begun: list[tuple[str, bool]],
    steps: list[tuple[list[tuple[str, bool]], frozenset[str]]],
    data: st.DataObject,
) -> None:
    """Within the rest, each change brings in something that the code names; the budget holds."""
    tokens = data.draw(st.integers(32, 200))
    standing = Standing().with_candidates([piece(n) for n, _ in begun], tokens=tokens, now=0.0)
    for number, (found, line) in enumerate(steps, 1):
        now = number * REST_S / 100
        before = standing
        candidates = [piece(name, needed=needed) for name, needed in found]
        standing = standing.with_candidates(candidates, tokens=tokens, now=now)
        fresh = set(standing.pieces) - set(before.pieces)
        if set(standing.pieces) != set(before.pieces) and before.pieces:
            assert any(each.needed for each in fresh)
        settled = standing
        standing = standing.for_line(line, tokens=tokens, now=now)
        if standing is not settled:
            assert {each.name for each in set(standing.pieces) - set(settled.pieces)} & line
        assert standing.for_line(line, tokens=tokens, now=now) is standing
        assert sum(estimated_tokens(each.text) for each in standing.pieces) <= tokens


def test_pieces_of_one_file_stand_together_in_its_order() -> None:
    """Files stand in the order of their best pieces."""
    found = [
        piece("two", file="a.py", at=9, size=0),
        piece("other", size=0),
        piece("one", file="a.py", at=3, size=0),
    ]
    assert snippets(found) == (
        Snippet("a.py", "def one(): ...\ndef two(): ...\n"),
        Snippet("other.py", "def other(): ...\n"),
    )

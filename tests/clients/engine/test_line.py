"""The forced line: its grammar, and taking lead and line break off the tokens again."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.engine.line import LineTrimmer, forced_line
from synconfroute.clients.model import LineGrammar, Token

WHITE_SPACE = st.text(alphabet=" \t\n\r\f\v\u00a0\u2028", max_size=20)
ANSWERS = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1
)


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, str, list[str]]:
    """A lead, an answer, and the pieces that a server sends of both and a line break."""
    lead, answer = draw(WHITE_SPACE), draw(ANSWERS)
    whole = lead + answer + "\n"
    cuts = draw(st.sets(st.integers(1, len(whole) - 1))) if len(whole) > 1 else set()
    edges = [0, *sorted(cuts), len(whole)]
    return lead, answer, [whole[a:b] for a, b in pairwise(edges)]


@given(cut_texts())
def test_however_the_lead_is_cut_the_tokens_are_the_answer(
    case: tuple[str, str, list[str]],
) -> None:
    """The tokens that are left, joined, are the answer without lead and line break."""
    lead, answer, pieces = case
    trimmer = LineTrimmer(lead)
    kept = [token for piece in pieces for token in trimmer.trim(Token(piece, -0.5))]
    assert "".join(token.text for token in kept) == answer
    assert all(token.text and token.logprob == -0.5 for token in kept)
    assert trimmer.complete
    assert not trimmer.broken


def test_a_token_across_lead_and_answer_keeps_its_logprob() -> None:
    """What stands behind the lead in one token keeps that token's log-prob."""
    trimmer = LineTrimmer("\n    ")
    assert trimmer.trim(Token("\n  ", -1.0)) == []
    assert trimmer.trim(Token("  return", -2.0)) == [Token("return", -2.0)]


def test_a_token_that_holds_typed_text_is_forced() -> None:
    """What was typed of a word is known: a token with the rest of it says nothing of the answer."""
    trimmer = LineTrimmer("\n    ret")
    assert trimmer.trim(Token("\n    ", -1.0)) == []
    assert trimmer.trim(Token("return", -2.0)) == [Token("urn", -2.0, forced=True)]
    assert trimmer.trim(Token(" a", -0.5)) == [Token(" a", -0.5)]


def test_a_line_break_inside_a_token_ends_the_answer() -> None:
    """The text before a line break is kept, the break and what follows are not."""
    trimmer = LineTrimmer("")
    assert trimmer.trim(Token("x:\n\n", -0.1)) == [Token("x:", -0.1)]
    assert trimmer.complete


def test_an_answer_without_its_lead_is_noticed() -> None:
    """A server that ignores the grammar is not trimmed into something it never said."""
    trimmer = LineTrimmer("    ")
    assert trimmer.trim(Token("  x", -0.1)) == []
    assert trimmer.broken


def test_an_overlong_lead_goes_to_the_prompt() -> None:
    """Only the end of a long lead is generated; the rest, in front of it, is prompt."""
    lead = "\n" * 500 + "    "
    line = forced_line(LineGrammar(lead))
    assert line.before + line.lead == lead
    assert len(line.lead) == 64

"""Cleaning, step by step, against golden files."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.cleaning import clean
from synconfroute.server.completion.cleaning.chatter import without_chatter
from synconfroute.server.completion.cleaning.echoed_prefix import without_echoed_prefix
from synconfroute.server.completion.cleaning.fences import fence_end, without_fences
from synconfroute.server.completion.cleaning.first_line import first_line
from synconfroute.server.completion.cleaning.following_lines import without_following_lines
from synconfroute.server.completion.cleaning.hidden_characters import without_hidden_characters
from synconfroute.server.completion.cleaning.indentation_characters import (
    with_indentation_characters,
)
from synconfroute.server.completion.cleaning.line_ends import with_line_feeds
from synconfroute.server.completion.cleaning.line_start import without_line_start
from synconfroute.server.completion.cleaning.repetition import without_repetition
from synconfroute.server.completion.cleaning.special_tokens import (
    special_token_at,
    without_special_tokens,
)
from synconfroute.server.completion.cleaning.structural_cut import structural_cut
from synconfroute.server.completion.cleaning.suffix_overlap import without_suffix_overlap
from synconfroute.server.completion.cleaning.trailing_junk import without_trailing_junk
from synconfroute.server.completion.hole import Hole


def _single(hole: Hole, text: str) -> str:
    return clean(hole, text, single_line=True)


STEPS: dict[str, Callable[[Hole, str], str]] = {
    "line_ends": with_line_feeds,
    "special_tokens": without_special_tokens,
    "chatter": without_chatter,
    "fences": without_fences,
    "line_start": without_line_start,
    "echoed_prefix": without_echoed_prefix,
    "first_line": first_line,
    "trailing_junk": without_trailing_junk,
    "hidden_characters": without_hidden_characters,
    "repetition": without_repetition,
    "following_lines": without_following_lines,
    "structural_cut": structural_cut,
    "suffix_overlap": without_suffix_overlap,
    "indentation_characters": with_indentation_characters,
    "clean": _single,
}


def _cases() -> Iterator[object]:
    for step, function in STEPS.items():
        golden = tomllib.loads(
            (Path(__file__).parent / "golden" / f"{step}.toml").read_text("utf-8")
        )
        for case in golden["case"]:
            yield pytest.param(function, case, id=f"{step}: {case['name']}")


@pytest.mark.parametrize(("function", "case"), list(_cases()))
def test_golden(function: Callable[[Hole, str], str], case: dict[str, str]) -> None:
    """Each step turns the text into what its golden file says."""
    hole = Hole(case.get("language", "python"), case.get("prefix", ""), case.get("suffix", ""))
    assert function(hole, case["text"]) == case["cleaned"]


@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("return a", 0),
        ("``", None),
        ("```py", None),
        ("```py\nreturn", 6),
        ("Here is the co", None),
        ("Here is the code:\n", None),
        ("Here is the code:\n``", None),
        ("Here is the code:\n```\nreturn", 22),
        ("Here is the code:\nreturn", 18),
        ("here = the_code[1]\n", 0),
    ],
)
def test_the_answer_proper_begins(text: str, begin: int | None) -> None:
    """Behind chatter and a fence; None while the text may still become one of them."""
    assert fence_end(text) == begin


@pytest.mark.parametrize(
    ("text", "place"), [("a<|fim_pad|>b", 1), ("<|fim_middle|>a", -1), ("<|fim_middle|>a<EOT>", 15)]
)
def test_where_an_answer_ends(text: str, place: int) -> None:
    """At the first control token that does not announce the answer."""
    assert special_token_at(text) == place


_TEXT = st.text(st.sampled_from("ab (){}[]\n\t:;,'\"`<|>\r") | st.characters(), max_size=60)


@given(prefix=_TEXT, suffix=_TEXT, text=_TEXT)
def test_any_input_is_cleaned(prefix: str, suffix: str, text: str) -> None:
    """Whatever comes in, one line comes out, with at most a line break before it."""
    hole = Hole("python", prefix, suffix)
    cleaned = clean(hole, text, single_line=True)
    assert "\r" not in cleaned
    assert "\n" not in cleaned.lstrip("\n \t\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0")
    assert cleaned == "" or cleaned.strip()
    assert not set(cleaned) & set("\0\x1b\x7f\x9b\u202a\u202e\u2066\u2069\u2028")


@given(text=st.from_regex(r"[a-z]{1,8}( = [a-z0-9]{1,8})?", fullmatch=True))
def test_a_clean_line_is_left_alone(text: str) -> None:
    """A plain line on an empty line passes every step unchanged."""
    assert clean(Hole("python", "def f():\n    ", "\n"), text, single_line=True) == text

"""What was made once is not made again: typing along a text, going back in it, and nothing else."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.hole import Hole
from synconfroute.server.completion.type_through import (
    AROUND,
    LONGEST,
    MOST_TEXTS,
    TypeThrough,
    going_on,
)

HOLE = Hole("python", "def f(a, b):\n    ", "\n\nprint(f(1, 2))\n", uri="file:///a.py")
TEXT = "return a + b"
MADE = Provenance(
    tier=Tier.LOCAL,
    provider="ollama",
    model="small",
    confidence=0.9,
    verdict=None,
    verdict_reason="",
    evidence=(),
    reason=Reason.KEPT,
    tokens_generated=5,
    tokens_discarded=1,
    request_id="r1",
)
CODE = st.text(st.sampled_from("ab ()\n\té😀"), max_size=40)


def made(text: str | None = TEXT) -> Answer:
    """An answer that shows a text."""
    return Answer(text, MADE)


def kept(text: str | None = TEXT, hole: Hole = HOLE) -> TypeThrough:
    """A cache that knows one text."""
    cache = TypeThrough()
    cache.add(hole, "small", made(text))
    return cache


def found(cache: TypeThrough, hole: Hole, model: str = "small") -> str | None:
    """The text that the cache has for a hole."""
    answer = cache.find(hole, model)
    return None if answer is None else answer.text


def typed(text: str, hole: Hole = HOLE) -> Hole:
    """The hole behind what was typed."""
    return replace(hole, prefix=hole.prefix + text)


@given(prefix=CODE, suffix=CODE, text=CODE, data=st.data())
def test_typing_along_gives_the_rest(
    prefix: str, suffix: str, text: str, data: st.DataObject
) -> None:
    """Whatever beginning of the text was typed, with what was typed wrong taken back."""
    hole = Hole("python", prefix, suffix, uri="file:///a.py")
    cache = kept(text, hole)
    count = data.draw(st.integers(0, len(text)))
    rest = text[count:]
    # The nearest place: a shorter beginning that fits there too would be another rest.
    assert found(cache, typed(text[:count], hole)) == (rest if rest.strip() else None)


@settings(max_examples=200)
@given(
    count=st.integers(0, len(TEXT) - 1),
    at=st.integers(0, len(HOLE.prefix) + len(HOLE.suffix)),
    removed=st.integers(0, 3),
    inserted=st.text("x=\n", max_size=3),
)
def test_any_other_edit_near_the_cursor_misses(
    count: int, at: int, removed: int, inserted: str
) -> None:
    """Before the cursor or behind it: the text was made for other code."""
    before = typed(TEXT[:count])
    whole = before.prefix + before.suffix
    at = min(at, len(whole))
    changed = whole[:at] + inserted + whole[at + removed :]
    cursor = len(before.prefix) if at >= len(before.prefix) else None
    if cursor is None:
        cursor = max(at, len(before.prefix) - removed) + len(inserted)
    hole = replace(HOLE, prefix=changed[:cursor], suffix=changed[cursor:])
    going_along = hole.suffix == HOLE.suffix and any(
        hole.prefix == HOLE.prefix + TEXT[:some] for some in range(len(TEXT))
    )
    assert (found(kept(), hole) is not None) == going_along


@pytest.mark.parametrize(
    "other",
    [
        replace(HOLE, uri="file:///b.py"),
        replace(HOLE, language="java"),
        replace(HOLE, prefix="def g(a, b):\n    "),
        replace(HOLE, suffix="\n"),
    ],
)
def test_another_place_is_another_place(other: Hole) -> None:
    """Document, language, and what stands before and behind."""
    assert found(kept(), other) is None


def test_closers_that_the_editor_adds_count_as_typed() -> None:
    """The text is then what makes the same code; one that goes on behind them is no such text."""
    text = 'print("sum", f(1))'
    cache = kept(text)
    for before, behind, rest in (
        ("print(", ")", '"sum", f(1)'),
        ('print("', '")', None),
        ('print("sum", f(', "))", "1"),
        ('print("sum", f(1)', ")", None),
        ("print(", "))", '"sum", f(1'),
        ("print(", ")))", None),
        ("print(", "]", None),
    ):
        hole = replace(typed(before), suffix=behind + HOLE.suffix)
        assert found(cache, hole) == rest, before


@given(text=CODE, count=st.integers(0, 40), closed=st.integers(0, 4))
def test_whatever_is_shown_makes_the_same_code(text: str, count: int, closed: int) -> None:
    """With closers behind the cursor or without."""
    hole = replace(HOLE, prefix=HOLE.prefix + text[:count], suffix=")" * closed + HOLE.suffix)
    rest = found(kept(text), hole)
    if rest is not None:
        assert hole.prefix + rest + hole.suffix == HOLE.prefix + text + HOLE.suffix


def test_another_model_is_asked_itself() -> None:
    """A text tells what one model would write."""
    assert found(kept(), HOLE, "large") is None


def test_the_same_line_far_below_other_code_is_another_place() -> None:
    """What is alike for hundreds of characters is told apart by what stands above."""
    alike = "\n" * 200 + HOLE.prefix
    one, other = replace(HOLE, prefix="x = 1" + alike), replace(HOLE, prefix="x = 2" + alike)
    assert found(kept(hole=one), other) is None
    assert found(kept(hole=one), one) == TEXT


def test_what_stands_farther_than_a_prompt_reaches_does_not_matter() -> None:
    """The work for a key does not grow with the document."""
    far = "x" * AROUND
    hole = replace(HOLE, prefix="1" + far + HOLE.prefix, suffix=HOLE.suffix + far + "1")
    moved = replace(HOLE, prefix="2" + far + HOLE.prefix, suffix=HOLE.suffix + far + "2")
    assert found(kept(hole=hole), moved) == TEXT


def test_what_the_user_asks_for_is_made_for_it() -> None:
    """A text made unasked is no answer to it; one that was asked for answers both."""
    asked = replace(HOLE, explicit=True)
    assert found(kept(), asked) is None
    assert found(kept(hole=asked), asked) == TEXT
    assert found(kept(hole=asked), typed("ret")) == "urn a + b"


def test_the_newest_text_of_a_place_counts() -> None:
    """One text a place; the older is forgotten."""
    cache = kept()
    cache.add(HOLE, "small", made("pass"))
    assert found(cache, HOLE) == "pass"
    assert len(cache) == 1


def test_the_nearest_text_counts() -> None:
    """A text made where the cursor stands comes before one that began farther left."""
    cache = kept()
    cache.add(typed("return "), "small", made("b - a"))
    assert found(cache, typed("return ")) == "b - a"
    assert found(cache, typed("return")) == " a + b"
    assert found(cache, typed("return a")) == " + b"


@pytest.mark.parametrize("text", [None, "", " \n", "x" * (LONGEST + 1)])
def test_nothing_to_show_is_not_kept(text: str | None) -> None:
    """Neither is what would fill the memory."""
    assert len(kept(text)) == 0


def test_what_was_not_used_for_longest_goes_first() -> None:
    """The number is bounded, and being used counts."""
    cache = TypeThrough(most_texts=3)
    holes = [replace(HOLE, uri=f"file:///{number}.py") for number in range(4)]
    for hole in holes[:3]:
        cache.add(hole, "small", made())
    assert found(cache, holes[0]) == TEXT
    cache.add(holes[3], "small", made())
    assert [found(cache, hole) for hole in holes] == [TEXT, None, TEXT, TEXT]
    assert MOST_TEXTS == 250


def test_the_characters_of_all_texts_are_bounded() -> None:
    """Whatever becomes of the number."""
    cache = TypeThrough(most_characters=30)
    for number in range(10):
        cache.add(replace(HOLE, uri=f"file:///{number}.py"), "small", made())
    assert len(cache) == 2
    cache.add(replace(HOLE, uri="file:///9.py"), "small", made("y" * 18))
    assert len(cache) == 2


def test_a_rest_says_where_it_came_from() -> None:
    """The provenance of the text, but nothing was generated for it again."""
    rest = going_on(made(), "return ")
    assert rest is not None
    assert rest.text == "a + b"
    assert rest.provenance == replace(MADE, reused=True, tokens_generated=0, tokens_discarded=0)
    assert going_on(made(), "return b") is None
    assert going_on(made(None), "") is None


def several(*texts: str) -> Answer:
    """An answer with several texts, each with its request id."""
    first, *others = (
        Answer(text, replace(MADE, request_id=f"r{count}", alternative=count - 1))
        for count, text in enumerate(texts, 1)
    )
    return replace(first, others=tuple(others))


def ids(answer: Answer | None) -> dict[str, str | None]:
    """Its texts by their request ids, in order."""
    assert answer is not None
    return {each.provenance.request_id: each.text for each in (answer, *answer.others)}


def test_typing_along_any_of_several_texts_leaves_those_that_fit() -> None:
    """In their order, each with its own request id; and back again."""
    cache = TypeThrough()
    asked = replace(HOLE, explicit=True)
    cache.add(asked, "small", several(TEXT, "return b", "pass"))
    assert ids(cache.find(asked, "small")) == {"r1": TEXT, "r2": "return b", "r3": "pass"}
    assert ids(cache.find(typed("return "), "small")) == {"r1": "a + b", "r2": "b"}
    assert ids(cache.find(typed("return b"[:-1]), "small")) == {"r1": "a + b", "r2": "b"}
    assert ids(cache.find(typed("pa"), "small")) == {"r3": "ss"}
    assert found(cache, typed("return b")) is None
    assert ids(cache.find(HOLE, "small")) == {"r1": TEXT, "r2": "return b", "r3": "pass"}


def test_of_several_texts_what_cannot_be_kept_is_left_out() -> None:
    """The others are kept, and all of them count."""
    cache = TypeThrough(most_characters=30)
    cache.add(HOLE, "small", several("x" * (LONGEST + 1), TEXT, " ", "pass"))
    assert ids(cache.find(HOLE, "small")) == {"r2": TEXT, "r4": "pass"}
    cache.add(typed("x"), "small", made("y" * 18))
    assert len(cache) == 1


@settings(max_examples=300)
@given(
    texts=st.lists(st.text("ab ", min_size=1, max_size=8), min_size=1, max_size=6),
    starts=st.lists(st.integers(0, 90), min_size=6, max_size=6),
    whole=st.text("ab ", max_size=90),
)
def test_the_nearest_text_that_fits_is_found_among_any(
    texts: list[str], starts: list[int], whole: str
) -> None:
    """As if every place before the cursor were looked at, in code that repeats itself."""
    cache = TypeThrough()
    made_at: dict[int, str] = {}
    for start, text in zip(starts, texts, strict=False):
        place = min(start, len(whole))
        cache.add(replace(HOLE, prefix=whole[:place]), "small", made(text))
        if text.strip():
            made_at[place] = text
    expected = None
    for place in sorted(made_at):
        text, typed_since = made_at[place], whole[place:]
        rest = text[len(typed_since) :]
        if text.startswith(typed_since) and rest.strip():
            expected = rest
    assert found(cache, replace(HOLE, prefix=whole)) == expected

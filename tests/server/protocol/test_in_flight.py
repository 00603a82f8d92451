"""What is typed while a model writes: does it still agree with what came?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from synconfroute.server.completion.answer import Answer
from synconfroute.server.protocol.in_flight import InFlight
from synconfroute.server.protocol.positions import Encoding, columns
from tests.server.completion.test_type_through import MADE, ids, several

LINE, COLUMN = 3, 4


def edit(
    start: int, end: int, text: str, line: int = LINE, last: int | None = None
) -> list[types.TextDocumentContentChangeEvent]:
    """A change within one line, or from one to another."""
    end_line = line if last is None else last
    place = types.Range(types.Position(line, start), types.Position(end_line, end))
    return [types.TextDocumentContentChangePartial(range=place, text=text)]


class Flight:
    """One generation at a place, and how often it parted."""

    def __init__(self, encoding: Encoding = Encoding.UTF16, lead: str = "") -> None:
        self.partings = 0
        at = types.Position(LINE, COLUMN)
        self.one = InFlight(at, encoding, self._part, explicit=False, lead=lead)

    def _part(self) -> None:
        self.partings += 1


@pytest.fixture
def flight() -> Flight:
    """A model has been asked."""
    flight = Flight()
    flight.one.grew("")
    return flight


def test_before_a_model_is_asked_nothing_agrees() -> None:
    """A wait for the next key is over with that key."""
    assert not Flight().one.follow(edit(4, 4, "r"))


def test_typing_before_anything_came_agrees(flight: Flight) -> None:
    """The model reads the prompt still; its text may be what is typed."""
    assert flight.one.follow(edit(4, 4, "r"))
    assert flight.one.follow(edit(5, 5, "e"))
    assert flight.one.typed == "re"
    assert flight.one.meets(types.Position(LINE, 6))
    assert not flight.one.meets(types.Position(LINE, 4))


def test_typing_what_came_agrees(flight: Flight) -> None:
    """Behind the text and ahead of it."""
    flight.one.grew("ret")
    assert flight.one.follow(edit(4, 4, "re"))
    assert flight.one.follow(edit(6, 6, "turn"))
    flight.one.grew("return")
    assert flight.one.agrees
    assert flight.partings == 0


def test_typing_something_else_parts(flight: Flight) -> None:
    """And it stays parted, whatever is typed back."""
    flight.one.grew("return")
    assert not flight.one.follow(edit(4, 4, "x"))
    assert not flight.one.follow(edit(4, 5, ""))


def test_a_text_that_turns_out_another_parts_once(flight: Flight) -> None:
    """The moment that shows it is the moment to stop."""
    assert flight.one.follow(edit(4, 4, "ra"))
    flight.one.grew("r")
    assert flight.partings == 0
    flight.one.grew("return")
    flight.one.grew("return a")
    assert flight.partings == 1
    assert not flight.one.agrees


def test_going_back_within_what_was_typed_agrees(flight: Flight) -> None:
    """But not beyond the place that the text was made for."""
    flight.one.grew("return")
    assert flight.one.follow(edit(4, 4, "retu"))
    assert flight.one.follow(edit(6, 8, ""))
    assert flight.one.typed == "re"
    assert flight.one.follow(edit(4, 6, "ret"))
    assert flight.one.typed == "ret"
    assert not flight.one.follow(edit(3, 7, ""))


@pytest.mark.parametrize(
    "changes",
    [
        edit(4, 4, "r", line=2),
        edit(3, 3, "r"),
        edit(5, 5, "r"),
        edit(4, 5, "r"),
        edit(4, 0, "r", last=LINE + 1),
        edit(0, 0, "r", line=LINE + 1),
        [types.TextDocumentContentChangeWholeDocument("r")],
        [*edit(4, 4, "r"), *edit(0, 0, "r")],
    ],
)
def test_every_other_edit_parts(
    flight: Flight, changes: list[types.TextDocumentContentChangeEvent]
) -> None:
    """Elsewhere, or over what stands behind the cursor."""
    assert not flight.one.follow(changes)


@given(
    st.text(st.sampled_from("aé😀"), min_size=1, max_size=8),
    st.sampled_from(list(Encoding)),
    st.data(),
)
def test_columns_are_counted_as_the_editor_counts(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    """Each character typed and some taken back, in each encoding."""
    flight = Flight(encoding).one
    flight.grew(text)

    def column(count: int) -> int:
        return COLUMN + columns(text[:count], encoding)

    for count, character in enumerate(text):
        assert flight.follow(edit(column(count), column(count), character))
    kept = data.draw(st.integers(0, len(text)))
    assert flight.follow(edit(column(kept), column(len(text)), ""))
    assert flight.typed == text[:kept]
    assert flight.meets(types.Position(LINE, column(kept)))


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_line_break_that_is_typed_agrees(flight: Flight, line_end: str) -> None:
    """With the indentation that the editor puts behind it; and back over it."""
    flight.one.grew(" {\n        retu")
    assert flight.one.follow(edit(4, 4, " {"))
    assert flight.one.follow(edit(6, 6, f"{line_end}        "))
    assert flight.one.meets(types.Position(LINE + 1, 8))
    assert flight.one.follow(edit(8, 8, "re", line=LINE + 1))
    assert flight.one.typed == " {\n        re"
    flight.one.grew(" {\n        return a;")
    assert ids(flight.one.rest(several(" {\n        return a;"))) == {"r1": "turn a;"}
    assert flight.one.follow(edit(6, 10, "", last=LINE + 1))
    assert flight.one.meets(types.Position(LINE, 6))
    assert flight.partings == 0
    assert not flight.one.follow(edit(6, 6, f"{line_end}    re"))


@given(
    st.text(st.sampled_from("aé😀\n"), min_size=1, max_size=8),
    st.sampled_from(list(Encoding)),
    st.data(),
)
def test_typing_over_several_lines_is_followed(
    text: str, encoding: Encoding, data: st.DataObject
) -> None:
    """Each character typed and some taken back at once, in each encoding."""
    flight = Flight(encoding).one
    flight.grew(text)

    def place(count: int) -> types.Position:
        *above, last = text[:count].split("\n")
        column = columns(last, encoding)
        return types.Position(LINE + len(above), column if above else COLUMN + column)

    for count, character in enumerate(text):
        at = place(count)
        assert flight.follow(edit(at.character, at.character, character, line=at.line))
    start, end = place(data.draw(st.integers(0, len(text)))), place(len(text))
    assert flight.follow(edit(start.character, end.character, "", start.line, end.line))
    assert flight.meets(start)
    assert text.startswith(flight.typed)


def test_an_entry_that_the_editor_previews_must_begin_the_text(flight: Flight) -> None:
    """So far as both go; a text that turns out another parts."""
    here = types.Position(LINE, COLUMN)
    flight.one.grew("re")
    assert not flight.one.meets(here, "pa")
    assert flight.one.meets(here, "return ")
    flight.one.grew("ret")
    assert flight.partings == 0
    flight.one.grew("rest")
    assert flight.partings == 1
    assert not flight.one.meets(here)


def test_the_next_key_forgets_what_was_previewed(flight: Flight) -> None:
    """The newest request alone counts."""
    assert flight.one.meets(types.Position(LINE, COLUMN), "raise")
    assert flight.one.follow(edit(4, 4, "r"))
    flight.one.grew("ret")
    assert flight.partings == 0
    assert flight.one.meets(types.Position(LINE, COLUMN + 1))


def test_the_rest_is_what_goes_behind_the_typed_and_the_previewed(flight: Flight) -> None:
    """Of several texts those that begin so."""
    answer = several("return a", "raise", "pass")
    assert flight.one.rest(answer) is answer
    assert flight.one.follow(edit(4, 4, "r"))
    assert ids(flight.one.rest(answer)) == {"r1": "eturn a", "r2": "aise"}
    assert flight.one.meets(types.Position(LINE, COLUMN + 1), "et")
    assert ids(flight.one.rest(answer)) == {"r1": "urn a"}
    assert flight.one.rest(Answer(None, MADE)) is None


def test_a_text_made_behind_an_entry_goes_behind_it_and_what_is_typed_of_it() -> None:
    """The place is that of the entry's end."""
    flight = Flight(lead="append").one
    flight.grew("(x)")
    answer = several("(x)", "(y)")
    assert flight.follow(edit(4, 4, "app"))
    assert flight.meets(types.Position(LINE, COLUMN + 3), "end")
    assert ids(flight.rest(answer)) == {"r1": "(x)", "r2": "(y)"}
    assert flight.meets(types.Position(LINE, COLUMN + 3))
    assert ids(flight.rest(answer)) == {"r1": "end(x)", "r2": "end(y)"}
    assert not flight.meets(types.Position(LINE, COLUMN + 3), "ly")
    assert not flight.follow(edit(7, 7, "x"))

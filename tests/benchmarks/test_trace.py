"""The typing trace: what is typed, what the model knows, what is taken, and how it is counted."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.model.record import Generation
from benchmarks.model.script import Asked
from benchmarks.trace.account import Account, Made, account
from benchmarks.trace.knowing import KNOWN_BY, Knowing, pieces
from benchmarks.trace.passages import Passage, passages
from benchmarks.trace.strokes import Plan, Stroke, plan
from benchmarks.trace.typist import READ_S, Part, Seen, Typist, first_line, wanted

PASSAGES = passages()
NAMES = [passage.name for passage in PASSAGES]
TEXT = "total = first + second\n    return total\n"
PASSAGE = Passage("a.py", "python", "def add(first, second):\n    ", TEXT, "\nprint(add(1, 2))\n")


def struck(strokes: Sequence[Stroke], text: str = "") -> str:
    """What strokes make of a text."""
    for stroke in strokes:
        text = text + stroke.text if stroke.text else text[:-1]
    return text


class Screen:
    """An editor that shows, so many seconds after each key, what a function says of the text."""

    def __init__(self, says: dict[str, str], after: float = 0.1) -> None:
        self.now = 100.0
        self.text = ""
        self.taken: list[tuple[str, Part]] = []
        self._says = says
        self._after = after
        self._coming: list[Seen] = []

    def clock(self) -> float:
        """Seconds."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Time passes."""
        self.now += seconds

    def type(self, text: str) -> None:
        """Insert it."""
        self._becomes(self.text + text)

    def erase(self) -> None:
        """A step back."""
        self._becomes(self.text[:-1])

    def take(self, shown: str, part: Part) -> None:
        """Insert it, or its first line."""
        self.taken.append((shown, part))
        self._becomes(self.text + (shown if part is Part.WHOLE else first_line(shown)))

    def look(self) -> Sequence[Seen]:
        """What is due."""
        due = [seen for seen in self._coming if seen.at <= self.now]
        self._coming = [seen for seen in self._coming if seen.at > self.now]
        return due

    def left(self) -> str:
        """All of it."""
        return self.text

    def _becomes(self, text: str) -> None:
        self.text = text
        shown = next(
            (text_ for left, text_ in self._says.items() if text == left),
            None,
        )
        if shown is None:
            for left, whole in self._says.items():
                typed = text[len(left) :]
                if text.startswith(left) and whole.startswith(typed):
                    shown = whole[len(typed) :]
        self._coming = [Seen(self.now + self._after, text, shown or "")]


def typed_on(screen: Screen, text: str = TEXT) -> Screen:
    """Type a text evenly, without slips."""
    strokes = tuple(Stroke(at, 0.25, character) for at, character in enumerate(text))
    Typist(screen, Plan(text, strokes), screen.clock, screen.sleep).types()
    return screen


@pytest.mark.parametrize("passage", PASSAGES, ids=NAMES)
def test_all_strokes_together_type_the_text(passage: Passage) -> None:
    """Slips are taken back, and the same seed strikes the same keys at the same times."""
    keys = plan(passage.text, "1")
    assert struck(keys.strokes) == passage.text
    assert keys == plan(passage.text, "1")
    assert keys != plan(passage.text, "2")
    assert any(not stroke.text for stroke in keys.strokes)
    assert any(stroke.gap > 0.5 for stroke in keys.strokes)
    assert 50 < keys.seconds < 95


@given(st.sampled_from(PASSAGES), st.text("ab1", max_size=3), st.data())
def test_what_is_left_to_type_from_any_place_ends_the_text(
    passage: Passage, seed: str, data: st.DataObject
) -> None:
    """Also within the indentation that comes with a line break."""
    keys = plan(passage.text, seed)
    at = data.draw(st.integers(0, len(passage.text)))
    assert struck(keys.begin(at), passage.text[:at]) == passage.text


@pytest.mark.parametrize("passage", PASSAGES, ids=NAMES)
def test_the_model_writes_the_same_at_the_same_place(passage: Passage) -> None:
    """However much stands before it in the prompt, and whoever asks."""
    one, other = Knowing(passage, "1"), Knowing(passage, "1")
    whole = passage.before + passage.text
    for at in range(len(passage.before), len(whole)):
        written = one.text(whole[:at])
        assert (
            written
            == one.text("# more of it\n" + whole[:at])
            == other.text(whole[max(0, at - 160) : at])
        )
    asked = Asked(passage.before)
    assert "".join(token.text for token in one.answer(asked)) == one.text(passage.before)


@pytest.mark.parametrize("passage", PASSAGES, ids=NAMES)
def test_the_model_is_right_in_part(passage: Passage) -> None:
    """Neither always nor never is the rest of a line what is typed."""
    model = Knowing(passage, "1")
    right = [
        model.text(passage.before + passage.text[:at]).startswith(rest)
        for at in range(len(passage.text))
        if len((rest := passage.text[at:].partition("\n")[0]).strip()) > 2
    ]
    assert 0.3 < sum(right) / len(right) < 0.8


def test_a_name_that_was_guessed_wrong_is_known_by_its_first_letters() -> None:
    """From there on the model is right; before, it writes another name of the passage."""
    for seed in range(20):
        model = Knowing(PASSAGE, str(seed))
        for at, name in ((0, "total"), (8, "first"), (16, "second")):
            before = PASSAGE.before + TEXT[:at]
            written = model.text(before)
            assert written.startswith(("total", "first", "second"))
            known = model.text(before + name[:KNOWN_BY])
            assert known.startswith(name[KNOWN_BY:])


def test_a_slip_is_no_other_place() -> None:
    """The model goes on as if the right letters stood there; what is none of it gets nothing."""
    model = Knowing(PASSAGE, "1")
    right, slipped = PASSAGE.before + "total", PASSAGE.before + "totsl"
    assert model.place(slipped) == model.place(right)
    assert model.text(slipped) == model.text(right)
    assert model.text("something else entirely") == ""


@given(st.text("ab_1 \n\t(){};=+é", max_size=60))
def test_tokens_are_all_of_a_text(text: str) -> None:
    """Nothing is lost between them."""
    assert "".join(pieces(text)) == text


@pytest.mark.parametrize(
    ("shown", "part"),
    [
        ("total = first", Part.WHOLE),
        ("total = first + second\n    return", Part.WHOLE),
        ("total = first + second\n    return 0", Part.LINE),
        ("total = second", None),
        ("to", None),
        ("   ", None),
        ("", None),
    ],
)
def test_what_is_to_come_is_taken(shown: str, part: Part | None) -> None:
    """All of it, or its first line; nothing that is short or another text."""
    assert wanted(shown, TEXT) is part


def test_a_first_line_may_stand_below_the_cursor() -> None:
    """A text that begins with a line break has it behind that."""
    assert first_line("\n    return total\nx") == "\n    return total"
    assert wanted("\n    return total\nx", "\n    return total\n") is Part.LINE


def test_a_text_that_fits_is_taken_after_it_was_read() -> None:
    """Typing goes on meanwhile, along the text."""
    screen = typed_on(Screen({"t": TEXT[1:22]}))
    assert screen.text == TEXT
    (shown, part), *others = screen.taken
    assert (shown, part, others) == (TEXT[2:22], Part.WHOLE, [])
    assert READ_S > 0.25


def test_a_text_that_does_not_fit_is_typed_over() -> None:
    """Nothing of it stands in the end."""
    screen = typed_on(Screen({"t": "his is another text"}))
    assert screen.taken == []
    assert screen.text == TEXT


def test_a_text_that_was_not_read_is_not_taken() -> None:
    """The next key is struck before, and another text comes for it, though each would fit."""
    screen = typed_on(Screen({TEXT[:at]: TEXT[at : at + 4] for at in range(1, 20)}))
    assert screen.taken == []
    assert screen.text == TEXT


def generation(number: int, came: float, text: str, left: str, tokens: int | None = None) -> Made:
    """A generation."""
    count = len(pieces(text)) if tokens is None else tokens
    return Made(
        Generation(
            number,
            came,
            first=None,
            third=None,
            ended=came + 0.3,
            tokens=count,
            text=text,
            whole=True,
            request="",
            sent=0,
        ),
        left,
    )


def counted(screen: Screen, made: Sequence[Made]) -> Account:
    """What a session comes to; the model takes 0.02 s to the first token, 0.001 s to the next."""
    strokes = tuple(Stroke(at, 0.25, character) for at, character in enumerate(TEXT))
    log = Typist(screen, Plan(TEXT, strokes), screen.clock, screen.sleep).types()
    return account(log, made, before=PASSAGE.before, first=0.02, following=0.001, typed_alone=10.0)


def test_tokens_that_were_not_taken_are_thrown_away() -> None:
    """Those of texts that nobody saw, those typed over, and those typed along before taking."""
    text = TEXT[1:22]
    made = [
        generation(1, 100.26, text, PASSAGE.before + "t"),
        generation(2, 103.0, "nonsense", "elsewhere"),
    ]
    found = counted(Screen({"t": text}), made)
    taken = len(pieces(TEXT[2:22]))
    assert (found.calls, found.texts, found.accepted) == (2, 1, taken)
    assert found.generated == len(pieces(text)) + len(pieces("nonsense"))
    assert found.shown == len(pieces(text))
    assert found.thrown_away == found.generated - taken
    assert found.characters == len(TEXT[2:22].strip())
    assert found.thrown_per_character == found.thrown_away / found.characters
    assert found.never_shown == len(pieces("nonsense"))


def test_time_is_added_from_the_key_that_led_to_the_text() -> None:
    """Without what the model took for its tokens; what was made ahead of a key has none."""
    text = TEXT[1:22]
    asked, ahead = (
        generation(1, 100.26, text, PASSAGE.before + "t"),
        generation(1, 99.0, text, PASSAGE.before + "t"),
    )
    found = counted(Screen({"t": text}), [asked])
    model = 20 + len(pieces(text)) - 1
    assert found.added_ms == pytest.approx([100 - model], abs=10)
    assert found.waited_ms == pytest.approx([100], abs=10)
    assert counted(Screen({"t": text}), [ahead]).added_ms == ()


def test_sessions_add_up() -> None:
    """Numbers and times of several typists together."""
    one = Account(keys=1, calls=2, generated=30, accepted=10, characters=5, added_ms=(1.0,))
    both = one + Account(generated=10, characters=5, added_ms=(2.0,), seconds=3.0)
    assert (both.keys, both.thrown_away, both.thrown_per_character) == (1, 30, 3.0)
    assert both.added_ms == (1.0, 2.0)
    assert Account().thrown_per_character is None

"""What becomes of a shown text, by a clock of the test's own."""

import pytest

from synconfroute.server.completion.answer import Answer, Provenance, Reason, Tier
from synconfroute.server.completion.feedback import LOOK_BACK_S, Feedback

DOCUMENT = "file:///a.py"
SOURCE = "local/small/python"
TEXT = "return a + b"


class Watched:
    """A feedback whose documents and time are the test's."""

    def __init__(self) -> None:
        self.now = 0.0
        self.documents = {DOCUMENT: "def f(a, b):\n    return a + b\n"}
        self.counted: list[tuple[str, str]] = []
        self.feedback = Feedback(self._count, self.documents.get, lambda: self.now)

    def _count(self, source: str, event: str) -> None:
        assert source == SOURCE
        self.counted.append((source, event))

    @property
    def events(self) -> list[str]:
        """What was counted, in order."""
        return [event for _, event in self.counted]

    def shows(self, text: str | None = TEXT, request_id: str = "r1") -> None:
        """The editor is given a text."""
        made = Provenance(
            tier=Tier.LOCAL,
            provider="ollama",
            model="small",
            confidence=None,
            verdict=None,
            verdict_reason="",
            evidence=(),
            reason=Reason.KEPT,
            request_id=request_id,
        )
        self.feedback.shown(DOCUMENT, "python", Answer(text, made))


@pytest.fixture
def watched() -> Watched:
    """Nothing was shown yet."""
    return Watched()


def test_a_text_is_shown_once_however_long_it_is_typed_along(watched: Watched) -> None:
    """Its rests have its request id."""
    watched.shows()
    for typed in range(1, len(TEXT)):
        watched.feedback.inserted(DOCUMENT, TEXT[typed - 1])
        watched.shows(TEXT[typed:])
    assert watched.events == ["shown"]


def test_an_accepted_text_that_stays_is_kept(watched: Watched) -> None:
    """It is looked for once, when the time has come."""
    watched.shows()
    watched.feedback.inserted(DOCUMENT, TEXT)
    watched.feedback.accepted("r1")
    watched.feedback.accepted("r1")
    watched.now += LOOK_BACK_S - 1
    watched.feedback.look_back()
    assert watched.events == ["shown", "accepted"]
    watched.now += 2
    watched.feedback.look_back()
    watched.feedback.look_back()
    assert watched.events == ["shown", "accepted", "kept"]


def test_an_accepted_text_that_was_changed_is_gone(watched: Watched) -> None:
    """Within the time that it had."""
    watched.shows()
    watched.feedback.accepted("r1")
    watched.documents[DOCUMENT] = "def f(a, b):\n    return b + a\n"
    watched.now += LOOK_BACK_S
    watched.feedback.look_back()
    assert watched.events[-1] == "gone"


def test_a_document_that_was_closed_says_nothing(watched: Watched) -> None:
    """Neither kept nor gone."""
    watched.shows()
    watched.feedback.accepted("r1")
    del watched.documents[DOCUMENT]
    watched.now += LOOK_BACK_S
    watched.feedback.look_back()
    assert watched.events == ["shown", "accepted"]


def test_a_word_of_it_is_a_part_once(watched: Watched) -> None:
    """More words of the same text are no more parts."""
    watched.shows()
    watched.feedback.inserted(DOCUMENT, "return ")
    watched.shows("a + b")
    watched.feedback.inserted(DOCUMENT, "a +")
    assert watched.events == ["shown", "partly"]
    watched.shows(" b")
    watched.feedback.accepted("r1")
    assert watched.events == ["shown", "partly", "accepted"]


@pytest.mark.parametrize("text", ["r", "", "pass", TEXT, f"{TEXT}\n"])
def test_other_edits_are_no_part(watched: Watched, text: str) -> None:
    """A key, another edit, another text, all of it."""
    watched.shows()
    watched.feedback.inserted(DOCUMENT, text)
    watched.shows(request_id="r2")
    watched.feedback.forget(DOCUMENT)
    watched.feedback.inserted(DOCUMENT, "return ")
    assert watched.events == ["shown", "shown"]


def test_what_was_not_shown_cannot_be_accepted(watched: Watched) -> None:
    """Whatever an editor says."""
    watched.feedback.accepted("r1")
    watched.shows(None)
    watched.feedback.accepted("r1")
    assert watched.events == []


def test_little_is_held_in_memory(watched: Watched) -> None:
    """The oldest texts are forgotten."""
    for number in range(150):
        watched.shows(request_id=f"r{number}")
    watched.feedback.accepted("r0")
    watched.feedback.accepted("r149")
    assert watched.events == ["shown"] * 150 + ["accepted"]

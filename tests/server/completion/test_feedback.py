"""What becomes of a shown text, by a clock of the test's own."""

from dataclasses import replace
from typing import Any

import pytest

from synconfroute.server.completion.answer import Answer, Reason, Tier
from synconfroute.server.completion.counts import NAMES, Source, Wait, cell
from synconfroute.server.completion.feedback import LOOK_BACK_S, Feedback
from tests.server.completion.test_type_through import MADE

DOCUMENT = "file:///a.py"
SOURCE = Source("local", "small", "python", "kept", "")
TEXT = "return a + b"
WAIT = cell(Wait.MODEL, 100)


class Watched:
    """A feedback whose documents and time are the test's."""

    def __init__(self) -> None:
        self.now = 0.0
        self.documents = {DOCUMENT: "def f(a, b):\n    return a + b\n"}
        self.counted: list[tuple[Source, str, int]] = []
        self.org_shown: list[str] = []
        self.feedback = Feedback(
            self._count,
            self.documents.get,
            lambda: self.now,
            on_org_shown=self.org_shown.append,
        )

    def _count(self, source: Source, name: str, number: int) -> None:
        assert name in NAMES
        if number:
            self.counted.append((source, name, number))

    @property
    def events(self) -> list[str]:
        """What was counted, in order, but for waits."""
        return [str(name) for _, name, _ in self.counted if "_ms " not in name]

    def number(self, name: str) -> int:
        """How often that was counted."""
        return sum(number for _, counted, number in self.counted if counted == name)

    def shows(
        self,
        text: str | None = TEXT,
        request_id: str = "r1",
        others: dict[str, str] | None = None,
        lead: str = "",
        tier: Tier = Tier.LOCAL,
    ) -> None:
        """The editor is given a text, and others by their request ids."""
        answer = Answer(
            text,
            replace(MADE, request_id=request_id, tier=tier),
            tuple(
                Answer(other, replace(MADE, request_id=name, alternative=count))
                for count, (name, other) in enumerate((others or {}).items(), 1)
            ),
        )
        self.feedback.offered(DOCUMENT, "python", answer, WAIT, lead=lead)

    def makes(self, request_id: str = "r1", **changes: Any) -> None:
        """A model wrote five tokens of which one is of no use."""
        self.feedback.made("python", replace(MADE, request_id=request_id, **changes))


@pytest.fixture
def watched() -> Watched:
    """Nothing was shown yet."""
    return Watched()


def test_a_text_is_shown_once_however_long_it_is_typed_along(watched: Watched) -> None:
    """Its rests have its request id; each answer's wait is counted."""
    watched.shows()
    for typed in range(1, len(TEXT)):
        watched.feedback.inserted(DOCUMENT, TEXT[typed - 1])
        watched.shows(TEXT[typed:])
    assert watched.events == ["shown"]
    assert watched.number(WAIT) == len(TEXT)
    assert {source for source, _, _ in watched.counted} == {SOURCE}


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
    """More words of the same text are no more parts; the last is the whole."""
    watched.shows()
    watched.feedback.inserted(DOCUMENT, "return ")
    watched.shows("a + b")
    watched.feedback.inserted(DOCUMENT, "a +")
    assert watched.events == ["shown", "partly"]
    watched.shows(" b")
    watched.feedback.inserted(DOCUMENT, " b")
    assert watched.events == ["shown", "partly", "accepted"]


@pytest.mark.parametrize("text", ["r", "", "pass", f"{TEXT}\n"])
def test_other_edits_are_no_part(watched: Watched, text: str) -> None:
    """A key, another edit, another text."""
    watched.shows()
    watched.feedback.inserted(DOCUMENT, text)
    watched.shows(request_id="r2")
    watched.feedback.forget(DOCUMENT)
    watched.feedback.inserted(DOCUMENT, "return ")
    assert watched.events == ["shown", "shown"]


def test_all_of_it_at_once_is_accepted(watched: Watched) -> None:
    """Editors that run no command say nothing else; where one does both, it counts once."""
    watched.shows()
    watched.feedback.inserted(DOCUMENT, TEXT)
    assert watched.events == ["shown", "accepted"]
    watched.shows("b", request_id="r2")
    watched.feedback.inserted(DOCUMENT, "b")
    assert watched.events == ["shown", "accepted", "shown"]
    watched.feedback.accepted("r2")
    assert watched.events[-1] == "accepted"


def test_what_was_not_shown_cannot_be_accepted(watched: Watched) -> None:
    """Whatever an editor says."""
    watched.feedback.accepted("r1")
    watched.feedback.shown("r1")
    watched.feedback.partly_accepted("r1", 3)
    watched.shows(None)
    watched.feedback.accepted("r1")
    assert watched.counted == []


def test_of_several_texts_the_first_is_shown_and_any_can_be_taken(watched: Watched) -> None:
    """Each has its own request id; one that was taken was shown."""
    watched.shows(others={"r2": "return b", "r3": "pass"})
    assert watched.events == ["shown"]
    watched.feedback.accepted("r3")
    assert watched.events == ["shown", "shown", "accepted", "further"]
    watched.feedback.accepted("r1")
    assert watched.events[4:] == ["accepted"]


def test_a_part_of_any_of_several_is_a_part(watched: Watched) -> None:
    """Told by what stands in the document."""
    watched.shows("pass", others={"r2": TEXT})
    watched.feedback.inserted(DOCUMENT, "return")
    watched.feedback.accepted("r2")
    assert watched.events == ["shown", "shown", "partly", "accepted", "further"]


def test_an_editor_that_says_what_it_shows_is_believed(watched: Watched) -> None:
    """What was offered before it said so counts all the same, and nothing twice."""
    watched.shows()
    watched.feedback.shown("r1")
    watched.shows(request_id="r2", others={"r3": "pass"})
    assert watched.events == ["shown"]
    watched.feedback.shown("r3")
    watched.feedback.shown("r3")
    assert watched.events == ["shown", "shown"]


def test_an_editor_that_says_how_much_was_taken(watched: Watched) -> None:
    """In UTF-16 code units of its item, which may begin with what it replaces."""
    watched.shows('print("😀")', lead="x = ")
    watched.feedback.partly_accepted("r1", 0)
    assert watched.events == ["shown"]
    watched.feedback.partly_accepted("r1", 4 + 10)
    watched.feedback.partly_accepted("r1", 4 + 10)
    assert watched.events == ["shown", "partly"]
    watched.feedback.partly_accepted("r1", 4 + 11)
    assert watched.events == ["shown", "partly", "accepted"]
    watched.feedback.partly_accepted("r1", 4 + 11)
    assert watched.events == ["shown", "partly", "accepted"]


def test_tokens_count_as_used_when_an_editor_is_given_their_text(watched: Watched) -> None:
    """Once; a request that was cancelled used none."""
    watched.makes()
    assert watched.events == ["asked", "generated"]
    watched.shows()
    watched.shows(TEXT[1:])
    watched.makes("r2", reason=Reason.CANCELLED, tier=None)
    assert (watched.number("asked"), watched.number("generated"), watched.number("used")) == (
        2,
        10,
        4,
    )


def test_what_was_asked_for_ahead_counts_as_asked_for_when_it_is(watched: Watched) -> None:
    """Until then its tokens were for nothing."""
    watched.makes(ahead=True)
    assert watched.events == ["ahead", "ahead_generated", "generated"]
    watched.shows()
    assert watched.events[3:] == ["used", "asked", "ahead_used", "ahead_used_tokens", "shown"]
    assert (watched.number("ahead_generated"), watched.number("ahead_used_tokens")) == (5, 4)


def test_further_texts_are_no_further_requests(watched: Watched) -> None:
    """Their tokens count."""
    watched.makes()
    watched.makes("r2", alternative=1)
    assert watched.events == ["asked", "generated", "generated"]


@pytest.mark.parametrize(
    ("reason", "sent"),
    [(Reason.LOW_CONFIDENCE, 1), (Reason.LATE, 1), (Reason.REFUSED_POLICY, 0), (Reason.KEPT, 0)],
)
def test_what_went_to_the_organisation_is_counted(
    watched: Watched, reason: Reason, sent: int
) -> None:
    """Also where its answer came too late; not what a ledger that cannot be written kept here."""
    timings = {} if reason is Reason.KEPT else {"org_sent": 3.0}
    watched.makes(reason=reason, timings_ms=timings)
    assert watched.number("sent") == sent


def test_little_is_held_in_memory(watched: Watched) -> None:
    """The oldest texts are forgotten."""
    for number in range(150):
        watched.makes(f"r{number}")
        watched.shows(request_id=f"r{number}")
    watched.feedback.accepted("r0")
    watched.feedback.accepted("r149")
    assert watched.number("shown") == 150
    assert watched.number("accepted") == 1


def test_what_came_from_the_organisation_and_is_shown_is_told_once() -> None:
    """For the ledger; of a local answer it is not told, though one had been asked there."""
    watched = Watched()
    watched.shows(tier=Tier.ORG)
    watched.shows(tier=Tier.ORG)
    watched.shows(request_id="r2")
    assert watched.org_shown == ["r1"]


def test_where_the_editor_tells_what_it_shows_that_counts() -> None:
    """Not what it was given."""
    watched = Watched()
    watched.feedback.shown("another")
    watched.shows(tier=Tier.ORG)
    assert watched.org_shown == []
    watched.feedback.shown("r1")
    assert watched.org_shown == ["r1"]

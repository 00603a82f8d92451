"""The page as a text: well formed, closed to any network, whatever was counted."""

from datetime import date, timedelta
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.server.completion.counts import NAMES, Rows, Source
from synconfroute.server.completion.day_files import History
from synconfroute.server.completion.summary import summarise
from synconfroute.server.observation.page import page
from synconfroute.server.observation.page.marks import top_of
from synconfroute.server.observation.page.timeline import MOST_PLACES, stretches

DAY = date(2026, 11, 30)
LOCAL = Source("local", "small", "python", "kept", "valid")
_EMPTY = {"meta", "link", "br"}


class Reader(HTMLParser):
    """Fails where a tag is not closed in its turn; keeps texts and attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opened."""
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Opened and closed."""
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        """Closed."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """A text."""
        self.texts.append(data)


def read(text: str) -> Reader:
    """The page, read to its end."""
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


NAMED = st.text(max_size=12)
SOURCES = st.builds(Source, st.sampled_from(["local", "org", ""]), NAMED, NAMED, NAMED, NAMED)
ROWS = st.dictionaries(
    SOURCES, st.dictionaries(st.sampled_from(sorted(NAMES)), st.integers(1, 10**6)), max_size=4
)


@given(st.dictionaries(st.dates(date(2024, 1, 1), date(2027, 1, 1)), ROWS, max_size=5))
def test_whatever_was_counted_is_a_page(days: dict[date, Rows]) -> None:
    """Well formed, without script, picture, form or anything with an address."""
    reader = read(page(summarise(History(days, ()))))
    assert not reader.tags & {"script", "img", "iframe", "form", "object", "embed", "a"}
    assert not {name for name in reader.attributes if name.startswith("on")}
    assert not reader.attributes & {"src", "action"}


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><b>', "a\u202eb", "\x1b[31mred"])
def test_names_are_text_and_steer_nothing(name: str) -> None:
    """Of models and languages: servers and editors choose them."""
    source = Source("local", name, name, "kept", "valid")
    reader = read(page(summarise(History({DAY: {source: {"asked": 1, "shown": 1}}}, ()))))
    assert "script" not in reader.tags
    assert "b" in reader.tags  # only that of the plots
    texts = "".join(reader.texts)
    assert "\u202e" not in texts
    assert "\x1b" not in texts
    if name.isascii() and name.isprintable():
        assert name in reader.texts


def test_the_policy_allows_nothing_but_its_own_style() -> None:
    """In the head, before anything that it is about."""
    text = page(summarise(History({}, ())))
    policy = text.index('http-equiv="Content-Security-Policy" content="default-src \'none\'')
    assert policy < text.index("<style>")
    assert "http://" not in text
    assert "https://" not in text
    assert "url(" not in text


def days(count: int) -> History:
    """So many days with requests."""
    held: dict[date, Rows] = {
        DAY + timedelta(days=number): {LOCAL: {"asked": 10, "sent": 4}} for number in range(count)
    }
    return History(held, ())


def test_many_days_are_drawn_as_weeks() -> None:
    """From Monday on, with the sums of their days; no request is lost."""
    rows = summarise(days(MOST_PLACES)).by["day"]
    assert (len(stretches(rows)[0]), stretches(rows)[1]) == (MOST_PLACES, 1)
    rows = summarise(days(MOST_PLACES + 1)).by["day"]
    found, length = stretches(rows)
    assert length == 7
    assert sum(each.requests for each in found) == 10 * (MOST_PLACES + 1)
    assert all(each.first.weekday() == 0 and each.share == 0.6 for each in found)
    assert "Week from" in page(summarise(days(MOST_PLACES + 1)))


@pytest.mark.parametrize(
    ("high", "top"), [(0.2, 0.25), (0.25, 0.25), (0.3, 0.5), (0.51, 1.0), (1.0, 1.0)]
)
def test_an_axis_holds_every_interval(high: float, top: float) -> None:
    """And ends at a quarter, a half, or at all."""
    assert top_of([(0.0, high), None, (0.0, 0.1)]) == top
    assert top_of([]) == 1.0


def test_few_are_shown_as_few() -> None:
    """A share of under thirty is marked as weak, and says how many it is of."""
    few = page(summarise(History({DAY: {LOCAL: {"asked": 9, "shown": 9, "accepted": 3}}}, ())))
    many = page(summarise(History({DAY: {LOCAL: {"asked": 99, "shown": 99, "accepted": 33}}}, ())))
    assert '<tr class="weak">' in few
    assert "3 of 9" in few
    assert '<tr class="weak">' not in many
    assert "33 of 99" in many

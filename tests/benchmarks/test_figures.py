"""Figures, their table, what a run says of them, and its page."""

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks import comparison, table
from benchmarks.document import place_of_figures, written
from benchmarks.figure import Figure, Row, Skipped, figure, percentile, row_of
from benchmarks.page.logarithmic import place, span, ticks
from benchmarks.page.page import page
from benchmarks.result import Result
from benchmarks.suite import BENCHMARKS, measure_of, usual

POSITIVE = st.floats(1e-6, 1e9)
HELD = figure("held", "a|b", "ms", [1.0, 2.0, 3.0], [4.0], beside="other", hold={"p50": 2.0})
MISSED = figure("missed", "1,000 lines", "ms", [5.0], [2.0], beside="other", hold=2.0, held="ratio")
ADDED = [
    figure("added per request", f"{lines:,} lines, {shape}, {own} ms", "ms", [2.0, 5.0], [1.0])
    for shape in ("Ollama", "vLLM")
    for own in (0, 50, 150)
    for lines in (100, 1_000, 10_000, 100_000)
]
SKIPPED = Skipped("peer", "trace", "Neovim is not installed")
FAILED = Skipped("added", "", "<b>it fell</b>", failed=True)
RESULT = Result(
    {"added": [*ADDED, FAILED], "cancel": [HELD, MISSED], "context": [SKIPPED]},
    quick=False,
    minutes=11.6,
)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1), st.floats(0, 0.999))
def test_a_percentile_is_a_sample_with_that_share_below_it(
    samples: list[float], share: float
) -> None:
    """No value is made up between two samples, and at most that share is smaller."""
    found = percentile(samples, share)
    assert found in samples
    assert sum(each < found for each in samples) <= share * len(samples)
    assert sum(each <= found for each in samples) > share * len(samples)


@pytest.mark.parametrize(
    ("hold", "kept"),
    [
        ({"p50": 2.0}, True),
        ({"p50": 1.9}, False),
        ({"p50": 2.0, "p99": 2.9}, False),
        ({"p50": 2.0, "p99": 3.0}, True),
        ({"ratio": 0.5}, True),
        ({"ratio": 0.4}, False),
        ({}, None),
    ],
)
def test_a_promise_is_kept_when_each_of_its_bounds_is(
    hold: dict[str, float], kept: bool | None
) -> None:
    """Of the median, of the 99th percentile, and of the medians' ratio."""
    assert figure("x", "", "ms", [1.0, 2.0, 3.0], [4.0], beside="y", hold=hold).kept is kept


def test_a_ratio_without_anything_to_compare_with_is_not_kept() -> None:
    """What was not measured is no success."""
    assert figure("x", "", "ms", [1.0], hold=2.0, held="ratio").kept is False


@pytest.mark.parametrize("row", [HELD, MISSED, SKIPPED, FAILED])
def test_a_row_comes_back_from_its_document(row: Row) -> None:
    """As a child process says it, through JSON."""
    assert row_of(json.loads(json.dumps(row.as_json()))) == row


@given(st.lists(POSITIVE, min_size=1, max_size=5), st.lists(POSITIVE, min_size=1, max_size=5))
def test_two_measurements_joined_are_one_of_all_samples(
    first: list[float], second: list[float]
) -> None:
    """Medians and percentiles are made anew, promises stay."""
    made = [figure("x", "y", "ms", each, each, beside="z", hold=1.0) for each in (first, second)]
    whole = figure("x", "y", "ms", first + second, first + second, beside="z", hold=1.0)
    assert made[0].joined(made[1]) == whole


def test_the_table_has_each_row_with_figure_promise_and_ratio() -> None:
    """Columns stand below each other; a row that was not measured gives its reason."""
    head, *lines = table.plain([HELD, MISSED, SKIPPED, FAILED]).splitlines()
    at = head.index("kept")
    assert lines[0][at:] == "yes"
    assert lines[1][at:] == "NO"
    assert "ratio ≤ 2" in lines[1]
    assert "2.5" in lines[1]
    assert lines[2].endswith("skipped: Neovim is not installed")
    assert lines[3].endswith("FAILED: <b>it fell</b>")


def test_the_markdown_table_has_as_many_cells_in_each_line() -> None:
    """A bar in a cell is no border."""
    lines = table.markdown([HELD, MISSED, SKIPPED]).splitlines()
    assert {line.replace("\\|", "").count("|") for line in lines} == {len(table.HEAD) + 1}


def test_a_run_knows_what_it_missed() -> None:
    """A promise that is not kept, and a benchmark that failed; what is absent is neither."""
    assert RESULT.missed == [MISSED]
    assert RESULT.failed == [FAILED]
    assert RESULT.held == [HELD, MISSED]


def test_a_promise_stands_at_its_worst() -> None:
    """Of the figures with the same promise the one that takes the largest share of it."""
    near = figure("held", "near", "ms", [1.9], hold={"p50": 2.0})
    far = figure("held", "far", "ms", [1.0], hold={"p50": 2.0})
    other = figure("held", "other", "ms", [1.0], hold={"p50": 9.0})
    found = Result({"cancel": [far, near], "start": [other, SKIPPED]}, quick=True, minutes=1.0)
    assert found.promises == [near, other]
    assert near.share == 0.95


def test_the_document_has_all_rows_under_their_benchmarks() -> None:
    """First what is promised, then one table a benchmark."""
    text = written(RESULT)
    assert text.index("| held |") < text.index("### Added to the model's own time")
    assert text.count("| added per request |") == len(ADDED)
    assert "Measured in one run of 12 min" in text


def test_another_revision_stands_beside_each_figure() -> None:
    """With the ratio here over there; a figure that is only here has none."""
    there = [replace(HELD, p50=4.0, p99=6.0)]
    (first, second) = comparison.pairs([HELD, MISSED, SKIPPED], there)
    assert (first.ratio, first.tail) == (0.5, 0.5)
    assert (second.there, second.ratio) == (None, None)
    said = comparison.plain([first, second], "v1")
    assert said.splitlines()[0].split() == [
        "what", "case", "unit", "p50", "v1", "p50", "here", "ratio", "p99", "v1", "p99", "here",
        "ratio",
    ]  # fmt: skip


class _Reading(HTMLParser):
    """Collects elements and attributes, and whether all are closed in order."""

    VOID = frozenset({"meta", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def _read(html: str) -> _Reading:
    reading = _Reading()
    reading.feed(html)
    reading.close()
    return reading


def test_the_page_is_whole_and_needs_no_network() -> None:
    """No script, nothing fetched, each element closed; reasons are text, not markup."""
    html = page(RESULT)
    reading = _read(html)
    assert reading.open == []
    assert not {"script", "link", "img", "iframe", "b"} & set(reading.tags)
    addresses = [value for name, value in reading.attributes if name in {"src", "href"}]
    assert all(value.startswith("#") for value in addresses)
    assert "url(" not in html
    assert "Neovim is not installed" in html


def test_the_page_draws_added_time_in_each_shape_and_every_promise() -> None:
    """Two line drawings a shape, a dot for each bound of a promise."""
    html = page(RESULT)
    for name in ("Ollama", "vLLM"):
        assert f"{name}: added by us" in html
    drawn = html[html.index("<svg") : html.index("</svg>")]
    assert drawn.count("<circle") == sum(len(each.holds) for each in RESULT.promises) == 2


@pytest.mark.parametrize("count", [1, 4, 5])
def test_a_page_of_a_benchmark_that_broke_off_is_whole(count: int) -> None:
    """Some cases of the first model, or of the first and one of the second."""
    found = Result({"added": [*ADDED[:count], FAILED]}, quick=False, minutes=1.0)
    assert _read(page(found)).open == []


def test_a_page_of_nothing_measured_is_still_a_page() -> None:
    """Every benchmark may be absent or have failed."""
    assert _read(page(Result({"added": [FAILED], "context": []}, True, 0.1))).open == []


@given(st.lists(POSITIVE, min_size=1))
def test_a_logarithmic_axis_holds_its_values(values: list[float]) -> None:
    """Between its ends, with at least two ticks that rise."""
    bounds = span(values)
    assert all(bounds[0] - 1e-9 <= place(value, bounds) <= bounds[1] + 1e-9 for value in values)
    places = [where for where, _ in ticks(bounds)]
    assert places == sorted(set(places))
    assert len(places) >= 2 or bounds[1] - bounds[0] > 2.5


@pytest.mark.parametrize("name", BENCHMARKS)
def test_each_benchmark_of_the_suite_is_there(name: str) -> None:
    """Its module has a `measure`."""
    assert callable(measure_of(name))


def test_what_takes_long_is_measured_only_where_it_is_named() -> None:
    """Another revision is measured in what is about the server alone, fewer runs without peers."""
    whole, quick = usual(quick=False, compared=False), usual(quick=True, compared=False)
    compared = usual(quick=False, compared=True)
    assert set(compared) < set(quick) < set(whole) < set(BENCHMARKS)
    assert {"added", "start", "memory"} <= set(compared)
    assert set(whole) - set(quick) == {"peers"}
    assert set(BENCHMARKS) - set(whole) == {"fleet"}


def test_a_figure_is_made_of_its_samples() -> None:
    """Median, 99th percentile, how many."""
    made = figure("x", "", "ms", [float(value) for value in range(1, 102)])
    assert (made.p50, made.p99, made.runs) == (51.0, 100.0, 101)
    assert isinstance(made, Figure)


def test_the_document_has_a_place_for_the_figures_and_says_what_each_is() -> None:
    """`--write` finds its marks, and no benchmark is left without a word."""
    document = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert place_of_figures(document) is not None
    assert [name for name in BENCHMARKS if f"(`{name}`" not in document] == []

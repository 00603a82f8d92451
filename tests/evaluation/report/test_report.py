"""The report: what it counts, that it is one page without network, and that it holds no code."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.evaluation.predictions import Prediction
from synconfroute.evaluation.report.blocks import (
    Document,
    Figures,
    Listing,
    Picture,
    Quote,
    Section,
    Table,
    Text,
)
from synconfroute.evaluation.report.content import Findings, Source, document
from synconfroute.evaluation.report.drawing import bar, curves
from synconfroute.evaluation.report.failures import complement, failures, suspicions
from synconfroute.evaluation.report.markdown import markdown, picture_file
from synconfroute.evaluation.report.page import page
from synconfroute.evaluation.report.sources import source
from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.strategies import strategies
from synconfroute.evaluation.routing.study import study
from synconfroute.validators.verdict import Evidence, Outcome, Verdict

CODE = "return very_private_code"


def example(
    number: int,
    local: bool,
    larger: bool,
    logprob: float = -0.1,
    outcome: Outcome = Outcome.VALID,
    kinds: Sequence[str] = (),
) -> Example:
    """A task of one of eight functions."""
    evidence = tuple(Evidence(kind, "", 1) for kind in kinds)
    tokens = tuple(Token("x", logprob) for _ in range(4))
    sight = Sight(
        f"task/{number}", f"group/{number % 8}", "python", f"{CODE}\n", "\n", CODE, tokens,
        Verdict(outcome, "", evidence),
    )  # fmt: skip
    return Example(sight, local, larger, 1.0, 2.0)


def some() -> list[Example]:
    """Forty tasks with each kind of answer; one right answer is called invalid."""
    made = []
    for number in range(40):
        local, larger = number % 2 == 0, number % 4 < 3
        invalid = number % 5 == 1 or number == 6
        outcome = Outcome.INVALID if invalid else Outcome.VALID
        kinds = ["name"] if number % 7 == 3 else []
        made.append(example(number, local, larger, -0.05 * (number % 9), outcome, kinds))
    return made


@pytest.fixture(scope="module")
def report() -> Document:
    """A report on them, of a run with the paper's prompt and a model with a hostile name."""
    examples = some()
    own = [each.sight.verdict.outcome for each in examples]
    sources = [
        Source("local", "<script>alert(1)</script>|*", {"prompt": "chat"}, 0.25, "Fill `it` in."),
        Source("larger", "large", {}, None, ""),
    ]
    found = Findings(
        "some-bench",
        "raw",
        "cv",
        sources,
        study(examples, strategies(None), "cv"),
        [failures(examples, own, "server's validator")],
        suspicions(examples),
        complement(examples),
    )
    return document(found)


def test_both_phrasings_of_the_papers_share_are_counted() -> None:
    """Invalid ones of all wrong answers, and of those that are wrong and confident."""
    examples = [
        example(0, False, True, -0.1, Outcome.INVALID),
        example(1, False, True, -0.1),
        example(2, False, True, -2.0, Outcome.INVALID),
        example(3, False, True, -2.0, Outcome.INVALID),
        example(4, True, True, -0.1, Outcome.INVALID),
        example(5, True, True, -0.1, Outcome.UNKNOWN),
    ]
    found = failures(examples, [each.sight.verdict.outcome for each in examples], "ours")
    assert (found.wrong, found.wrong_invalid) == (4, 3)
    assert (found.sure_wrong, found.sure_wrong_invalid) == (2, 1)
    assert (found.right, found.rejected) == (2, ("task/4",))


def test_who_is_right_where() -> None:
    """The four parts are all tasks, and the solvable ones are three of them."""
    examples = [
        example(0, True, True), example(1, True, False), example(2, True, False),
        example(3, False, True), example(4, False, False),
    ]  # fmt: skip
    who = complement(examples)
    assert (who.both, who.local_only, who.larger_only, who.neither) == (1, 2, 1, 1)
    assert (who.tasks, who.solvable) == (5, 4)


def test_evidence_is_counted_beside_answers_that_are_not_invalid() -> None:
    """Each kind once an answer, the most frequent first."""
    examples = [
        example(0, False, True, kinds=["name", "name", "open"]),
        example(1, True, True, kinds=["name"]),
        example(2, False, True, outcome=Outcome.INVALID, kinds=["open"]),
    ]
    found = [(each.kind, each.right, each.wrong) for each in suspicions(examples)]
    assert found == [("name", 1, 1), ("open", 0, 1)]


class _Checker(HTMLParser):
    """Fails on a tag that is closed wrongly; keeps what would load something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        if tag in {"script", "link", "img", "iframe", "object", "use", "image"}:
            self.loads.append(tag)
        self.loads += [name for name, _ in attrs if name in {"src", "href", "xlink:href"}]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else(report: Document) -> None:
    """Well formed; no script, no address but the name of SVG; its own policy allows none."""
    text = page(report)
    checker = _Checker()
    checker.feed(text)
    assert checker.open == []
    assert checker.loads == []
    assert re.findall(r"\w+://[^\"' <]*", text) == ["http://www.w3.org/2000/svg"] * 3
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text


def test_no_name_is_markup(report: Document) -> None:
    """A model may be called anything."""
    assert "<script>" not in page(report)
    assert "&lt;script&gt;" in page(report)
    assert r"\<script\>alert(1)\</script\>\|\*" in markdown(report)


@pytest.mark.parametrize("write", [page, markdown])
def test_what_both_say(report: Document, write: "type[str]") -> None:
    """Every strategy, the false rejection by its task, the prompt; no code of anybody."""
    text = write(report)
    for each in strategies(None):
        assert each.name in text
    assert "task/6" in text
    assert "Fill `it` in." in text
    assert "25.0%" in text
    assert CODE not in text


def test_markdown_has_whole_tables_and_its_pictures(report: Document) -> None:
    """Each row has as many cells as the head; each picture is named as its file."""
    text = markdown(report)
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(widths) == 1
    named = re.findall(r"\]\((\w+)\.svg\)", text)
    assert (
        named == [each.name for each in report.pictures()] == ["curves", "failures", "complement"]
    )
    for each in report.pictures():
        ElementTree.fromstring(picture_file(each))  # noqa: S314  our own text


_TEXTS = st.text(max_size=30)


@given(
    st.lists(
        st.one_of(
            st.builds(Text, _TEXTS),
            st.builds(Quote, _TEXTS),
            st.builds(Listing, st.lists(_TEXTS, max_size=2), _TEXTS),
            st.builds(Figures, st.lists(st.tuples(_TEXTS, _TEXTS), max_size=2)),
            st.builds(Table, st.just(("a", "b")), st.lists(st.tuples(_TEXTS, _TEXTS), max_size=2)),
        ),
        max_size=4,
    )
)
def test_any_text_is_written_safely(blocks: list[Text | Quote | Listing | Figures | Table]) -> None:
    """Whatever stands in it, the page stays well formed, and Markdown comes out."""
    made = Document("title", "subtitle", [Section("section", blocks)])
    checker = _Checker()
    checker.feed(page(made))
    assert checker.open == []
    assert markdown(made).startswith("# title")


@given(
    st.dictionaries(
        st.sampled_from(["oracle", "score", "confidence", "knn"]),
        st.lists(st.floats(0, 1), min_size=2, max_size=20),
        min_size=1,
    )
)
@hypothesis.example({"oracle": [1.0, 1.0]})
def test_every_line_is_within_the_drawing(heights: dict[str, list[float]]) -> None:
    """Whatever the qualities are, also where all are the same."""
    drawn = {
        name: [(index / (len(values) - 1), value) for index, value in enumerate(values)]
        for name, values in heights.items()
    }
    root = ElementTree.fromstring(curves(drawn))  # noqa: S314  our own text
    lines = [each for each in root if each.tag.endswith("polyline")]
    assert len(lines) == len(drawn)
    for line in lines:
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= 760
            assert 0 <= y <= 430


def test_a_bar_is_as_long_as_its_parts() -> None:
    """Widths stand for counts; a part that is nothing is no negative width."""
    root = ElementTree.fromstring(bar([("a", 3, "good"), ("b", 0, "bad"), ("c", 1, "both")]))  # noqa: S314
    widths = [float(each.attrib["width"]) for each in root if each.tag.endswith("rect")]
    assert widths == [568.0, 0.0, 188.0]


def test_a_source_says_what_its_file_says(tmp_path: Path) -> None:
    """Model, share that the limit ended, the prompt beside it; of an older file the name."""
    file = tmp_path / "bench.some-model.fim.jsonl"
    old = source("local", file, [Prediction("a", "x")])
    assert (old.model, old.cut_by_limit, old.prompt) == ("some-model", None, "")
    made = {"model": "m", "cut_by_limit": True}
    (tmp_path / f"{file.name}.run.json").write_text('{"prompt_text": "Fill in."}')
    new = source("local", file, [Prediction("a", "x", provenance=made)])
    assert (new.model, new.cut_by_limit, new.prompt) == ("m", 1.0, "Fill in.")


def test_a_picture_keeps_its_legend(report: Document) -> None:
    """Colours alone say nothing."""
    for each in report.pictures():
        assert isinstance(each, Picture)
        assert each.legend

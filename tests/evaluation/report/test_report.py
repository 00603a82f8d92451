"""The report: what it counts, that it is one page without network, and that it holds no code."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from xml.etree import ElementTree

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.evaluation.datasets.task import RunToEnd, Task
from synconfroute.evaluation.generation.stored import Stored
from synconfroute.evaluation.predictions import Prediction
from synconfroute.evaluation.report.arms import Arm, arm_of
from synconfroute.evaluation.report.blocks import (
    Block,
    Cell,
    Command,
    Document,
    Figures,
    Folded,
    Head,
    Heading,
    Listing,
    Missing,
    Picture,
    Quote,
    Section,
    Table,
    Text,
)
from synconfroute.evaluation.report.content import document
from synconfroute.evaluation.report.drawing.bars import Bar, Panel, bar, panels
from synconfroute.evaluation.report.drawing.curves import curves
from synconfroute.evaluation.report.drawing.placing import places
from synconfroute.evaluation.report.drawing.scatter import Spot, landscape
from synconfroute.evaluation.report.failures import complement, failures, suspicions
from synconfroute.evaluation.report.findings import Failing, Findings
from synconfroute.evaluation.report.given import Answers, Origin, Role
from synconfroute.evaluation.report.judged import Judged
from synconfroute.evaluation.report.latencies import Latencies
from synconfroute.evaluation.report.markdown import markdown, picture_file
from synconfroute.evaluation.report.naming import named
from synconfroute.evaluation.report.page import page
from synconfroute.evaluation.report.pairing import examples_of, pairing
from synconfroute.evaluation.report.sections.at_hand import at_hand
from synconfroute.evaluation.routing.example import Example, Sight
from synconfroute.evaluation.routing.strategies import strategies
from synconfroute.validators.verdict import Evidence, Outcome, Verdict
from tests.evaluation.report.made_up import SMALL, measured

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


def judged(role: Role, model: str, count: int, prompt_text: str = "") -> Judged:
    """Answers to so many lines of eight functions; some local ones are called invalid."""
    local = role == "local"
    stored, verdicts, right = [], [], []
    for number in range(count):
        task = Task(
            f"task/{number}", "humaneval-single-line", "python", f"group/{number % 8}",
            f"{CODE}\n", "\n", CODE, True, RunToEnd(""),
        )  # fmt: skip
        tokens = tuple(Token("x", -0.05 * (number % 9)) for _ in range(4))
        made = {"cut_by_limit": number % 4 == 0}
        stored.append(Stored(task, Prediction(task.id, CODE, tokens, provenance=made)))
        invalid = local and (number % 5 == 1 or number == 6)
        evidence = (Evidence("name", "", 1),) if number % 7 == 3 else ()
        verdicts.append(Verdict(Outcome.INVALID if invalid else Outcome.VALID, "", evidence))
        right.append(number % 2 == 0 if local else number % 4 < 3)
    answers = Answers(
        role, named(model), "humaneval-single-line", Arm("", "fim"), None, False, tuple(stored),
        count,
        f"all {count:,}", (Origin("file.jsonl", "", model, prompt_text),),
    )  # fmt: skip
    texts = tuple(CODE for _ in stored)
    return Judged(answers, "raw", "live", texts, tuple(verdicts), tuple(right))


def findings(local: Judged, larger: Judged) -> Findings:
    """What is found of two models on single lines, and nothing else."""
    pair = pairing(local, larger, lambda _: strategies(None), "cv")
    assert pair is not None
    examples = examples_of(local, local)
    counted = failures(examples, [each.outcome for each in local.verdicts], "server's validator")
    failing = Failing(local, [counted], suspicions(examples))
    return Findings(
        [local, larger],
        [local, larger],
        [pair],
        [],
        [failing],
        [],
        [],
        [],
        Latencies([]),
        "cv",
        "the command",
    )


@pytest.fixture(scope="module")
def report() -> Document:
    """A report on forty tasks, of a run with the paper's prompt and a model with a hostile name."""
    local = judged("local", "<script>alert(1)<script>|*", 40, "Fill `it` in.")
    return document(findings(local, judged("larger", "large", 40)))


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
        self.loads += [
            f"{name} {value}"
            for name, value in attrs
            if name in {"src", "href", "xlink:href"} and not (value or "").startswith("#")
        ]

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
    addresses = re.findall(r"\w+://[^\"' <]*", text)
    assert addresses == ["http://www.w3.org/2000/svg"] * len(report.pictures())
    assert "url(" not in text
    assert "@import" not in text
    assert "default-src 'none'" in text
    assert "prefers-color-scheme: dark" in text


def test_no_name_is_markup(report: Document) -> None:
    """A model may be called anything."""
    assert "<script>" not in page(report)
    assert "&lt;script&gt;" in page(report)
    assert r"\<script\>alert(1)\<script\>\|\*" in markdown(report)


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
    named_files = re.findall(r"\]\(([\w-]+)\.svg\)", text)
    assert named_files == [each.name for each in report.pictures()]
    assert named_files == [
        f"pair-1-1-{name}" for name in ("strategies", "curves", "complement", "failures")
    ]
    for each in report.pictures():
        ElementTree.fromstring(picture_file(each))  # noqa: S314  our own text


def test_every_link_leads_to_a_part(report: Document) -> None:
    """The contents name each section once."""
    text = page(report)
    links = re.findall(r'href="#([\w-]+)"', text)
    assert links == re.findall(r'<section id="([\w-]+)"', text)
    assert len(links) == len(report.sections)


@pytest.mark.parametrize(("count", "beside"), [(1033, True), (1032, False)])
def test_the_papers_figure_stands_beside_the_same_tasks_only(count: int, beside: bool) -> None:
    """64.7 % of its 3B model is of all 1,033 lines."""
    answers = [judged("local", "qwen2.5-coder:3b", count)]
    found = Findings(answers, answers, [], [], [], [], [], [], Latencies([]), "cv", "the command")
    assert ("64.7" in markdown(Document("", "", [at_hand(found)]))) is beside


_TEXTS = st.text(max_size=30)


@given(
    st.lists(
        st.one_of(
            st.builds(Text, _TEXTS),
            st.builds(Quote, _TEXTS),
            st.builds(Listing, st.lists(_TEXTS, max_size=2), _TEXTS),
            st.builds(Figures, st.lists(st.tuples(_TEXTS, _TEXTS), max_size=2)),
            st.builds(Heading, _TEXTS),
            st.builds(Command, _TEXTS),
            st.builds(Missing, _TEXTS, _TEXTS),
            st.builds(
                Table,
                st.just((Head("a", "g"), "b")),
                st.lists(st.tuples(_TEXTS, st.builds(Cell, _TEXTS, _TEXTS)), max_size=2),
            ),
            st.builds(Folded, _TEXTS, st.lists(st.builds(Text, _TEXTS), max_size=2)),
        ),
        max_size=4,
    )
)
def test_any_text_is_written_safely(blocks: list[Block]) -> None:
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


def test_panels_are_drawn_to_one_scale() -> None:
    """A bar's length stands for its share; an empty panel says why."""
    shown = [
        Panel("a", "3 tasks", [Bar("x", "score", 0.5, (0.2, 0.8), 0.25)]),
        Panel("b", "none", ()),
        Panel("c", "3 tasks", [Bar("x", "score", 1.0, (1.0, 1.0))]),
        Panel("d", "3 tasks", [Bar("x", "score", 0.0, (0.0, 0.5))]),
    ]
    root = ElementTree.fromstring(panels(shown))  # noqa: S314  our own text
    half, full, none = (
        float(each.attrib["width"]) for each in root.iter() if each.tag.endswith("rect")
    )
    assert full / half == pytest.approx(2.0, abs=0.01)
    assert none == 0.0
    assert "b: none" in root.attrib["aria-label"]


def test_names_of_near_points_lie_apart() -> None:
    """Eight points in one corner: no name on another, none outside."""
    points = [(60.0 + 7 * number, 80.0 + number % 3, ["a strategy"]) for number in range(8)]
    room = (0.0, 0.0, 760.0, 440.0)
    boxes = []
    for place in places(points, room):
        left = place.x - {"start": 0, "middle": 32, "end": 64}[place.anchor]
        boxes.append((left, place.y - 10, left + 64, place.y + 3))
    for index, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert top >= 0
        for other in boxes[:index]:
            across = min(right, other[2]) - max(left, other[0])
            assert across <= 0 or min(bottom, other[3]) - max(top, other[1]) <= 0


@given(st.lists(st.tuples(st.floats(0.001, 1000), st.floats(0, 1)), min_size=1, max_size=12))
def test_every_model_is_within_the_landscape(found: list[tuple[float, float]]) -> None:
    """Whatever they take, from a millisecond to a quarter of an hour."""
    spots = [Spot("m", "family-qwen", seconds, share) for seconds, share in found]
    root = ElementTree.fromstring(landscape(spots))  # noqa: S314  our own text
    circles = [each for each in root if each.tag.endswith("circle")]
    assert len(circles) == len(spots)
    for each in circles:
        assert 56 <= float(each.attrib["cx"]) <= 760
        assert 0 <= float(each.attrib["cy"]) <= 440
    ticks = [each for each in root.iter() if each.get("class") == "tick middle"]
    assert 4 <= len(ticks) <= 12


@pytest.mark.parametrize(
    ("recorded", "name", "family", "tier", "level", "remade"),
    [
        ("qwen2.5-coder:0.5b", "Qwen2.5-Coder-0.5B", "Qwen", "small", "Q4_K_M", ""),
        ("qwen2.5-coder-0.5b-instruct-q4_k_m", "Qwen2.5-Coder-0.5B", "Qwen", "small", "Q4_K_M", ""),
        ("qwen2.5-coder:0.5b-instruct-q8_0", "Qwen2.5-Coder-0.5B", "Qwen", "small", "Q8_0", ""),
        (
            "qwen2.5-coder-0.5b-instruct-from-q4_k_m-F16.gguf",
            "Qwen2.5-Coder-0.5B", "Qwen", "small", "F16", "Q4_K_M",
        ),
        ("Qwen/Qwen2.5-Coder-32B-Instruct", "Qwen2.5-Coder-32B", "Qwen", "large", "", ""),
        ("deepseek-coder:6.7b", "DeepSeek-Coder-6.7B", "DeepSeek", "mid-range", "Q4_K_M", ""),
        ("SmolLM2-135M-Instruct-Q8_0.gguf", "SmolLM2-135M-Instruct", "SmolLM", "small", "Q8_0", ""),
        ("whatever", "whatever", "whatever", "", "", ""),
    ],
)  # fmt: skip
def test_a_model_is_known_under_the_names_that_servers_give_it(
    recorded: str, name: str, family: str, tier: str, level: str, remade: str
) -> None:
    """Ollama's tag, a file of weights, an id of vLLM: one model, with its level of quantization."""
    found = named(recorded)
    assert (found.name, found.family, found.tier) == (name, family, tier)
    assert (found.level, found.remade) == (level, remade)


def test_an_arm_is_what_was_asked_for_otherwise_than_usual() -> None:
    """Answers of one arm may be compared; the label says what is unlike the profile."""
    bench = "humaneval-single-line"
    chat = arm_of({"profile": "paper", "prompt": "chat", "seed": 3}, bench, "a.jsonl")
    assert chat == arm_of({"profile": "paper", "prompt": "chat", "seed": 4}, bench, "b.jsonl")
    assert (chat.label, chat.plain) == ("chat, paper's profile", True)
    live = arm_of({"profile": "live", "prompt": "fim", "cut": "context"}, bench, "a.jsonl")
    assert live.label == "FIM, as the server asks, cut context"
    shots = {"profile": "paper", "prompt": "chat", "shots": 1, "examples_as": "tfidf"}
    by = arm_of(shots | {"examples_by": "large.jsonl (0123)"}, bench, "a.jsonl")
    assert (by.few_shot, by.plain) == ("1-shot tfidf by large.jsonl", False)
    assert arm_of({}, bench, "a.model.chat.jsonl.gz") == Arm("", "chat")


def test_a_picture_keeps_its_legend(report: Document) -> None:
    """Colours alone say nothing."""
    for each in report.pictures():
        assert isinstance(each, Picture)
        assert each.legend


def test_times_of_another_prompt_are_not_a_models_times() -> None:
    """A chat is longer than a fill-in-the-middle prompt, and takes longer."""
    latencies = Latencies([measured([])])
    timing = latencies.of(named(SMALL), "chat")
    assert timing is not None
    assert timing.latency.seconds.median == 0.1
    assert latencies.of(named(SMALL), "fim") is None

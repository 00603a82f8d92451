"""What of a wrong answer is copied from an example."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synconfroute.evaluation.generation.opening import indented
from synconfroute.evaluation.shots.copying import Cue, Kind, cues_of, kind_of, levelled
from tests.evaluation.generation.functions import task

TASK = task(1)
EXAMPLE = replace(
    task(2),
    prefix="def longest(words):\n    best = ''\n    for word in words:\n        # the longest\n",
    suffix="    return best\n",
    truth="        best = max(best, word, key=len)",
)
RIGHT = "    return a + b"


@pytest.mark.parametrize(
    ("text", "cues"),
    [
        ("        best = max(best, word, key=len)", {"examples-level", "answer", "line", "name"}),
        ("    best = max(best, word,  key=len)", {"answer", "line", "name"}),
        ("    for word in words:", {"line", "name"}),
        ("    return best", {"line", "name"}),
        ("    return word + a", {"name"}),
        ("        return a - b", {"examples-level"}),
        ("return a + b", set()),
        ("    return a - b", set()),
        ("    return max(a, b)", set()),
        ("    return a.words", set()),
        ("    return 'word'", set()),
        ("    return [word for word in a]", set()),
        ("    return max(a, key=lambda word: word)", set()),
        ("    pass", set()),
        ("", set()),
    ],
)
def test_the_cues_of_a_text(text: str, cues: set[str]) -> None:
    """Builtins, attributes, strings and what the text binds itself are no names of the example."""
    assert cues_of(TASK, text, RIGHT, [EXAMPLE]) == cues


def test_without_examples_nothing_is_copied() -> None:
    """There is nothing to copy from."""
    assert cues_of(TASK, EXAMPLE.truth, RIGHT, []) == set()


def test_what_the_task_has_itself_is_not_copied() -> None:
    """A line and a name that stand in the task's own code may come from there."""
    own = replace(TASK, suffix="\n\ndef after(words, word):\n    best = word\n    return best\n")
    assert cues_of(own, "    return best", RIGHT, [EXAMPLE]) == set()
    assert cues_of(own, "    return word + best", RIGHT, [EXAMPLE]) == set()


def test_what_the_model_wrote_without_examples_is_not_copied() -> None:
    """It knew that name before."""
    before = "    best = a + b; return best"
    assert "name" not in cues_of(TASK, "    return best", before, [EXAMPLE])


def test_names_of_other_languages_are_not_told_apart() -> None:
    """There no list says what is a builtin; lines are compared all the same."""
    java, example = replace(TASK, language="java"), replace(EXAMPLE, language="java")
    assert cues_of(java, "    return word + a", RIGHT, [example]) == set()
    assert cues_of(java, "    return best", RIGHT, [example]) == {"line"}


def test_behind_an_indentation_that_was_typed() -> None:
    """The text's column counts with what stands before the cursor."""
    open_task = indented(TASK)
    assert cues_of(open_task, "    return a - b", "return a + b", [EXAMPLE]) == {"examples-level"}
    assert cues_of(open_task, "return best", "return a + b", [EXAMPLE]) == {"line", "name"}


@pytest.mark.parametrize(
    ("cues", "kind"),
    [
        ({"level", "line"}, "indentation"),
        ({"examples-level", "answer"}, "content"),
        ({"name"}, "content"),
        ({"examples-level"}, "indentation"),
        (set(), "other"),
    ],
)
def test_the_first_kind_that_fits(cues: set[Cue], kind: Kind) -> None:
    """Right but for its column; else copied text; else the example's column; else other."""
    assert kind_of(cues) == kind


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("        return a + b", RIGHT),
        ("return a + b", RIGHT),
        (RIGHT, RIGHT),
        ("", ""),
        ("if a:\n    return b", "    if a:\n        return b"),
    ],
)
def test_a_text_is_moved_to_where_the_truth_stands(text: str, becomes: str) -> None:
    """Its lines keep their distance from each other."""
    assert levelled(TASK, text) == becomes


@given(st.text(alphabet="ab =:.\n'\"#()", max_size=30))
def test_any_text_has_cues(text: str) -> None:
    """No text is refused, and moving it changes nothing but white space."""
    cues_of(TASK, text, RIGHT, [EXAMPLE])
    assert levelled(TASK, text).split() == text.split()

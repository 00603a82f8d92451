"""Gates beside the confidence: what they flag, and how often wrongly."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from synconfroute.evaluation.routing.example import Example
from synconfroute.evaluation.routing.gates.agreement import agreement
from synconfroute.evaluation.routing.gates.gate import Gate
from synconfroute.evaluation.routing.gates.lint import lint
from synconfroute.evaluation.routing.gates.types import types
from tests.evaluation.routing.made import example

PREFIX = "import os\n\n\ndef f(a: int) -> int:\n"


def answered(texts: Sequence[str], language: str = "python") -> list[Example]:
    """Each text as the local answer to a hole at the end of a function; the first is right."""
    found = []
    for number, text in enumerate(texts):
        made = example(number, local=number == 0)
        sight = replace(
            made.sight, prefix=PREFIX, text=text, suffix="\n    return a\n", language=language
        )
        found.append(replace(made, sight=sight))
    return found


def test_lint_flags_what_it_finds_at_the_answer_or_below() -> None:
    """An unused variable and an unknown name; not the import above that nobody uses."""
    found = lint(answered(["    a += 1", "    b = 1", "    a = b", "    a = = 1"]))
    assert (found.flagged, found.false_alarms, found.right) == (3, 0, 1)


def test_types_flag_what_does_not_fit() -> None:
    """A text where a number belongs; a file that does not parse; what mypy cannot read at all."""
    texts = ["    a += 1", "    a = 'x'", "    a = = 1", "    a = 1  # type: int int", "    a = 2"]
    found = types(answered(texts))
    assert found is not None
    assert (found.flagged, found.false_alarms) == (3, 0)


@pytest.mark.parametrize("gate", [lint, types])
def test_other_languages_are_never_flagged(
    gate: Callable[[Sequence[Example]], Gate | None],
) -> None:
    """Both tools read Python."""
    found = gate(answered(["a = = 1"], "java"))
    assert found is not None
    assert found.flagged == 0


def test_agreement_flags_what_differs() -> None:
    """White space around the texts makes no difference; a right answer that differs is an alarm."""
    first, second = answered(["    a = 1", "    a = 1"])
    found = agreement(
        [replace(first, larger_text="a = 2"), replace(second, larger_text="    a = 1 ")]
    )
    assert (found.flagged, found.false_alarms) == (1, 1)


def test_what_is_flagged_is_kept_last() -> None:
    """The curve of a gate sends what it flags first, however sure the model was."""
    wrong = replace(example(0, local=False, sure=0.99), larger_text="other")
    right = replace(example(1, local=True, larger=False, sure=0.5), larger_text="z = 3")
    found = agreement([wrong, right])
    assert found.curve[50][1] == 1.0

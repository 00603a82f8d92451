"""Further languages: what the user goes on to type is never invalid, and damage is told."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.validators.grammar import Undecidable
from synconfroute.validators.insertion import Insertion
from synconfroute.validators.languages import LANGUAGES, session_of
from synconfroute.validators.verdict import Outcome
from tests.validators.edits import State, mutants, states

_SOURCES = {file.stem: file for file in (Path(__file__).parent / "sources").iterdir()}
FURTHER = sorted(_SOURCES)
_NOT_CODE = frozenset("/*#<")
"""How comments, directives and elements of markup begin."""


@cache
def source(language: str) -> str:
    """A valid file of a language."""
    return _SOURCES[language].read_text(encoding="utf-8")


def outcome(language: str, state: State, text: str, before: str | None = None) -> Outcome:
    """What is said of a text in a state, with the buffer before the edit known or not.

    A parser that gives up says nothing: slow machines make it do so.
    """
    session = session_of(language)
    if before is not None:
        session.update(before)
    session.update(state.buffer)
    try:
        return session.judge(Insertion(state.prefix, text, state.suffix)).outcome
    except Undecidable:
        return Outcome.UNKNOWN


def lines(language: str) -> list[State]:
    """Each line of the file that holds anything, as what is to be typed."""
    text = source(language)
    found, at = [], 0
    for line in text.splitlines():
        if line.strip():
            found.append(State("", text[:at], line, text[at + len(line) :], "", at))
        at += len(line) + 1
    return found


def test_all_further_languages_are_tested() -> None:
    """Every language but the first three has a source here."""
    assert set(FURTHER) == set(LANGUAGES) - {"python", "java", "cpp"}


@pytest.mark.parametrize("language", FURTHER)
def test_no_line_of_a_file_is_invalid(language: str) -> None:
    """Each line, typed into the file that lacks it, is right; of hardly any is nothing said."""
    found = [outcome(language, state, state.truth) for state in lines(language)]
    assert Outcome.INVALID not in found
    assert found.count(Outcome.UNKNOWN) <= 0.05 * len(found)


@pytest.mark.parametrize("language", FURTHER)
@given(seed=st.integers(0, 1_000_000))
@settings(max_examples=60, deadline=None)
def test_a_retyped_hunk_is_never_invalid(language: str, seed: int) -> None:
    """Wherever a hunk is typed again, the rest of the line is not invalid, whatever is known.

    A lone bracket may close what the code below closed before, until the lines behind it are typed.
    """
    for state in states(source(language), seed):
        assert outcome(language, state, state.truth) is not Outcome.INVALID
        if state.truth.strip(")]};, "):
            assert outcome(language, state, state.truth, state.before) is not Outcome.INVALID


@pytest.mark.parametrize("first", ["#!/bin/zsh", "#!/usr/bin/env fish", "#compdef tar"])
def test_nothing_is_said_of_other_shells(first: str) -> None:
    """What editors call a shell script may be in a shell that the grammar does not know."""
    session = session_of("shellscript")
    assert session.judge(Insertion(f"{first}\n", "echo )", "\n")).outcome is Outcome.UNKNOWN
    assert session.judge(Insertion("#!/bin/sh\n", "echo )", "\n")).outcome is Outcome.INVALID


@pytest.mark.parametrize("language", FURTHER)
def test_a_fence_and_a_leaked_token_are_invalid(language: str) -> None:
    """Behind a line that stands in code, a fence or a token of the model is always told."""
    for state in lines(language)[5:-5:3]:
        found = dict(mutants(state, 42))
        if state.truth.lstrip()[:1] in _NOT_CODE:
            continue
        for kind in ("fence", "fim_token"):
            assert outcome(language, state, found[kind]) is Outcome.INVALID, found[kind]


@pytest.mark.parametrize("language", sorted({*FURTHER} - {"javascriptreact", "typescriptreact"}))
def test_most_closing_brackets_too_many_are_invalid(language: str) -> None:
    """Nine lines of code of ten with one closing bracket too many are told to be damaged."""
    states_ = [each for each in lines(language) if each.truth.lstrip()[:1] not in _NOT_CODE]
    told = [outcome(language, each, f"{each.truth})]") is Outcome.INVALID for each in states_]
    assert sum(told) >= 0.9 * len(told)

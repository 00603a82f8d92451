"""Real files: what their authors wrote is not suspicious; and hostile ones."""

import argparse
import configparser
import dataclasses
import inspect
import json.decoder
import tempfile
import textwrap
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.validators.evidence.python.witness import PythonWitness
from synconfroute.validators.insertion import Insertion

MODULES = [argparse, configparser, dataclasses, json.decoder, tempfile, textwrap]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_line_that_its_author_wrote_is_not_suspicious(module: ModuleType) -> None:
    """Each line of a file is taken out and put back; only a line written twice is told."""
    lines = inspect.getsource(module).splitlines(keepends=True)
    witness = PythonWitness()
    told = []
    for number in range(0, len(lines), 3):
        prefix, text, suffix = (
            "".join(part)
            for part in (lines[:number], lines[number : number + 1], lines[number + 1 :])
        )
        witness.update(prefix + suffix)
        found = witness.find(Insertion.of(prefix, text, suffix))
        told += [(number + 1, each) for each in found if each.kind != "duplicate"]
    assert told == []


@pytest.mark.parametrize(
    "text",
    [
        "(" * 100_000,
        "x = " + "1 + " * 20_000 + "1\n",
        "\0",
        "\ud800",
        "x" * 1_000_000,
        "@\n" * 9_000,
    ],
    ids=["nested", "chain", "nul", "surrogate", "line", "decorators"],
)
def test_hostile_text_is_survived(text: str) -> None:
    """In the buffer as in the completion; nothing is said."""
    for prefix, inserted in ((text, "y = 1\n"), ("def f():\n    ", text)):
        witness = PythonWitness()
        witness.update(prefix)
        assert witness.find(Insertion.of(prefix, inserted, "")) == ()


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab \n()[]:='\"#\\@,", max_size=80), st.data())
def test_any_text_is_survived(text: str, data: st.DataObject) -> None:
    """Whatever the buffer and the place, an answer comes."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    witness = PythonWitness()
    witness.update(text[:start] + text[end:])
    for each in witness.find(Insertion(text[:start], text[start:end], text[end:])):
        assert 1 <= each.line <= text.count("\n") + 1

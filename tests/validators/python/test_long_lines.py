"""Long tables are cut before they are parsed, which must change nothing but the time."""

import random
import sysconfig
from pathlib import Path

import pytest

from synconfroute.validators.python.lexing import closers, open_at
from synconfroute.validators.python.long_lines import LONG, cut_head
from synconfroute.validators.python.reading import lines_of
from synconfroute.validators.python.syntax import parses

_MODULES = ["calendar", "locale", "mimetypes", "stat", "token", "tokenize", "typing", "_strptime"]


@pytest.mark.parametrize("module", _MODULES)
def test_what_is_cut_is_code_where_the_whole_is(module: str) -> None:
    """At any place in a bracket of a real file, what is kept parses if the whole does."""
    text = (Path(sysconfig.get_path("stdlib")) / f"{module}.py").read_text(encoding="utf-8")
    draw = random.Random(module)
    lines = lines_of(text, careful=False)
    for start, end in zip(lines.starts, [*lines.starts[1:], len(text)], strict=True):
        for at in (draw.randrange(end - start) for _ in range(1 + (end - start) // LONG)):
            part = text[start : start + at].lstrip(" \t")
            state = open_at(part, 0, len(part))
            if not state.brackets or state.quote:
                continue
            cut = cut_head(part)
            places = tuple(cut.moved[bracket] for bracket in state.brackets)
            assert [cut.text[place] for place in places] == [part[at] for at in state.brackets]
            whole, kept = part + closers(part, state.brackets), cut.text + closers(cut.text, places)
            assert not parses(whole) or parses(kept), kept


@pytest.mark.parametrize("element", ["[{}]", "f({})", "x[{}]", "{{{}}}", "[f(x[{}])]"])
def test_little_is_kept_of_a_long_table(element: str) -> None:
    """Elements in the middle go, and so does what stands in the brackets of the first one."""
    long = element.format(", ".join(f"'name{number}'" for number in range(300)))
    cut = cut_head(f"x = {{\n    'a': {long},\n    'b': {long},\n    'c': [1, 'd")
    assert len(cut.text) < 60
    assert parses(f"{cut.text}']}}")

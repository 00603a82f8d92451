"""One session through many edits: what it remembers is what a new one would find."""

import random
import string
import sysconfig
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synconfroute.validators.insertion import Insertion
from synconfroute.validators.python import session
from synconfroute.validators.python.history import History
from synconfroute.validators.python.hole import Hole
from synconfroute.validators.python.needs import Need
from synconfroute.validators.python.reading import lines_of
from synconfroute.validators.python.written import Written
from synconfroute.validators.verdict import Outcome

_MODULES = ["bisect", "csv", "difflib", "shlex", "textwrap"]


def _source(module: str) -> str:
    path = Path(sysconfig.get_path("stdlib")) / f"{module}.py"
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("module", _MODULES)
@pytest.mark.parametrize("elsewhere", ["", "x = (1,\n", "def broken(:\n", 'y = """\n'])
def test_the_truth_stays_valid_while_a_file_is_typed_again(module: str, elsewhere: str) -> None:
    """Hunks go and come back line by line in one session, with damage far away or none."""
    text = _source(module)
    draw = random.Random(module + elsewhere)
    buffer = session()
    buffer.update(text)
    lines = text.splitlines(keepends=True)
    for _ in range(4):
        first = draw.randrange(len(lines) // 2)
        last = first + draw.randint(1, 6)
        above, below = "".join(lines[:first]), "".join(lines[last:]) + elsewhere
        for line in lines[first:last]:
            buffer.update(f"{above}\n{below}")
            cut = draw.randrange(len(line))
            if line[cut:].strip():
                hole = Insertion(above + line[:cut], line[cut:-1], f"\n{below}")
                verdict = buffer.judge(hole)
                assert verdict.outcome is not Outcome.INVALID, (hole.prefix[-80:], verdict.reason)
            above += line
        buffer.update(above + below)


_PIECES = st.lists(
    st.sampled_from(
        ["x = 1\n", "def f():\n", "    return (\n", "    )\n", "'''", '"', "#", "\\\n", "[",
         "]", "\t", "\n", "class A:\n", "        if x:\n", "é", "\f", "f'{", "\\", " "]
    ),
    max_size=8,
).map("".join)  # fmt: skip


@st.composite
def _edits(draw: st.DrawFn) -> list[str]:
    """Texts that each come from the one before by replacing a piece."""
    texts = [draw(_PIECES)]
    for _ in range(draw(st.integers(1, 5))):
        old = texts[-1]
        start = draw(st.integers(0, len(old)))
        end = draw(st.integers(start, len(old)))
        texts.append(old[:start] + draw(_PIECES) + old[end:])
    return texts


@given(typed=_PIECES, more=_PIECES)
@example(typed='""', more='"x = 1\nx = 1\n')
@settings(max_examples=300, deadline=None)
def test_what_is_typed_on_is_read_as_the_whole_is(typed: str, more: str) -> None:
    """Going on from the end of a line finds the logical lines that reading anew finds."""
    nothing = Hole((), "", "", "", (), Need(), (), "", frozenset())
    written = Written(nothing, typed)
    assert written.lines == lines_of(typed, careful=False)
    assert written.lines_with(more) == lines_of(typed + more, careful=False)


@given(texts=_edits())
@settings(max_examples=300, deadline=None)
def test_what_is_remembered_fits_the_text(texts: list[str]) -> None:
    """Patches are in order, apart and whole lines; a clean buffer's lines are those of its text."""
    history = History()
    for text in texts:
        history.update(text)
        assert history.text == text
        ends = [0]
        for patch in history.patches:
            assert ends[-1] <= patch.start <= patch.end <= len(text)
            assert patch.start == 0 or text[patch.start - 1] == "\n"
            ends.append(patch.end)
        assert history.lines.starts == sorted(set(history.lines.starts))
        if history.sound and all(patch.settled for patch in history.patches):
            assert history.lines == lines_of(text, careful=False)


def test_an_edit_that_is_whole_again_is_forgotten() -> None:
    """After a statement is finished, the next edit is told from the new text."""
    buffer = session()
    buffer.update("a = 1\nb = 2\n")
    buffer.update("a = 1\nif a\nb = 2\n")
    buffer.update("a = 1\nif a: pass\nb = 2\n")
    damaged = buffer.judge(Insertion("a = 1\nif a: pass\nb = 2", ")", "\n"))
    assert damaged.outcome is Outcome.INVALID
    assert damaged.reason.startswith("line 3: ")


def test_lines_typed_as_they_were_are_no_part_of_the_edit() -> None:
    """One line is mended and another one cut before anybody asks: the edit is the second alone."""
    history = History()
    text = 'a = [1,\n     2]\nb = {\n    "c": 3,\n    "d": 4,\n}\n'
    history.update(text)
    history.update(text.replace("2]", "2"))
    history.update(text.replace('"d": 4,', '"d'))
    assert [(text[: patch.start], patch.old) for patch in history.patches] == [
        (text[: text.index('    "d"')], '    "d": 4,\n')
    ]


def test_a_bracket_closed_below_lines_that_were_mended_is_too_many() -> None:
    """What was typed before and is whole by now excuses nothing."""
    lines = [f'    "{name}",\n' for name in string.ascii_lowercase]
    buffer = session()
    buffer.update("x = (\n" + "".join(lines) + ")\n")
    for at in range(len(lines)):
        above, below = "x = (\n" + "".join(lines[:at]), "".join(lines[at + 1 :]) + ")\n"
        buffer.update(f'{above}    "a\n{below}')
        verdict = buffer.judge(Insertion(f'{above}    "a', '",)', f"\n{below}"))
        assert verdict.outcome is Outcome.INVALID, at


def test_a_comment_at_the_end_of_the_line_above_ends_no_bracket() -> None:
    """Typing goes on in a list whose line above the edit ends in a comment."""
    above = 'names = [\n    "a",  # first\n'
    buffer = session()
    buffer.update(f'{above}    "b",\n]\n')
    buffer.update(f'{above}    "n\n')
    verdict = buffer.judge(Insertion(f'{above}    "n', 'ew",', "\n"))
    assert verdict.outcome is Outcome.VALID


def test_a_docstring_begun_at_the_top_of_a_file_is_no_code() -> None:
    """Nothing but a comment stands above it, and nothing closes it yet."""
    above = '# A comment.\n"""Words that go on\n'
    buffer = session()
    buffer.update("# A comment.\nimport ast\n")
    buffer.update(f"{above}\nimport ast\n")
    verdict = buffer.judge(Insertion(above, "over several lines", "\nimport ast\n"))
    assert verdict.outcome is Outcome.VALID

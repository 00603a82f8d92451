"""The names that a file binds outside functions, while it is edited."""

from hypothesis import given
from hypothesis import strategies as st

from synconfroute.validators.evidence.braces.javascript import JAVASCRIPT
from synconfroute.validators.evidence.braces.outline import Outline

_PIECES = st.sampled_from(
    [
        "const a = 1;\n",
        "import {\n  b,\n} from 'c';\n",
        "function d(e) {\n  let f = e;\n}\n",
        "export const g = (h) => {\n  return h;\n};\n",
        "/* global i */\n",
        "  j();\n",
        "\n",
        "}",
        "k",
    ]
)
_TEXTS = st.lists(_PIECES, max_size=8).map("".join)
_NAMES = "abcdefghijk"


def outline(text: str) -> Outline:
    """The outline of a text that has just been opened."""
    opened = Outline(JAVASCRIPT)
    opened.update(text)
    return opened


def test_a_function_binds_its_name_alone() -> None:
    """What stands in another function is not in sight; what an import lists is."""
    file = outline("function d(e) {\n  let f = e;\n}\nimport {\n  b,\n} from 'c';\nh();\n")
    last = file.at(len("function d(e) {\n  let f = e;\n}\nimport {\n  b,\n} from 'c';\n"))
    assert file.binds("d", but_for=last)
    assert file.binds("b", but_for=last)
    assert not file.binds("f", but_for=last)
    assert not file.binds("h", but_for=last)


@given(first=_TEXTS, edits=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 40), _TEXTS)))
def test_an_edited_file_has_the_outline_of_one_just_opened(
    first: str, edits: list[tuple[int, int, str]]
) -> None:
    """Only what was edited is read again, and nothing is forgotten."""
    text, edited = first, outline(first)
    for start, length, new in edits:
        text = text[:start] + new + text[start + length :]
        edited.update(text)
    opened = outline(text)
    assert edited.doubtful == opened.doubtful
    for offset in range(len(text) + 1):
        part = opened.at(offset)
        assert edited.at(offset) == part
        assert edited.part(part) == opened.part(part)
        for name in _NAMES:
            assert edited.binds(name, but_for=part) == opened.binds(name, but_for=part)

"""Answers of several lines end, while they stream, where the structure ends that they began."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synconfroute.clients.model import Token
from synconfroute.server.completion.cleaning import clean
from synconfroute.server.completion.generation import Draft, Generation
from synconfroute.server.completion.hole import Hole
from tests.server.completion.scripted import ScriptedStream


class Place(NamedTuple):
    """A hole, what belongs there, and what a model goes on with."""

    hole: Hole
    truth: str
    more: str


PYTHON = Place(
    Hole("python", "def f(n):\n    total = 0\n    for i in n:\n        ", "\n    return total\n"),
    "if i:\n            total += i",
    "\n    return total\n\n\ndef g():\n    pass\n",
)
PLACES = (
    PYTHON,
    Place(
        Hole("python", "import os\n\n\ndef f(n):\n", "\n\nprint(f(1))\n"),
        '    """Text\n(of f).\n    """\n    return [\n1,\n]',
        "\n\n# Test\nprint(f(2))\n```\nThis code is right.\n",
    ),
    Place(
        Hole("java", "class A {\n    int f(int n) {\n        ", "\n    }\n}\n"),
        'if (n > 1) {\n            g("}"); // }\n        } else {\n            h();\n        }',
        "\n    }\n\n    int g() {\n        return 2;\n    }\n}\n```\nmore\n",
    ),
    Place(
        Hole("cpp", "int main() {\n    while (a) {\n        ", "\n    }\n    return 0;\n}\n"),
        "int b[] = {1, 2};\n        f(b);",
        "\n    }\n    return 0;\n}\n",
    ),
    Place(
        Hole("javascript", "items.forEach((item) => {\n  ", "\n});\n"),
        "log(`}${item}`);\n  if (/[}]/.test(item)) {\n    stop();\n  }",
        "\n});\n\nnext();\n",
    ),
)


async def streamed(hole: Hole, tokens: Sequence[str]) -> tuple[Draft, list[str]]:
    """The draft of a stream, and what is left of it."""
    left = [Token(text, -0.1) for text in tokens]
    stream = ScriptedStream(left, [], "stream")
    draft = await Generation(stream, single_line=False, block_at=hole).finish()
    return draft, list(tokens[len(draft.tokens) :])


@pytest.mark.parametrize(
    ("place", "tokens", "left"),
    [
        # The first character of a line that is not in the block.
        (PYTHON, ["total += i", "\n   ", " return", " total", "\n"], [" total", "\n"]),
        (PYTHON, ["total += i\n    r", "eturn"], ["eturn"]),
        # The last character of a line that stands below, or that nothing can stand below.
        (PLACES[1], ["    a = 1\n", "    return 2\n", "    b", " = 3", "\n", "    c"], ["    c"]),
        # The closer of what was open before the text.
        (PLACES[2], ["g();", "\n", "    ", "}", "\n", "}"], ["\n", "}"]),
        (PLACES[2], ["if (n) {", " g(); }", "\n", "h(); }", "\n", "}"], ["}"]),
        # Braces in strings and comments are none.
        (PLACES[2], ['g("}");', "\n// }\n", "/*\n}\n*/ h();", "\n", "    }", "\n"], ["\n"]),
        # A fence.
        (PLACES[4], ["```js\n", "log(1);\n", "```", "\n", "Text"], ["Text"]),
        # A control token.
        (PYTHON, ["total += i", "<|endoftext|>", "x"], ["x"]),
        # The model's own end.
        (PYTHON, ["if i:\n", "            total += i"], []),
    ],
)
async def test_the_stream_is_closed_at_this_token(
    place: Place, tokens: list[str], left: list[str]
) -> None:
    """No token is waited for that could only be cut off."""
    async with asyncio.timeout(20):
        draft, rest = await streamed(place.hole, tokens)
    assert (draft.finished, rest) == (True, left)


@st.composite
def _split(draw: st.DrawFn, text: str) -> list[str]:
    """The text in pieces, as any tokenizer may cut it."""
    places = sorted(draw(st.sets(st.integers(1, max(1, len(text) - 1)), max_size=40)))
    bounds = [0, *(place for place in places if place < len(text)), len(text)]
    return [text[begin:end] for begin, end in pairwise(bounds)]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.hole.language)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_what_belongs_there_is_kept_however_it_is_cut_into_tokens(
    place: Place, data: st.DataObject
) -> None:
    """The truth stays, the rest goes, and the streamed answer is the whole text's, cleaned."""
    tokens = data.draw(_split(place.truth + place.more))
    draft, _ = asyncio.run(streamed(place.hole, tokens))
    assert clean(place.hole, draft.text, single_line=False) == place.truth
    assert clean(place.hole, place.truth, single_line=False) == place.truth


_LINES = st.lists(
    st.sampled_from(
        [
            *("", "if a:", "else:", "    return a", "return a", "b = g(1)", "}", "{", "f(b) {"),
            *("# text", "x = [", "]", '"""', "```", "def f():", "class A:", "for c in d:", "`"),
            *("/* {", "*/", "end", "});", "'", "//", "@c"),
        ]
    ),
    max_size=12,
)
_INDENTED = st.builds(
    lambda lines, levels: "\n".join(
        "    " * level + line for line, level in zip(lines, levels, strict=False)
    ),
    _LINES,
    st.lists(st.integers(0, 3), min_size=12, max_size=12),
)


@given(
    language=st.sampled_from(["python", "java", "javascript", "ruby", "lua"]),
    prefix=_INDENTED,
    text=_INDENTED,
    suffix=_INDENTED,
    data=st.data(),
)
@settings(max_examples=150, deadline=None)
def test_streamed_is_whole(
    language: str, prefix: str, text: str, suffix: str, data: st.DataObject
) -> None:
    """Whatever the code around is, closing the stream early changes nothing that is shown."""
    hole = Hole(language, f"{prefix}\n    ", f"\n{suffix}")
    draft, _ = asyncio.run(streamed(hole, data.draw(_split(text))))
    assert clean(hole, draft.text, single_line=False) == clean(hole, text, single_line=False)

"""A model server that answers what no editor should show, or what no model server should send."""

import asyncio
from itertools import count
from pathlib import Path

import pytest

from synconfroute.validators import validate
from tests.e2e.editor import SERVE, Editor, editor
from tests.server.command.model_server import ModelServer, serving
from tests.soak.processes import models, server_environment

URI = "file:///work/app{}.py"
SOURCE = "def add(a, b):\n    return \n"

TEXTS: tuple[tuple[str, list[str]], ...] = (
    ("\x1b]0;theirs\x07\x1b[2Ja + b\n", []),
    ("a + b  # \u202e \u2066if admin\u2069 \u2066\n", []),
    ("a\0b\n", []),
    ("a + b\u2028import os\n", []),
    ("a + b # \U000e0073\U000e0075\n", []),
    ("a + b\x9b31m\n", []),
    ("a + b\n", ["a + b"]),
)
"""What the model writes, and what is shown of it."""

UNUSABLE = ("another shape", "another choice", "no line end", "endless")
PATIENCE = 120.0


async def test_nothing_hidden_is_shown(tmp_path: Path) -> None:
    """Escapes, controls, reordering, letters that are not drawn: no item, and no message."""
    with serving(ModelServer()) as local:
        options = {"local": {"provider": "openai", "url": local.url}}
        async with editor(SERVE, server_environment(tmp_path), options=options) as session:
            for number, (text, shown) in enumerate(TEXTS):
                local.text = text
                session.open(URI.format(number), SOURCE)
                answer = await session.complete(URI.format(number), 1, 11)
                assert answer is not None
                assert [item.insert_text for item in answer.items] == shown, text
            assert session.shown == []


async def test_no_answer_of_another_shape_is_shown_or_ends_the_session(tmp_path: Path) -> None:
    """Nothing of any of them is shown; each time the server is well again, completions come."""
    with models(tmp_path) as servers:
        options = {"local": servers.options()["local"]}
        async with (
            editor(SERVE, server_environment(tmp_path), options=options) as session,
            asyncio.timeout(PATIENCE),
        ):
            for number, mode in enumerate(UNUSABLE):
                servers.behave("local", mode)
                uri = URI.format(number)
                session.open(uri, f"# {number}\n{SOURCE}")
                assert not await shown(session, uri), mode
                servers.behave("local", "well: a + b")
                for version in count(2):  # it is left alone for a moment
                    session.edit(uri, version, (0, 0), (0, 0), "#")
                    if await shown(session, uri) == ["a + b"]:
                        break


async def shown(session: Editor, uri: str) -> list[object]:
    """The texts that come for the third line's end."""
    answer = await session.complete(uri, 2, 11)
    return [item.insert_text for item in answer.items] if answer else []


def test_a_name_that_looks_like_another_is_suspicious() -> None:
    """It is shown as it is, and nothing in sight defines it: that asks for more confidence."""
    cyrillic = "us\u0435r"
    verdict = validate("python", "def f(user):\n    return ", cyrillic, "\n")
    assert [found.kind for found in verdict.evidence] == ["name"]


@pytest.mark.parametrize("text", ["user", "user + 1"])
def test_the_name_itself_is_not(text: str) -> None:
    """The evidence is of the letters, not of the place."""
    assert validate("python", "def f(user):\n    return ", text, "\n").evidence == ()

"""Several texts on request, and the next one before it is asked for, by a real server."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.e2e.editor import SERVE, Editor, editor, environment, homes, until
from tests.e2e.test_typing import COLUMN, LINE, TEXT, Typist, shown
from tests.server.command.model_server import ModelServer, serving

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that writes one text, and others when it is asked to draw."""
    with serving(ModelServer(text=f"{TEXT}\n")) as one:
        yield one


@pytest_asyncio.fixture(loop_scope="module")
async def typist(server: ModelServer, tmp_path: Path) -> AsyncIterator[Typist]:
    """A document in a session of its own."""
    options = {
        "local": {"provider": "openai", "url": server.url},
        "limits": {"alternatives_ms": 20_000},
    }
    async with editor(SERVE, environment(**homes(str(tmp_path))), options=options) as session:
        yield Typist(session, server)
        server.go_on.set()


async def items(session: Editor, typist: Typist, **more: Any) -> dict[str, str]:
    """The texts that are shown, by what the accept command is given."""
    answer = await session.complete(typist.uri, LINE, typist.column, **more)
    assert answer is not None
    made = {}
    for item in answer.items:
        assert item.command is not None
        assert item.command.arguments is not None
        made[str(item.command.arguments[0])] = str(item.insert_text)
    assert len(made) == len(answer.items)
    return made


async def test_who_asks_gets_several_texts(typist: Typist) -> None:
    """Distinct and valid, each with its request id; a request that comes by itself gets one."""
    typist.model.drawn = ["a  +  b\n", "a + ) b\n", "b + a\n", "b\n"]
    several = await items(typist.session, typist, explicit=True)
    assert [*several.values()] == [TEXT, "b + a", "b"]
    assert typist.asked == 5
    draws = typist.model.bodies[-4:]
    assert [(body["seed"], body["temperature"] > 0) for body in draws] == [
        (seed, True) for seed in (1, 2, 3, 4)
    ]
    assert [*(await items(typist.session, typist)).values()] == [TEXT]
    typist.writes("b")
    assert [*(await items(typist.session, typist)).values()] == [" + a"]
    typist.writes(" +")
    assert [*(await items(typist.session, typist, explicit=True)).values()] == [" a"]
    assert typist.asked == 5


async def test_what_comes_after_an_accepted_text_is_there_already(typist: Typist) -> None:
    """Asked for as soon as the text stands in the document; no second call for the request."""
    ((request_id, text),) = (await items(typist.session, typist)).items()
    typist.model.text = " + c\n"
    typist.writes(text)
    await until(lambda: typist.asked == 2, "the model to be asked ahead")
    await typist.session.command("synconfroute.accept", request_id)
    assert await typist.text() == " + c"
    assert typist.asked == 2


async def test_the_command_alone_says_that_a_key_was_the_last_of_a_text(typist: Typist) -> None:
    """One character was left, which the user may have typed."""
    await typist.text()
    typist.writes(TEXT[:-1])
    ((request_id, text),) = (await items(typist.session, typist)).items()
    typist.writes(text)
    typist.model.text = " + c\n"
    assert await typist.session.complete("file:///not/open.py", 0, 0) is None
    assert typist.asked == 1
    await typist.session.command("synconfroute.accept", request_id)
    await until(lambda: typist.asked == 2, "the model to be asked ahead")
    assert await typist.text() == " + c"
    assert typist.asked == 2


async def test_a_request_joins_what_is_being_made_ahead(typist: Typist) -> None:
    """It is not closed and begun again."""
    await typist.text()
    typist.model.text, typist.model.held = " + c\n", 1
    typist.writes(TEXT)
    await until(lambda: typist.asked == 2, "the model to be asked ahead")
    asked = typist.begin()
    assert await typist.session.complete("file:///not/open.py", 0, 0) is None
    typist.model.go_on.set()
    assert shown(await asyncio.wait_for(asked, 20)) == " + c"
    assert typist.asked == 2
    assert typist.hung_up == 0


@pytest.mark.parametrize("where", ["here", "in another document"])
async def test_another_request_closes_what_is_being_made_ahead(typist: Typist, where: str) -> None:
    """In the same document or in another: what somebody asks for comes first."""
    await typist.text()
    typist.model.text, typist.model.held = " + c\n", 1
    typist.writes(TEXT)
    await until(lambda: typist.asked == 2, "the model to be asked ahead")
    if where == "here":
        other = typist
        typist.session.edit(typist.uri, 9, (0, 0), (0, 0), "# \n")
        asked = typist.session.begin(typist.uri, LINE + 1, typist.column)
    else:
        other = Typist(typist.session, typist.model)
        asked = other.begin()
    await until(lambda: typist.hung_up == 1, "the stream to be closed")
    typist.model.go_on.set()
    assert shown(await asyncio.wait_for(asked, 20)) == " + c"
    typist.session.close(other.uri)


async def test_nothing_is_made_ahead_where_it_is_switched_off(
    server: ModelServer, tmp_path: Path
) -> None:
    """`typing.speculate` = false."""
    options = {
        "local": {"provider": "openai", "url": server.url},
        "typing": {"speculate": False},
    }
    async with editor(SERVE, environment(**homes(str(tmp_path))), options=options) as session:
        typist = Typist(session, server)
        await typist.text()
        typist.writes(TEXT)
        assert await session.complete("file:///not/open.py", 0, 0) is None
        assert typist.asked == 1
        assert typist.column == COLUMN + len(TEXT)

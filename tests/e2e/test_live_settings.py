"""Settings that change while the server runs: pushed by the editor, or asked for."""

import asyncio
from typing import Any

import pytest
from lsprotocol import types

from tests.e2e.conftest import Listening, Scripted
from tests.e2e.editor import SECONDS, Editor, until

URI = "file:///work/a.py"
PUSHES: dict[str, Any] = {"capabilities": {}}
"""An editor that cannot be asked."""


@pytest.fixture
def scripted(listening: Listening) -> Listening:
    """The server of this module, which nothing happened in yet."""
    listening.forget_events()
    return listening


def push(session: Editor, settings: Any) -> None:
    """Say that settings changed."""
    session.notify_raw("workspace/didChangeConfiguration", {"settings": settings})


def built(scripted: Scripted) -> list[str]:
    """For which providers a completer was built, in order."""
    return [event.split()[1] for event in scripted.events() if event.startswith("built")]


async def test_pushed_settings_hold_from_the_next_request_on(scripted: Scripted) -> None:
    """Another completer answers; the old one is closed; what is not told again holds on."""
    options = {"local": {"provider": "ollama", "model": "m"}}
    async with scripted.session(options=options, says=PUSHES) as session:
        session.open(URI, "x")
        await session.text(URI, 0, 1)
        push(session, {"synconfroute": {"local": {"provider": "openai"}}})
        await until(lambda: built(scripted) == ["ollama", "openai"], "the new completer")
        await until(lambda: "closed " in scripted.events(), "the end of the old one")
        assert await session.text(URI, 0, 1) == "<x|>\n0"
        pulled = await session.command("synconfroute.doctor")
        assert pulled["report"] == "doctor: 2 settings"
        assert session.shown == []


async def test_the_same_settings_change_nothing(scripted: Scripted) -> None:
    """However they are written; nor does what is another server's."""
    async with scripted.session(options={"local": {"provider": "ollama"}}, says=PUSHES) as session:
        session.open(URI, "x")
        await session.text(URI, 0, 1)
        push(session, {"local.provider": "ollama"})
        push(session, {"synconfroute": {"local": {"provider": "ollama"}, "trace": {"server": 1}}})
        push(session, {"pyright": {"local": {"provider": "openai"}}})
        silent: list[Any] = [None, [], 7, "x", {"synconfroute": None}, {"synconfroute": 3}]
        for nothing in silent:
            push(session, nothing)
        await session.text(URI, 0, 1)
        assert built(scripted) == ["ollama"]
        assert session.shown == []


async def test_what_runs_goes_on_with_the_settings_that_it_began_with(scripted: Scripted) -> None:
    """Its completer is closed when nothing runs in it any more."""
    async with scripted.session(options={"local": {"provider": "ollama"}}, says=PUSHES) as session:
        session.open(URI, "slow")
        running = session.begin(URI, 0, 4)
        await until(lambda: "start slow" in scripted.events(), "the start")
        before = scripted.events().count("closed ")  # an earlier test's session may end late
        push(session, {"synconfroute": {"local": {"provider": "openai"}}})
        await until(lambda: built(scripted) == ["ollama", "openai"], "the new completer")
        assert not running.done()
        assert scripted.events().count("closed ") == before
        session.edit(URI, 2, (0, 0), (0, 4), "fast")
        assert await asyncio.wait_for(running, SECONDS) is None
        await until(lambda: scripted.events().count("closed ") > before, "the end of the old one")
        assert "closed " in scripted.events()[scripted.events().index("end slow") :]


async def test_a_wrong_key_is_told_once_and_the_rest_holds(scripted: Scripted) -> None:
    """Also where it is pushed twice."""
    async with scripted.session(says=PUSHES) as session:
        session.open(URI, "x")
        await session.text(URI, 0, 1)
        wrong = {"local": {"provider": "openai", "modell": "x"}}
        push(session, {"synconfroute": wrong})
        await until(lambda: built(scripted) == ["auto", "openai"], "the new completer")
        push(session, {"synconfroute": {**wrong, "limits": {"lines": "multi"}}})
        await until(lambda: len(built(scripted)) == 3, "the newest completer")
        assert await session.text(URI, 0, 1) == "<x|>\n0"
        (sentence,) = session.shown
        assert "did you mean local.model?" in sentence


async def test_an_editor_that_can_be_asked_is_asked(scripted: Scripted) -> None:
    """At the start, and when it says that something changed; what it no longer sets is not set."""
    options = {"local": {"provider": "ollama"}, "limits": {"lines": "multi"}}
    async with scripted.session(options=options) as session:
        client = session.client
        client.set_configuration({"synconfroute": {"local": {"provider": "openai"}}})
        push(session, None)
        await until(lambda: built(scripted)[-1:] == ["openai"], "the answer")
        client.set_configuration({"synconfroute": {"limits": {"lines": "single"}}})
        push(session, {"synconfroute": {"local": {"provider": "embedded"}}})
        await until(lambda: built(scripted)[-1:] == ["auto"], "the second answer")
        client.set_configuration({"synconfroute": None})
        push(session, None)
        session.open(URI, "x")
        await session.text(URI, 0, 1)
        assert built(scripted)[-1] == "auto"
        assert session.shown == []


async def test_the_first_completer_has_the_settings_that_were_asked_for(
    scripted: Scripted,
) -> None:
    """Also the first request waits for them: nothing is sent by settings that are wrong."""
    async with scripted.session(
        options={"local": {"provider": "ollama"}},
        configuration={"synconfroute": {"local": {"provider": "openai"}}},
    ) as session:
        session.open(URI, "x")
        assert await session.text(URI, 0, 1) == "<x|>\n0"
    assert built(scripted) == ["openai"]


async def test_the_editor_is_asked_to_tell_of_changes(scripted: Scripted) -> None:
    """Where it wants to be asked for that; once, however often it says that it is initialized."""
    async with scripted.session() as session:
        await until(lambda: session.registered, "the registration")
        session.notify_raw("initialized", {})  # once more begins nothing anew
        session.open(URI, "x")
        assert await session.text(URI, 0, 1) == "<x|>\n0"
    (registration,) = session.registered
    assert registration.method == types.WORKSPACE_DID_CHANGE_CONFIGURATION

"""What editors ask of the server beside completions, in a real session."""

import asyncio
import hashlib
import itertools
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from synconfroute import __version__
from tests.e2e.conftest import Listening, Scripted
from tests.e2e.editor import SECONDS, SERVE, Editor, editor, environment, homes, until

URI = "file:///work/a.py"
OTHER = "file:///work/b.py"
NAMES = {"accept", "toggle", "snooze", "why", "doctor", "digest", "ledger", "pull"}


@pytest.fixture
def scripted(listening: Listening) -> Listening:
    """The server of this module, which nothing happened in yet."""
    listening.forget_events()
    return listening


async def items(session: Editor, uri: str, character: int, *, explicit: bool = False) -> int:
    """How many items a request is answered with."""
    answer = await session.complete(uri, 0, character, explicit=explicit)
    assert answer is not None
    return len(answer.items)


async def test_the_commands_are_advertised(session: Editor) -> None:
    """Editors register what the server names."""
    provider = session.initialized.capabilities.execute_command_provider
    assert provider is not None
    assert {f"synconfroute.{name}" for name in NAMES} <= set(provider.commands)


async def test_toggling_switches_all_off_and_on(session: Editor, scripted: Scripted) -> None:
    """Off: no model is asked, whoever asks, and what runs is closed at once."""
    session.open(URI, "slow")
    running = session.begin(URI, 0, 4)
    await until(lambda: "start slow" in scripted.events(), "the start")
    assert (await session.command("synconfroute.toggle"))["enabled"] is False
    assert await asyncio.wait_for(running, SECONDS) is None
    await until(lambda: scripted.events()[-1] == "end slow", "the end")
    session.open(OTHER, "x")
    assert await items(session, OTHER, 1, explicit=True) == 0
    assert "start x" not in scripted.events()
    assert (await session.command("synconfroute.toggle"))["enabled"] is True
    assert await items(session, OTHER, 1) == 1


async def test_toggling_one_document(session: Editor) -> None:
    """The others go on; its name may be encoded in another way."""
    uri = "file:///work/with%20blank.py"
    session.open(uri, "x")
    session.open(OTHER, "x")
    assert (await session.command("synconfroute.toggle", uri.replace("%20", " ")))[
        "enabled"
    ] is False
    assert await items(session, uri, 1) == 0
    assert await items(session, OTHER, 1) == 1
    assert (await session.command("synconfroute.toggle", uri))["enabled"] is True
    assert await items(session, uri, 1) == 1


async def test_a_snooze_keeps_away_only_what_comes_by_itself(session: Editor) -> None:
    """What the user asks for comes; toggling ends it."""
    session.open(URI, "x")
    until_when = datetime.fromisoformat((await session.command("synconfroute.snooze", 30))["until"])
    left = until_when - datetime.now(until_when.tzinfo)
    assert timedelta(minutes=29) < left <= timedelta(minutes=30)
    assert await items(session, URI, 1) == 0
    assert await items(session, URI, 1, explicit=True) == 1
    said = await session.command("synconfroute.why", URI)
    assert said["message"].startswith("Completions are quiet until ")
    assert (await session.command("synconfroute.toggle"))["enabled"] is True
    assert await items(session, URI, 1) == 1


async def test_any_argument_of_a_snooze_is_answered(session: Editor) -> None:
    """What is no number means the usual minutes, and none more than a day."""
    arguments: list[Any] = [None, "ten", [], float("nan"), float("inf"), -3, True]
    for argument in arguments:
        answer = await session.command("synconfroute.snooze", argument)
        until_when = datetime.fromisoformat(answer["until"])
        assert until_when - datetime.now(until_when.tzinfo) <= timedelta(days=1)


async def test_why_tells_of_the_last_decision(session: Editor) -> None:
    """Of one document, or of all; in words and as provenance; without source."""
    assert (await session.command("synconfroute.why"))["provenance"] is None
    session.open(URI, "password = 1")
    session.open(OTHER, "empty")
    await session.complete(URI, 0, 12)
    await session.complete(OTHER, 0, 5)
    of_one = await session.command("synconfroute.why", URI)
    assert of_one["message"] == (
        "The local scripted wrote it (confidence 0.50); the parser found nothing wrong with it."
    )
    assert of_one["provenance"]["reason"] == "kept"
    assert "password" not in repr(of_one)
    newest = await session.command("synconfroute.why")
    assert newest["message"] == "Nothing is shown: the model had nothing to add here."
    assert newest["provenance"]["reason"] == "empty"


async def test_a_digest_shows_that_both_hold_the_same_text(session: Editor) -> None:
    r"""Of the text with "\n" as line ends, in UTF-8; null for what is not open."""
    session.open(URI, "é😀\r\nb\r")
    session.edit(URI, 7, (1, 1), (1, 1), "c")
    answer = await session.command("synconfroute.digest", URI)
    text = "é😀\nbc\n"
    assert (answer["version"], answer["characters"]) == (7, len(text))
    assert answer["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert await session.command("synconfroute.digest", OTHER) is None
    assert await session.command("synconfroute.digest") is None


async def test_the_ledger_is_found(session: Editor, scripted: Scripted) -> None:
    """Its folder, until something has left."""
    path = Path((await session.command("synconfroute.ledger"))["path"])
    assert path.name == "ledger"
    assert scripted.folder in path.parents


async def test_the_programs_commands_get_the_settings_of_the_editor(scripted: Scripted) -> None:
    """What concerns only the editor itself is no setting."""
    options = {"local": {"model": "m"}, "status": True, "client": {"name": "x"}, "editorInfo": {}}
    async with scripted.session(options=options) as session:
        answer = await session.command("synconfroute.doctor")
        pulled = await session.command("synconfroute.pull", "https://example.org/any.gguf")
    assert answer == {"report": "doctor: 1 settings", "ok": True}
    assert pulled == {"message": "engine pull: 1 settings", "ok": True}


@pytest.mark.usefixtures("home")
async def test_the_real_doctor_examines_with_the_settings_of_the_editor(tmp_path: Path) -> None:
    """A server that is not there: the report says so, and that no completion can be made."""
    options = {"local": {"provider": "openai", "url": "http://127.0.0.1:9/v1"}}
    env = environment(**homes(str(tmp_path)))
    async with editor(SERVE, env, options=options, root=tmp_path) as session:
        command = session.command("synconfroute.doctor")
        answer = await asyncio.wait_for(command, 60)
    assert answer["ok"] is False
    assert "127.0.0.1:9" in answer["report"]
    assert answer["report"].endswith("not ok.")


async def test_the_status_follows_what_happens(scripted: Scripted) -> None:
    """Where it is asked for: made ready, working, decided, switched off, each told once."""
    async with scripted.session(options={"status": True}) as session:
        told = session.statuses
        await until(lambda: told and told[-1].tier == "local", "the model")
        assert (told[0].tier, told[0].busy, told[0].kind) == ("loading", False, "Normal")
        session.open(URI, "slow")
        running = session.begin(URI, 0, 4)
        await until(lambda: told[-1].busy, "work")
        session.edit(URI, 2, (0, 0), (0, 4), "fast")
        assert await asyncio.wait_for(running, SECONDS) is None
        await session.complete(URI, 0, 4)
        await until(lambda: told[-1].detail and not told[-1].busy, "the decision")
        assert told[-1].detail.startswith("The local scripted wrote it")
        session.open(OTHER, "escalate")
        await session.complete(OTHER, 0, 8)
        await until(lambda: "escalating" in {each.tier for each in told}, "the escalation")
        await until(lambda: told[-1].tier == "local", "its end")
        await session.command("synconfroute.toggle")
        await until(lambda: told[-1].tier == "off", "the end")
        assert (told[-1].kind, told[-1].message) == ("Inactive", "Completions are switched off.")
    assert all(one != other for one, other in itertools.pairwise(told))


async def test_the_status_says_what_is_missing(scripted: Scripted) -> None:
    """Before anybody asked for a completion."""
    options = {"status": True, "local.model": "missing"}
    async with scripted.session(options=options) as session:
        told = session.statuses
        await until(lambda: told and told[-1].tier == "error", "the trouble")
        assert (told[-1].kind, told[-1].message) == ("Error", "There is no model.")


async def test_no_status_where_nobody_asked(session: Editor) -> None:
    """Some editors warn of notifications that they do not know."""
    session.open(URI, "x")
    await session.complete(URI, 0, 1)
    await session.command("synconfroute.toggle")
    assert session.statuses == []


async def test_an_extension_that_does_not_fit_is_told_once(scripted: Scripted) -> None:
    """In one sentence; the server says which version it is."""
    options = {"client": {"name": "synconfroute-x", "version": "9.0.0"}}
    async with scripted.session(options=options) as session:
        session.open(URI, "x")
        await session.complete(URI, 0, 1)
        assert session.initialized.server_info is not None
        assert session.initialized.server_info.version == __version__
        assert session.shown == [
            f"synconfroute-x 9.0.0 and the server synconfroute {__version__} are of different"
            " versions: update synconfroute."
        ]
    assert "synconfroute-x 9.0.0" in scripted.log()

"""Pieces of other files through the real server: what reaches the models, and what never does."""

import asyncio
import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import SERVE, Editor, editor, environment, homes, until
from tests.ledger_lines import sent
from tests.server.command.model_server import ModelServer, serving

SIGNATURE = "def convert(amount: int, currency: str) -> int: ..."
LIBRARY = "def convert(amount: int, currency: str) -> int:\n    return amount * 7919\n"
APP = "from shop.money import convert\n\n\ndef total(a):\n    return \n"
BODY = "7919"
PATIENCE = 90.0


class Shop:
    """A workspace of two files, and the servers that are asked."""

    def __init__(self, folder: Path, local: ModelServer, org: ModelServer) -> None:
        self.root = folder / "work"
        self.state = folder / "state"
        self.local, self.org = local, org
        for path, text in {
            "shop/__init__.py": "",
            "shop/money.py": LIBRARY,
            "shop/app.py": APP,
            "shop/secrets.py": "def convert_secretly(): pass\n",
        }.items():
            self.write(path, text)

    def write(self, path: str, text: str) -> Path:
        """Write a file of the workspace."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def uri(self, path: str) -> str:
        """A file's address."""
        return (self.root / path).as_uri()

    def session(self, *, escalating: bool = False, **context: Any) -> Any:
        """An editor with this workspace open, with these settings of `context`."""
        options: dict[str, Any] = {
            "local": {"provider": "openai", "url": self.local.url},
            "context": {"deadline_ms": 5_000, **context},
        }
        if escalating:
            options["org"] = {"url": self.org.url}
        env = environment(**homes(str(self.state)))
        return editor(SERVE, env, options=options, root=self.root)

    async def complete(
        self, session: Editor, wanted: str = "", *, server: ModelServer | None = None
    ) -> str:
        """Ask for the completion in the last line of app.py; the prompt that reached a server.

        Asked again until it has what is wanted: what is not ready in time comes with a later one.
        """
        uri = self.uri("shop/app.py")
        session.open(uri, APP)
        async with asyncio.timeout(PATIENCE):
            for version in count(2):
                await session.complete(uri, 4, 11)
                asked = prompts(server or self.local)
                if asked and wanted in asked[-1]:
                    return asked[-1]
                session.edit(uri, version, (1, 0), (1, 0), "#")
        raise AssertionError("the patience ends the loop")

    def ledger(self) -> list[dict[str, Any]]:
        """What was written down."""
        return sent(self.state)


def prompts(server: ModelServer) -> list[str]:
    """Every prompt that reached a server."""
    return [body["prompt"] for body in server.bodies if "prompt" in body]


@pytest.fixture
def shop(home: Path, tmp_path: Path) -> Iterator[Shop]:
    """Two servers, the local one sure of itself."""
    assert home.is_dir()
    with serving(ModelServer()) as local, serving(ModelServer(text="b + a\n")) as org:
        yield Shop(tmp_path, local, org)


async def test_the_prompt_has_the_signature_of_what_is_imported(shop: Shop) -> None:
    """Without its body; the file that holds it need not be open."""
    async with shop.session(enabled=True) as session:
        prompt = await shop.complete(session, SIGNATURE)
    assert "shop/money.py" in prompt
    assert BODY not in prompt


async def test_what_another_document_shows_counts_before_it_is_saved(shop: Shop) -> None:
    """The signature as it was just typed there, and the lines around the edit."""
    async with shop.session(enabled=True) as session:
        money = shop.uri("shop/money.py")
        session.open(money, LIBRARY)
        session.edit(money, 2, (0, 12), (0, 18), "cents")
        await shop.complete(session, SIGNATURE.replace("amount", "cents"))


async def test_off_means_off(shop: Shop) -> None:
    """By the user's settings, and by a workspace's file against them."""
    async with shop.session(enabled=False) as session:
        await shop.complete(session)
    shop.write(".synconfroute.toml", "[context]\nenabled = false\n")
    async with shop.session(enabled=True) as session:
        await shop.complete(session)
    assert len(prompts(shop.local)) >= 2
    assert not any("convert(amount" in prompt for prompt in prompts(shop.local))


async def test_a_secret_document_is_in_no_prompt(shop: Shop) -> None:
    """Though it is open, was just edited, and is imported."""
    secret = shop.uri("shop/secrets.py")
    async with shop.session(enabled=True) as session:
        session.open(secret, "def convert_secretly(): pass\n")
        session.edit(secret, 2, (0, 0), (0, 0), "password = 'hunter2'\n")
        await shop.complete(session, SIGNATURE)
    for prompt in prompts(shop.local):
        assert "hunter2" not in prompt
        assert "convert_secretly" not in prompt


async def test_the_organisation_gets_none_unless_the_user_allows_it(shop: Shop) -> None:
    """By default the local prompt has the pieces and the organisation's has not."""
    shop.local.logprob = -3.0
    async with shop.session(enabled=True, escalating=True) as session:
        await shop.complete(session, SIGNATURE)
        await shop.complete(session, server=shop.org)
    assert len(prompts(shop.org)) == len(shop.ledger())
    for prompt, line in zip(prompts(shop.org), shop.ledger(), strict=True):
        assert "convert(amount" not in prompt
        assert (line["context_files"], line["context_bytes"]) == ([], 0)
        assert line["bytes"] == len(prompt.encode())


async def test_a_workspace_cannot_allow_it(shop: Shop) -> None:
    """It is told so, and nothing of other files leaves."""
    shop.local.logprob = -3.0
    shop.write(".synconfroute.toml", "[context]\norg = true\n")
    async with shop.session(enabled=True, escalating=True) as session:
        await shop.complete(session, SIGNATURE)
        await shop.complete(session, server=shop.org)
        assert any("context.org" in sentence for sentence in session.shown)
    assert not any("convert(amount" in prompt for prompt in prompts(shop.org))


async def test_what_is_allowed_to_leave_is_in_the_ledger(shop: Shop) -> None:
    """Its files by name, its bytes among those of the prompt, none of its text."""
    shop.local.logprob = -3.0
    async with shop.session(enabled=True, org=True, escalating=True) as session:
        prompt = await shop.complete(session, SIGNATURE, server=shop.org)
    line = shop.ledger()[-1]
    assert line["context_files"] == [str((shop.root / "shop" / "money.py").resolve())]
    assert line["context_bytes"] == len(SIGNATURE)
    assert line["bytes"] == len(prompt.encode())
    assert "convert" not in json.dumps(line)


async def test_no_log_holds_what_was_read(shop: Shop) -> None:
    """At the loudest level."""
    log = shop.root.parent / "server.log"
    env = environment(SYNCONFROUTE_LOG_FILE=str(log), SYNCONFROUTE_LOG_LEVEL="debug")
    options = {
        "local": {"provider": "openai", "url": shop.local.url},
        "context": {"enabled": True, "deadline_ms": 5_000},
    }
    state = homes(str(shop.state))
    async with editor(SERVE, {**env, **state}, options=options, root=shop.root) as session:
        await shop.complete(session, SIGNATURE)
        await until(lambda: log.exists() and "answer " in log.read_text(), "the log")
    assert "convert" not in log.read_text(encoding="utf-8")

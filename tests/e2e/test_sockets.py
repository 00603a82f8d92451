"""Invariant 2, with the sockets watched: code goes to the configured addresses and nowhere else."""

import ast
import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.engine import conftest as engine_fixtures
from tests.e2e.conftest import Connections
from tests.e2e.editor import SERVE, Editor, editor, environment
from tests.server.command.model_server import ModelServer, serving

engine_home = engine_fixtures.engine_home
libraries = engine_fixtures.libraries
starter_weights = engine_fixtures.starter_weights

SOURCE = "def add(a, b):\n    return \n"


class Watched:
    """Where the server under test has connected to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "connections"
        # A proxy that would be noticed if anything asked it.
        proxies = dict.fromkeys(
            ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"),
            "http://proxy.invalid:3128",
        )
        self.env = environment(CONNECTIONS=str(self._file), **proxies)

    @property
    def addresses(self) -> set[tuple[str, int]]:
        """Host and port of each, once."""
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else ""
        return {tuple(ast.literal_eval(line)[:2]) for line in text.splitlines()}

    async def complete(self, session: Editor) -> str:
        """Open a file of this folder and ask for a completion."""
        file = self.folder / "app.py"
        file.write_text(SOURCE, encoding="utf-8")
        session.open(file.as_uri(), SOURCE)
        return await session.text(file.as_uri(), 1, 11)


@pytest.fixture
def watched(home: Path, tmp_path: Path) -> Watched:
    """A server under watch in an empty home."""
    assert home.is_dir()
    return Watched(tmp_path)


@pytest.fixture
def local() -> Iterator[ModelServer]:
    """A local model that is sure."""
    with serving(ModelServer()) as server:
        yield server


@pytest.fixture
def org() -> Iterator[ModelServer]:
    """The organisation's server."""
    with serving(ModelServer(text="b + a\n")) as server:
        yield server


async def test_with_no_organisation_only_the_local_tier_is_reached(
    watched: Watched, local: ModelServer
) -> None:
    """No proxy, no name looked up, no other address."""
    options = {"local": {"provider": "openai", "url": local.url}}
    async with editor(SERVE, watched.env, options=options) as session:
        assert await watched.complete(session) == "a + b"
    assert watched.addresses == {("127.0.0.1", local.port)}


async def test_a_sure_answer_sends_nothing_to_the_organisation(
    watched: Watched, local: ModelServer, org: ModelServer
) -> None:
    """The organisation's server is asked what it can do, never with code."""
    options = {"local": {"provider": "openai", "url": local.url}, "org": {"url": org.url}}
    async with editor(SERVE, watched.env, options=options) as session:
        assert await watched.complete(session) == "a + b"
    assert {method for method, _ in org.asked} <= {"GET"}
    assert watched.addresses <= {("127.0.0.1", local.port), ("127.0.0.1", org.port)}


async def test_an_unsure_answer_goes_to_the_organisation_only(
    watched: Watched, local: ModelServer, org: ModelServer
) -> None:
    """Two addresses, both configured."""
    local.logprob = -3.0
    options = {"local": {"provider": "openai", "url": local.url}, "org": {"url": org.url}}
    async with editor(SERVE, watched.env, options=options) as session:
        assert await watched.complete(session) == "b + a"
    assert ("POST", "/v1/completions") in org.asked
    assert watched.addresses == {("127.0.0.1", local.port), ("127.0.0.1", org.port)}


async def test_a_redirect_of_the_organisation_is_not_followed(
    watched: Watched, local: ModelServer, org: ModelServer
) -> None:
    """An address that is not the configured one is not reached, and the local answer is shown."""
    local.logprob = -3.0
    with serving(ModelServer()) as elsewhere:
        org.redirect = f"{elsewhere.url}/completions"
        options = {"local": {"provider": "openai", "url": local.url}, "org": {"url": org.url}}
        async with editor(SERVE, watched.env, options=options) as session:
            assert await watched.complete(session) == "a + b"
            assert len(session.shown) == 1
        assert elsewhere.asked == []
        assert ("127.0.0.1", elsewhere.port) not in watched.addresses


@pytest.mark.engine
@pytest.mark.usefixtures("engine_home")
async def test_the_embedded_engine_stays_on_this_machine(watched: Watched) -> None:
    """With the weights there and nothing configured, every address is loopback."""
    engine = environment(**{name: watched.env[name] for name in ("CONNECTIONS", "HTTP_PROXY")})
    options = {"local": {"provider": "auto"}, "limits": {"local_deadline_ms": 120_000}}
    async with editor(SERVE, engine, options=options) as session:
        assert await watched.complete(session)
    assert watched.addresses
    assert {host for host, _ in watched.addresses} <= {"127.0.0.1", "::1"}


async def test_the_watch_sees_a_server_that_connects_elsewhere(
    connections: Connections, tmp_path: Path
) -> None:
    """The watch over every test here can fail: it tells any address, and any name looked up."""
    program = (
        "import contextlib, socket\n"
        "with contextlib.suppress(OSError): socket.create_connection(('127.0.0.2', 9), 0.1)\n"
        "with contextlib.suppress(OSError): socket.getaddrinfo('name.invalid', 443)\n"
    )
    file = tmp_path / "wanted.py"
    file.write_text(program, encoding="utf-8")
    ended = await asyncio.create_subprocess_exec(sys.executable, file, env=environment())
    assert await ended.wait() == 0
    assert set(connections.new()) >= {("127.0.0.2", 9), ("name.invalid", 443)}

"""`synconfroute serve` with the real embedded model, the real parsers, and a real second server."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio
from lsprotocol import types

from synconfroute.clients import engine
from synconfroute.server.places import ledger_folder
from tests.clients.engine import conftest as engine_fixtures
from tests.e2e.editor import ROOT, SECONDS, SERVE, Editor, editor, environment, until
from tests.ledger_lines import lines_in

pytestmark = [pytest.mark.engine, pytest.mark.asyncio(loop_scope="module")]

libraries = engine_fixtures.libraries
shared_engine = engine_fixtures.shared_engine
starter_weights = engine_fixtures.starter_weights

KEY = "sk-of-the-test"
PATIENT = {"local_deadline_ms": 120_000, "validation_ms": 10_000}
ADD = 'def add(a, b):\n    """Return the sum of a and b."""\n    return \n\n\nprint(add(1, 2))\n'


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def session(shared_engine: Path) -> AsyncIterator[Editor]:
    """An editor with the real server."""
    options = {"local": {"provider": "embedded"}, "limits": PATIENT, "provenance": True}
    async with editor(SERVE, environment(), options=options) as one:
        yield one


async def complete(session: Editor, uri: str, text: str, language: str, line: int) -> Any:
    """Ask at the end of a line; the item's text (or None) and the provenance."""
    session.open(uri, text, language)
    known = len(session.provenance)
    column = len(text.split("\n")[line])
    answer = await asyncio.wait_for(session.begin(uri, line, column), 120)
    session.close(uri)
    assert answer is not None
    await until(lambda: len(session.provenance) > known, "the provenance")
    shown = answer.items[0].insert_text if answer.items else None
    return shown, session.provenance[-1]


@pytest.mark.parametrize(
    ("example", "language", "line"),
    [
        ("python/parity.py", "python", 10),
        ("java/Orders.java", "java", 9),
        ("cpp/stack.cpp", "cpp", 14),
    ],
)
async def test_ghost_text(session: Editor, example: str, language: str, line: int) -> None:
    """In the three languages: the embedded model's text, judged by the parser, portable."""
    file = ROOT / "examples" / example
    shown, made = await complete(
        session, file.as_uri(), file.read_text(encoding="utf-8"), language, line
    )
    assert shown
    assert "\n" not in shown
    assert (made.tier, made.provider, made.model) == ("local", "embedded", "smollm2")
    assert made.verdict == "valid"
    assert 0 < made.confidence <= 1
    assert made.timings_ms.total > 0
    assert session.shown == []


async def test_a_cancelled_generation_leaves_the_engine_usable(session: Editor) -> None:
    """Cancelled ten times in a row at once, then asked again."""
    session.open("file:///work/a.py", ADD)
    for number in range(10):
        answer = session.begin("file:///work/a.py", 2, 11, name=f"cancelled {number}")
        await asyncio.sleep(0.01 * number)
        session.client.cancel_request(types.CancelParams(f"cancelled {number}"))
        await asyncio.wait({answer}, timeout=SECONDS)
        assert answer.done()
        answer.exception()
    session.close("file:///work/a.py")
    shown, _ = await complete(session, "file:///work/a.py", ADD, "python", 2)
    assert shown


async def test_the_engine_killed_in_mid_request(session: Editor) -> None:
    """That request is answered, the user is told at most once, and the next one works."""
    await complete(session, "file:///work/a.py", ADD, "python", 2)
    before = len(session.shown)
    pid = engine.status().pid
    assert pid is not None
    halted = psutil.Process(pid)
    halted.suspend()  # so that the request is surely still running when the engine dies
    asked = asyncio.ensure_future(complete(session, "file:///work/b.py", ADD, "python", 2))
    await asyncio.wait({asked}, timeout=0.5)
    assert not asked.done()
    halted.kill()
    await asyncio.wait_for(asked, 120)
    shown, made = await complete(session, "file:///work/c.py", ADD, "python", 2)
    assert shown
    assert made.tier == "local"
    assert len(session.shown) <= before + 1
    assert engine.status().pid != pid


async def test_the_parser_killed_in_mid_request(session: Editor) -> None:
    """A new parser judges the text, nothing is said, and the next one is judged as well."""
    await complete(session, "file:///work/d.py", ADD, "python", 2)
    before = list(session.shown)
    (parser,) = parsers(session)
    parser.suspend()  # so that the verdict is surely still awaited when the parser dies
    asked = asyncio.ensure_future(complete(session, "file:///work/e.py", ADD, "python", 2))
    await asyncio.wait({asked}, timeout=2)
    assert not asked.done()
    parser.kill()
    shown, made = await asyncio.wait_for(asked, 120)
    assert shown
    assert made.verdict == "valid"
    shown, made = await complete(session, "file:///work/f.py", ADD, "python", 2)
    assert shown
    assert made.verdict == "valid"
    assert session.shown == before


def parsers(session: Editor) -> list[psutil.Process]:
    """The server's parser processes."""
    server = session.client._server
    assert server is not None
    children = psutil.Process(server.pid).children()
    return [child for child in children if any("validators" in part for part in child.cmdline())]


@pytest.fixture
def org(shared_engine: Path) -> "Iterator[tuple[str, subprocess.Popen[str]]]":
    """A second llama.cpp server, with a key, as the organisation's: its address and process."""
    weights = str(engine.resolve(""))
    command = [sys.executable, str(Path(__file__).with_name("org_server.py")), weights, KEY]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip() + "/v1", process
        process.kill()


def escalating(url: str) -> dict[str, Any]:
    """Options with which everything goes to the organisation's server."""
    return {
        "local": {"provider": "embedded"},
        "org": {"url": url},
        "router": {"threshold": 1.01},
        "escalation": {"deadline_ms": 60_000},
        "limits": PATIENT,
        "provenance": True,
    }


def ledger() -> list[dict[str, Any]]:
    """A line for each request that left, of every process."""
    return lines_in(ledger_folder().glob("*.jsonl"), "sent")


async def test_escalation_to_a_second_server(org: "tuple[str, subprocess.Popen[str]]") -> None:
    """The organisation's answer is shown, and the ledger says beforehand what left and why."""
    url, process = org
    before = len(ledger())
    env = environment(SYNCONFROUTE_ORG_API_KEY=KEY)
    async with editor(SERVE, env, options=escalating(url)) as session:
        shown, made = await complete(session, "file:///work/sum.py", ADD, "python", 2)
        assert shown
        assert (made.tier, made.provider, made.reason) == ("org", "org", "low_confidence")
        assert made.verdict in {"valid", "unknown"}
        assert made.timings_ms.org_sent < made.timings_ms.org
        (entry,) = ledger()[before:]
        assert entry["request_id"] == made.request_id
        assert entry["reason"] == "low_confidence"
        assert entry["language"] == "python"
        assert entry["server"] == url
        assert entry["bytes"] > 0
        assert Path(entry["path"]).name == "sum.py"
        assert "Return the sum" not in json.dumps(entry)
        assert session.shown == []

        shown, made = await complete(session, "untitled:Untitled-1", ADD, "python", 2)
        assert made.tier == "local"
        assert len(ledger()) == before + 1

        halted = psutil.Process(process.pid)
        halted.suspend()  # so that it surely dies with the request on its way
        asked = asyncio.ensure_future(complete(session, "file:///work/a.py", ADD, "python", 2))
        await asyncio.wait({asked}, timeout=1)
        assert not asked.done()
        halted.kill()
        shown, made = await asyncio.wait_for(asked, 120)
        assert shown
        assert made.tier == "local"
        shown, made = await complete(session, "file:///work/b.py", ADD, "python", 2)
        assert shown
        assert made.tier == "local"
        assert len(session.shown) <= 1


async def test_a_key_that_the_server_refuses(org: "tuple[str, subprocess.Popen[str]]") -> None:
    """The local answer is shown, one sentence says what is wrong, and the key is nowhere in it."""
    url, _ = org
    env = environment(SYNCONFROUTE_ORG_API_KEY="sk-wrong")
    async with editor(SERVE, env, options=escalating(url)) as session:
        for name in ("a", "b"):
            shown, made = await complete(session, f"file:///work/{name}.py", ADD, "python", 2)
            assert shown
            assert made.tier == "local"
        assert len(session.shown) == 1
        assert "sk-wrong" not in session.shown[0]

"""Several editors on one port: each with a session of its own, none harmed by another."""

import asyncio
import contextlib
import socket
import sys
from pathlib import Path

import pytest

from synconfroute.server.command.main import run
from tests.e2e.conftest import Listening
from tests.e2e.editor import SECONDS, SERVE, editor, environment, homes, until

URI = "file:///work/a.py"
TOLD_TO_END = 1 if sys.platform == "win32" else 0
"""The exit code; Windows knows no request to end that a process could hear."""


@pytest.fixture
def scripted(listening: Listening) -> Listening:
    """The server of this module, which nothing happened in yet."""
    listening.forget_events()
    return listening


async def test_sessions_have_documents_of_their_own(scripted: Listening) -> None:
    """The same file differs from editor to editor; one that leaves takes nothing along."""
    async with scripted.session() as one:
        one.open(URI, "one")
        async with scripted.session(encodings=["utf-8"]) as other:
            other.open(URI, "other")
            assert await other.text(URI, 0, 5) == "<other|>\n0"
            assert await one.text(URI, 0, 3) == "<one|>\n0"
        assert await one.text(URI, 0, 3) == "<one|>\n0"
        assert one.initialized.capabilities.position_encoding == "utf-16"


async def test_a_session_runs_beside_another(scripted: Listening) -> None:
    """Turns are taken within a session; switching off is one session's own."""
    async with scripted.session() as one, scripted.session() as other:
        one.open(URI, "slow")
        other.open(URI, "fast")
        running = one.begin(URI, 0, 4)
        await until(lambda: "start slow" in scripted.events(), "the start")
        assert await other.text(URI, 0, 4) == "<fast|>\n0"
        await other.command("synconfroute.toggle")
        assert not running.done()
        one.close(URI)
        assert await asyncio.wait_for(running, SECONDS) is None


async def test_an_editor_that_breaks_off_is_forgotten(scripted: Listening) -> None:
    """Its model stream is closed; the others go on."""
    async with scripted.session() as other:
        other.open(URI, "fast")
        with contextlib.suppress(ConnectionAbortedError):
            async with scripted.session() as leaving:
                leaving.open(URI, "slow")
                leaving.begin(URI, 0, 4)
                await until(lambda: "start slow" in scripted.events(), "the start")
                writer = leaving.client.protocol.writer
                assert isinstance(writer, asyncio.StreamWriter)
                writer.transport.abort()
                await until(lambda: "end slow" in scripted.events(), "the end")
                raise ConnectionAbortedError
        await until(lambda: "closed " in scripted.events(), "the end of its session")
        assert await other.text(URI, 0, 4) == "<fast|>\n0"


@pytest.mark.parametrize(
    "said",
    [
        b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n{}",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03",
        b"GET ",
    ],
)
async def test_what_does_not_begin_like_lsp_is_closed(scripted: Listening, said: bytes) -> None:
    """A web page can make a browser say something to any port."""
    reader, writer = await asyncio.open_connection("127.0.0.1", scripted.port)
    writer.write(said + b" " * 16)
    assert await asyncio.wait_for(reader.read(), SECONDS) == b""
    writer.close()
    async with scripted.session() as session:
        session.open(URI, "x")
        assert await session.text(URI, 0, 1) == "<x|>\n0"


@pytest.mark.usefixtures("home")
async def test_the_real_server_lets_no_client_say_where_code_goes(tmp_path: Path) -> None:
    """Over TCP anybody on the machine may be the editor; what is harmless holds."""
    process = await asyncio.create_subprocess_exec(
        *SERVE,
        "--tcp",
        "127.0.0.1:0",
        "--log-file",
        str(tmp_path / "log"),
        env=environment(**homes(str(tmp_path))),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), SECONDS)
    port = int(line.decode().rpartition(":")[2].rstrip().rstrip("."))
    options = {
        "org": {"url": "https://elsewhere.example", "api_key": "k"},
        "limits.lines": "multi",
        "escalation.enabled": False,
        "log.file": "/elsewhere",
    }
    async with editor(SERVE, {}, port=port, options=options) as session:
        await until(lambda: len(session.shown) >= 3, "three sentences")
        shown = sorted(sentence.partition(" ")[0] for sentence in session.shown)
        assert shown == ["log.file", "org.api_key", "org.url"]
        assert (await session.command("synconfroute.digest", URI)) is None
    process.terminate()
    assert await asyncio.wait_for(process.wait(), SECONDS) == TOLD_TO_END


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("0.0.0.0:0", "add --allow-remote."),
        ("example.org:80", "add --allow-remote."),
        ("127.0.0.1", "give HOST:PORT"),
        ("127.0.0.1:99999", "give HOST:PORT"),
    ],
)
@pytest.mark.usefixtures("home")
def test_other_machines_reach_it_only_where_the_user_says_so(
    address: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong usage, in one sentence."""
    assert run(["serve", "--tcp", address]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err
    assert said.err.count("\n") == 1


@pytest.mark.usefixtures("home")
def test_a_port_that_is_taken_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one sentence, too."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        address = f"127.0.0.1:{port}"
        assert run(["serve", "--tcp", address, "--log-file", str(tmp_path / "log")]) == 2
    assert capsys.readouterr().err.endswith(f"Nothing can listen on {address}.\n")


def test_the_process_ends_when_it_is_told_to(listening: Listening, tmp_path: Path) -> None:
    """With 0, also with a connection open."""
    one = Listening(tmp_path)
    with socket.create_connection(("127.0.0.1", one.port)):
        code = one.end()
    assert code == TOLD_TO_END
    assert listening.process.poll() is None

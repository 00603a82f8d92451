"""The way to a server: certificates, proxies, keys, and never another address. On real sockets."""

import asyncio
import os
import ssl
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme

from synconfroute.clients.connection import Connection
from synconfroute.clients.faults import Peer
from synconfroute.clients.keys import KeptKey, from_file, from_keyring
from synconfroute.clients.model import GenerationRequest, State, TextPrompt
from synconfroute.clients.openai import OpenAICompatible
from synconfroute.clients.transport import Transport
from synconfroute.errors import KeyRefused, ModelServerError, RequestRefused, ServerUnreachable
from tests.clients.replay import ReplayServer, clear_proxies, scripted

PEER = Peer("The model server", "https://somewhere")
ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n"
    b'{"version": "1"}'
)
Refuses = type[Exception]


class TlsServer:
    """Answers every request over TLS."""

    def __init__(self, port: int, seen: list[bytes]) -> None:
        self.port = port
        self.seen = seen


@asynccontextmanager
async def tls_server(context: ssl.SSLContext) -> AsyncIterator[TlsServer]:
    """A server with this context, on this machine; `seen` are the heads of its requests."""
    seen: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            seen.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(ANSWER)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield TlsServer(server.sockets[0].getsockname()[1], seen)


class Proxy:
    """What a CONNECT proxy was asked for."""

    def __init__(self, port: int, asked: list[str]) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.asked = asked


@asynccontextmanager
async def connect_proxy(to_port: int) -> AsyncIterator[Proxy]:
    """A proxy that tunnels every CONNECT to a port of this machine, whatever name it is for."""
    asked: list[str] = []
    running: set[asyncio.Task[None]] = set()

    async def pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(head.split("\r\n")[0])
        there, back = await asyncio.open_connection("127.0.0.1", to_port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        for task in (pump(reader, back), pump(there, writer)):
            running.add(asyncio.ensure_future(task))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield Proxy(server.sockets[0].getsockname()[1], asked)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


class Authority:
    """An organisation's authority, and files that it signed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ca = trustme.CA()
        self.file = self._write("ca.pem", self._ca.cert_pem.bytes())

    def server(self, *names: str, wants_client: bool = False) -> ssl.SSLContext:
        """The context of a server with these names."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._ca.issue_cert(*names).configure_cert(context)
        if wants_client:
            context.verify_mode = ssl.CERT_REQUIRED
            self._ca.configure_trust(context)
        return context

    def client(self) -> tuple[str, str]:
        """Files with a client certificate and its key."""
        issued = self._ca.issue_cert("developer@example.org")
        chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
        return self._write("client.pem", chain), self._write(
            "client.key", issued.private_key_pem.bytes()
        )

    def _write(self, name: str, content: bytes) -> str:
        file = self._folder / name
        file.write_bytes(content)
        file.chmod(0o600)
        return str(file)


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """An authority that this machine does not know, and no proxies."""
    for name in clear_proxies():
        monkeypatch.delenv(name)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path.replace("~", str(tmp_path)))
    return Authority(tmp_path)


async def _version(url: str, transport: Transport, key: KeptKey | None = None) -> str:
    connection = Connection(url, transport=transport, key=key)
    try:
        return str((await connection.ask_json(PEER, "/version", seconds=20))["version"])
    finally:
        await connection.aclose()


async def test_an_unknown_authority_is_not_believed(authority: Authority) -> None:
    """The operating system's store decides, and the sentence says what to do."""
    async with tls_server(authority.server("127.0.0.1")) as server:
        with pytest.raises(ServerUnreachable, match="is not trusted"):
            await _version(f"https://127.0.0.1:{server.port}", Transport())
        assert server.seen == []


async def test_the_authority_of_a_file_is_believed_and_only_that(
    authority: Authority, tmp_path: Path
) -> None:
    """One's own authority, without the public ones."""
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other")
    async with tls_server(authority.server("127.0.0.1")) as server:
        url = f"https://127.0.0.1:{server.port}"
        assert await _version(url, Transport(ca_file=authority.file)) == "1"
        with pytest.raises(ServerUnreachable, match="is not trusted"):
            await _version(url, Transport(ca_file=other.file))


async def test_the_file_of_the_environment_is_believed_beside_the_systems_store(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SSL_CERT_FILE, as other programs heed it."""
    monkeypatch.setenv("SSL_CERT_FILE", authority.file)
    async with tls_server(authority.server("127.0.0.1")) as server:
        assert await _version(f"https://127.0.0.1:{server.port}", Transport()) == "1"


async def test_a_certificate_for_another_name_is_not_believed(authority: Authority) -> None:
    """Signed by the right authority, and for somebody else."""
    async with tls_server(authority.server("models.example.org")) as server:
        with pytest.raises(ServerUnreachable):
            await _version(f"https://127.0.0.1:{server.port}", Transport(ca_file=authority.file))
        assert server.seen == []


async def test_a_client_certificate_is_shown_where_the_server_demands_one(
    authority: Authority,
) -> None:
    """With it the server answers, without it there is an error in one sentence."""
    certificate, key = authority.client()
    async with tls_server(authority.server("127.0.0.1", wants_client=True)) as server:
        url = f"https://127.0.0.1:{server.port}"
        with pytest.raises(ModelServerError):
            await _version(url, Transport(ca_file=authority.file))
        assert server.seen == []
        way = Transport(authority.file, client_certificate=certificate, client_key=key)
        assert await _version(url, way) == "1"


@pytest.mark.parametrize("wrong", ["missing", "no certificate"])
async def test_files_that_cannot_be_used_are_one_sentence(
    authority: Authority, tmp_path: Path, wrong: str
) -> None:
    """Before anything is sent."""
    file = tmp_path / "wrong.pem"
    if wrong != "missing":
        file.write_text("nothing")
        file.chmod(0o600)
    for way in (
        Transport(ca_file=str(file)),
        Transport(ca_file=authority.file, client_certificate=str(file)),
    ):
        with pytest.raises(RequestRefused, match=r"wrong\.pem") as caught:
            await _version("https://127.0.0.1:9", way)
        assert str(caught.value).endswith(".")


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
async def test_a_client_key_that_others_may_read_is_not_used(authority: Authority) -> None:
    """Like any other key in a file."""
    certificate, key = authority.client()
    os.chmod(key, 0o640)
    way = Transport(authority.file, client_certificate=certificate, client_key=key)
    with pytest.raises(RequestRefused, match="chmod 600"):
        await _version("https://127.0.0.1:9", way)


async def test_a_proxy_tunnels_and_the_certificate_is_still_the_servers(
    authority: Authority,
) -> None:
    """CONNECT names the server; what the tunnel carries the proxy cannot read."""
    async with (
        tls_server(authority.server("models.example.org")) as server,
        connect_proxy(server.port) as proxy,
    ):
        way = Transport(ca_file=authority.file, proxy=proxy.url)
        assert await _version("https://models.example.org", way) == "1"
        assert proxy.asked == ["CONNECT models.example.org:443 HTTP/1.1"]
        with pytest.raises(ServerUnreachable):
            await _version("https://other.example.org", way)


async def test_the_environments_proxy_is_used_where_none_is_set(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HTTPS_PROXY, in either spelling."""
    async with (
        tls_server(authority.server("models.example.org")) as server,
        connect_proxy(server.port) as proxy,
    ):
        monkeypatch.setenv("https_proxy", proxy.url)
        way = Transport(ca_file=authority.file)
        assert await _version("https://models.example.org", way) == "1"
        assert len(proxy.asked) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_this_machine_is_never_reached_by_a_proxy(authority: Authority, host: str) -> None:
    """Whatever is set."""
    async with (
        tls_server(authority.server(host)) as server,
        connect_proxy(server.port) as proxy,
    ):
        way = Transport(ca_file=authority.file, proxy=proxy.url)
        assert await _version(f"https://{host}:{server.port}", way) == "1"
        assert proxy.asked == []


@pytest.mark.parametrize(
    ("no_proxy", "host", "direct"),
    [
        ("example.org", "example.org", True),
        ("example.org", "models.example.org", True),
        (".example.org", "models.example.org", True),
        ("*.example.org", "MODELS.example.org", True),
        ("a.example, example.org", "models.example.org", True),
        ("*", "anything.example", True),
        ("10.0.0.1", "10.0.0.1", True),
        ("example.org", "notexample.org", False),
        ("example.org", "example.org.evil.example", False),
        ("", "example.org", False),
        (" , ", "example.org", False),
    ],
)
def test_no_proxy_names_hosts_and_domains(no_proxy: str, host: str, direct: bool) -> None:
    """Whole names from the right, as every other program reads it."""
    way = Transport(proxy="http://proxy.example:3128", no_proxy=no_proxy)
    assert way.proxy_to(f"https://{host}/v1") == (
        (None, False) if direct else ("http://proxy.example:3128", False)
    )


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_is_followed_neither_by_a_request_nor_by_a_probe(status: int) -> None:
    """Also those that would send the body again; the other server hears nothing."""
    async with ReplayServer({}) as elsewhere:
        away = scripted(b"", status=status, headers={"Location": f"{elsewhere.url}/v1/completions"})
        routes = {"POST /v1/completions": away, "GET /v1/models": away}
        async with ReplayServer(routes) as server:
            client = OpenAICompatible(server.url, "m", api_key="key-of-the-organisation")
            with pytest.raises(RequestRefused, match="redirects to another address"):
                await client.stream(GenerationRequest(TextPrompt("code"), max_tokens=1))
            probe = await client.probe()
            await client.aclose()
        assert not probe.ready
        assert "redirects to another address" in probe.message
        assert elsewhere.connections == 0


async def test_plain_http_to_another_machine_is_refused_before_any_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not even its name is looked up."""
    looked_up: list[object] = []
    monkeypatch.setattr("socket.getaddrinfo", lambda *names, **_: looked_up.append(names))
    client = OpenAICompatible("http://models.example.org/v1", transport=Transport(plain_http=False))
    with pytest.raises(RequestRefused, match="plain http"):
        await client.stream(GenerationRequest(TextPrompt("code"), max_tokens=1))
    assert (await client.probe()).state is State.NOT_A_SERVER
    await client.aclose()
    assert looked_up == []
    async with ReplayServer({"GET /version": scripted(b'{"version": "1"}')}) as server:
        assert await _version(server.url, Transport(plain_http=False)) == "1"


async def test_no_path_leads_to_another_host() -> None:
    """What is appended to the address cannot change whose it is."""
    async with ReplayServer({}) as server:
        connection = Connection(server.url)
        with pytest.raises(ModelServerError):
            await connection.ask(PEER, "@evil.example/version", seconds=5)
        await connection.aclose()
        assert server.connections == 0


@pytest.fixture
def key_file(tmp_path: Path, authority: Authority) -> Path:
    """A file with a key, as it should be."""
    assert authority.file
    file = tmp_path / "key"
    file.write_text("sk-first\n")
    file.chmod(0o600)
    return file


async def test_a_key_is_read_from_its_file_and_anew_after_it_was_refused(key_file: Path) -> None:
    """A new key in the file heals without a restart."""
    answers = [scripted(b"", status=401), scripted(b'{"version": "1"}')]
    async with ReplayServer({"GET /version": answers}) as server:
        connection = Connection(server.url, key=KeptKey(lambda: from_file(str(key_file))))
        with pytest.raises(KeyRefused):
            await connection.ask_json(PEER, "/version", seconds=20)
        await asyncio.to_thread(key_file.write_text, "sk-second")
        assert (await connection.ask_json(PEER, "/version", seconds=20))["version"] == "1"
        await connection.aclose()
        sent = [request.headers["authorization"] for request in server.received]
    assert sent == ["Bearer sk-first", "Bearer sk-second"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o602, 0o666])
async def test_a_key_that_others_may_read_is_not_read(key_file: Path, mode: int) -> None:
    """One sentence with the command that mends it, and nothing is sent."""
    await asyncio.to_thread(key_file.chmod, mode)
    async with ReplayServer({}) as server:
        with pytest.raises(KeyRefused, match=f"chmod 600 {key_file}"):
            await _version(server.url, Transport(), KeptKey(lambda: from_file(str(key_file))))
        assert server.connections == 0


@pytest.mark.parametrize("content", [b"", b"\n", b"two words", b"\xff\xfe", b"a\nb"])
def test_a_file_that_holds_no_key_is_one_sentence(key_file: Path, content: bytes) -> None:
    """And what stands in it is not in the sentence."""
    key_file.write_bytes(content)
    with pytest.raises(KeyRefused, match="holds no key"):
        from_file(str(key_file))


def test_a_folder_or_nothing_in_place_of_a_key_is_one_sentence(tmp_path: Path) -> None:
    """The path is named."""
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(KeyRefused, match="correct the path"):
            from_file(str(path))


@pytest.fixture
def keyring_of() -> Callable[[dict[tuple[str, str], str]], None]:
    """Gives the package `keyring` a keyring with these entries, in memory."""
    keyring = pytest.importorskip("keyring")
    backend = pytest.importorskip("keyring.backend")

    class Memory(backend.KeyringBackend):  # type: ignore[misc,name-defined]
        priority = 1
        entries: dict[tuple[str, str], str] = {}  # noqa: RUF012 - one keyring

        def get_password(self, service: str, username: str) -> str | None:
            return self.entries.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.entries[service, username] = password

    def use(entries: dict[tuple[str, str], str]) -> None:
        memory = Memory()
        memory.entries = entries
        keyring.set_keyring(memory)

    return use


async def test_a_key_is_read_from_the_keyring(
    keyring_of: Callable[[dict[tuple[str, str], str]], None],
) -> None:
    """By service and user."""
    keyring_of({("synconfroute", "me"): "sk-kept"})
    async with ReplayServer({"GET /version": scripted(b'{"version": "1"}')}) as server:
        key = KeptKey(lambda: from_keyring("synconfroute/me"))
        assert await _version(server.url, Transport(), key) == "1"
        assert server.received[0].headers["authorization"] == "Bearer sk-kept"


def test_a_missing_entry_of_the_keyring_is_one_sentence(
    keyring_of: Callable[[dict[tuple[str, str], str]], None],
) -> None:
    """With the command that stores it."""
    keyring_of({})
    with pytest.raises(KeyRefused, match="keyring set synconfroute me"):
        from_keyring("synconfroute/me")


def test_without_the_package_the_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is an extra."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(KeyRefused, match=r"synconfroute\[keyring\]"):
        from_keyring("synconfroute/me")


def test_a_kept_key_is_never_shown(key_file: Path) -> None:
    """Neither by itself nor by the connection that uses it."""
    key = KeptKey(lambda: from_file(str(key_file)))
    asyncio.run(key.get())
    assert "sk-first" not in f"{key!r} {Connection('https://h', key=key)!r}"

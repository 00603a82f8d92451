"""GCC's OpenMP runtime on machines that lack it."""

import hashlib
import sys
from pathlib import Path

import pytest

from synconfroute.clients.engine import openmp
from synconfroute.clients.engine.folders import libraries_folder
from synconfroute.errors import WeightsDamaged
from tests.clients.engine import test_pull
from tests.clients.engine.test_pull import FileServer, serve_wheel

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only the wheel for Linux expects the system's OpenMP"
)
server = test_pull.server
NAME = b"libgomp-0123abcd.so.1.0.0"
LIBRARY = b"\x7fELF an OpenMP runtime named\0" + NAME + b"\0and so on"
WHEEL = "pykdtree-1.4.3-cp311-cp311-manylinux2014_x86_64.whl"


@pytest.fixture
def bare(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without the runtime, and the folder that one would be fetched to."""
    assert home.is_dir()
    monkeypatch.setattr(openmp, "_on_system", lambda: False)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    return libraries_folder()


def serve(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pip find the wheel that carries the runtime."""
    member = "pykdtree.libs/libgomp-0123abcd.so.1.0.0"
    serve_wheel(server, monkeypatch, WHEEL, member, LIBRARY)


def test_it_is_fetched_verified_and_named_as_it_is_asked_for(
    bare: Path, tmp_path: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the wheel it has a private name; the loader looks for `libgomp.so.1`."""
    digest = hashlib.sha256(LIBRARY).hexdigest()
    monkeypatch.setattr(openmp, "_SHA256", {"x86_64": digest})
    serve(server, monkeypatch)
    assert openmp.openmp_missing()
    openmp.fetch_openmp(tmp_path)
    named = b"libgomp.so.1".ljust(len(NAME), b"\0")
    assert (bare / "libgomp.so.1").read_bytes() == LIBRARY.replace(NAME, named)
    assert not openmp.openmp_missing()


def test_another_library_from_the_index_is_refused(
    bare: Path, tmp_path: Path, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library is code: one that is not the expected file is never loaded."""
    serve(server, monkeypatch)
    with pytest.raises(WeightsDamaged, match="OpenMP"):
        openmp.fetch_openmp(tmp_path)
    assert openmp.openmp_missing()
    assert list(bare.iterdir()) == []


def test_a_machine_that_has_it_fetches_nothing(home: Path, tmp_path: Path) -> None:
    """Nothing is asked of pip."""
    assert home.is_dir()
    if openmp.openmp_missing():
        pytest.skip("this machine lacks GCC's OpenMP runtime")
    folder = tmp_path / "empty"
    folder.mkdir()
    openmp.fetch_openmp(folder)
    assert list(folder.iterdir()) == []
    openmp.load_openmp()

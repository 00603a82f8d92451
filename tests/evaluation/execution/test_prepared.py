"""What compilers need not read again: made once, whole, or not at all."""

import os
import shutil
from pathlib import Path

import pytest

from synconfroute.evaluation.execution import judge, prepared
from synconfroute.evaluation.execution.prepared import headers
from synconfroute.evaluation.execution.process import Processes
from synconfroute.evaluation.execution.walls import strongest
from synconfroute.server.places import prepared_folder
from tests.evaluation.execution.tasks import answers

posix = pytest.mark.skipif(os.name != "posix", reason="a shell stands in for the compiler")


class Compiler:
    """A shell that writes a header as a compiler would, and counts."""

    def __init__(self, folder: Path, *, exit_code: int = 0) -> None:
        self._log = folder / "log"
        script = folder / "compiler"
        script.write_text(f'echo 1 >> "{self._log}"\necho header > "$5"\nexit {exit_code}\n')
        self.command = ["/bin/sh", str(script)]

    @property
    def calls(self) -> int:
        """How often it was called."""
        return len(self._log.read_text().split()) if self._log.exists() else 0

    def headers(self, version: str = "1") -> Path | None:
        """What is prepared, in a process that has not looked yet."""
        prepared._READY.clear()
        return headers(self.command, version, Processes("limits"))


@posix
def test_made_once_for_a_version(home: Path, tmp_path: Path) -> None:
    """It is found again; another version of the compiler has its own."""
    compiler = Compiler(tmp_path)
    first = compiler.headers()
    assert first is not None
    assert (first / "bits" / "stdc++.h.gch").read_text() == "header\n"
    assert compiler.headers() == first
    assert compiler.calls == 1
    assert compiler.headers("2") not in {first, None}


@posix
@pytest.mark.parametrize("damage", ["half", "gone", "unlisted"])
def test_a_damaged_one_is_made_anew(home: Path, tmp_path: Path, damage: str) -> None:
    """Half a header would be an error in each program."""
    compiler = Compiler(tmp_path)
    folder = compiler.headers()
    assert folder is not None
    header = folder / "bits" / "stdc++.h.gch"
    if damage == "half":
        header.write_text("hea")
    else:
        (header if damage == "gone" else folder / "sizes.json").unlink()
    assert compiler.headers() == folder
    assert header.read_text() == "header\n"
    assert compiler.calls == 2


@posix
def test_what_cannot_be_made_is_done_without(home: Path, tmp_path: Path) -> None:
    """The compiler fails, or the cache cannot be written: nothing is prepared, or left behind."""
    compiler = Compiler(tmp_path, exit_code=1)
    assert compiler.headers() is None
    assert list(prepared_folder().iterdir()) == []
    shutil.rmtree(prepared_folder())
    prepared_folder().write_text("a file where the folder goes")
    assert Compiler(tmp_path).headers() is None


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_a_program_that_includes_the_whole_library() -> None:
    """It is compiled with what is prepared, and means the same."""
    prepared._READY.clear()
    source = "#include <bits/stdc++.h>\nint main() { std::cout << std::gcd(12, 18); }\n"
    (result,) = judge([(answers("cpp", ("", ("6",))), source)], cache=False)
    assert result.outcome == "passed"
    if strongest() == "bubblewrap":
        assert any(prepared._READY.values())

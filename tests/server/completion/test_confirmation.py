"""The confirmation by g++: what it may change, and what a stranger's files cannot make it do."""

import asyncio
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import pytest

from synconfroute.server.completion.compile_commands import Flags, flags_of
from synconfroute.server.completion.confirmation import Confirmation, reads_elsewhere
from synconfroute.server.completion.hole import Hole
from synconfroute.validators import Outcome, Verdict, unknown

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")

INVALID = Verdict(Outcome.INVALID, "line 1: invalid syntax")
UNSURE = unknown("nobody knows")


def _hole(path: Path | None = None, prefix: str = "", **changes: Any) -> Hole:
    name = None if path is None else str(path)
    fields = {"language": "cpp", "prefix": f"{prefix}int f() {{\n  ", "suffix": "\n}\n"}
    return Hole(**{**fields, "path": name, **changes})


def _commands(folder: Path, file: Path, arguments: list[str] | str) -> None:
    entry: dict[str, Any] = {"directory": str(folder), "file": str(file)}
    entry["arguments" if isinstance(arguments, list) else "command"] = arguments
    (folder / "compile_commands.json").write_text(json.dumps([{"file": "other.cpp"}, entry]))


@pytest.mark.parametrize("verdict", [INVALID, UNSURE])
async def test_what_compiles_is_valid(verdict: Verdict) -> None:
    """A yes overrules; a no leaves what the parser said."""
    confirm = Confirmation(20.0)
    assert (await confirm(_hole(), "return 1;", verdict)).outcome is Outcome.VALID
    assert await confirm(_hole(), "return 1", verdict) == verdict
    assert await confirm(_hole(), "return g();", verdict) == verdict


async def test_nothing_is_compiled_that_is_valid_or_no_whole_cpp_file() -> None:
    """The verdict stays, at once."""
    confirm = Confirmation(20.0)
    valid = Verdict(Outcome.VALID, "it parses")
    assert await confirm(_hole(), "return 1;", valid) == valid
    assert await confirm(_hole(language="java"), "return 1;", UNSURE) == UNSURE
    assert await confirm(_hole(whole=False), "return 1;", UNSURE) == UNSURE


async def test_the_event_loop_is_free_meanwhile_and_the_time_is_bounded() -> None:
    """A text that keeps g++ busy costs its time and no more."""
    doubling = "template <int N, int M> struct A { A<N - 1, M> a; A<N - 1, M + N> b; };\n"
    endless = f"{doubling}template <int M> struct A<0, M> {{}};\nA<400, 0> a;\n"
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticking = asyncio.create_task(tick())
    started = time.monotonic()
    assert await Confirmation(0.5)(_hole(prefix=endless), "return 1;", UNSURE) == UNSURE
    assert time.monotonic() - started < 5
    ticking.cancel()
    assert ticks >= 5


async def test_headers_beside_the_file_and_of_the_project_are_found(tmp_path: Path) -> None:
    """By the file's own folder and by the include paths of compile_commands.json."""
    file = tmp_path / "src" / "a.cpp"
    for folder, name in (("src", "own.h"), ("include", "project.h"), ("sys", "system.h")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(f"#define HAS_{name.upper().replace('.', '_')} 1\n")
    _commands(tmp_path, file, "c++ -I include -isystem sys -DVALUE=3 -c src/a.cpp -o a.o")
    prefix = '#include "own.h"\n#include <project.h>\n#include <system.h>\n'
    text = "return VALUE + HAS_OWN_H + HAS_PROJECT_H + HAS_SYSTEM_H;"
    verdict = await Confirmation(20.0)(_hole(file, prefix), text, UNSURE)
    assert verdict.outcome is Outcome.VALID


@pytest.mark.parametrize("joined", [True, False])
def test_only_paths_definitions_and_the_version_are_taken(tmp_path: Path, joined: bool) -> None:
    """Joined or apart; a plug-in, a response file, another compiler folder are not."""
    file = tmp_path / "a.cpp"
    (tmp_path / "inc").mkdir()
    (tmp_path / "args").write_text("-DFROM_FILE")
    pairs = [("-I", "inc"), ("-D", "A=1"), ("-U", "B"), ("-D", "@args"), ("-isystem", "inc")]
    named = [f"{a}{b}" for a, b in pairs] if joined else [word for pair in pairs for word in pair]
    evil = [
        "evil-compiler", "-fplugin=evil.so", "-fplugin-arg-evil-x=1", "@args", "-B.", "-B", ".",
        "-include", "/etc/passwd", "-imacros", "x", "-wrapper", "evil", "-specs=evil", "-x", "f77",
        "-std=@args", "-o", "/tmp/out", "--sysroot=.", "-Xclang", "-load", "-MF", "x", "-time",
        "-std=gnu++20",
    ]  # fmt: skip
    _commands(tmp_path, file, [*evil, *named, str(file)])
    folder = tmp_path / "inc"
    arguments = ("-std=gnu++20", f"-I{folder}", "-DA=1", "-UB", f"-isystem{folder}")
    assert flags_of(file) == Flags(arguments, (folder, folder))


@pytest.mark.parametrize("outside", ["/etc", "/", "../other", "/root", "missing", "link"])
def test_include_paths_outside_the_project_are_not_taken(tmp_path: Path, outside: str) -> None:
    """Neither by their name nor by a link."""
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "other").mkdir()
    (root / "link").symlink_to(tmp_path / "other")
    _commands(root, root / "a.cpp", ["c++", f"-I{outside}", "-DA"])
    assert flags_of(root / "a.cpp") == Flags(("-DA",))


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"3", b"null", b"[3]", b"{}", b"[" * 100_000, b"\xff", b'[{"file": 3}]'],
)
def test_a_broken_file_says_nothing(tmp_path: Path, content: bytes) -> None:
    """Whatever stands in it."""
    (tmp_path / "compile_commands.json").write_bytes(content)
    assert flags_of(tmp_path / "a.cpp") == Flags()


@pytest.mark.parametrize(
    "line",
    [
        '#include "/etc/passwd"', "#include </etc/passwd>", '#include "../../secret"',
        '#  include   "a/../../b"', "#include NAME", '#inc\\\nlude "/etc/passwd"',
        '/* */ #include "/etc/passwd"', '# /* \n */ include "/etc/passwd"',
        '%:include "/etc/passwd"', '??=include "/etc/passwd"', '#include_next "/etc/passwd"',
        '#import "/etc/passwd"', '#embed "/etc/passwd"', '#if __has_include("/etc/passwd")',
        'int x = __has_embed("/etc/passwd");', '#include "~/x"',
    ],
)  # fmt: skip
async def test_no_path_leaves_the_include_paths(line: str) -> None:
    """A text that might read a file elsewhere is not compiled at all."""
    assert reads_elsewhere(f"int a;\n{line}\nint b;\n")
    assert await Confirmation(20.0)(_hole(prefix=f"{line}\n"), "return 1;", UNSURE) == UNSURE


@pytest.mark.parametrize(
    "line",
    ["#include <vector>", '  # include "a/b.hpp"  // mine', "// we include it", "int include;", ""],
)
def test_plain_code_is_compiled(line: str) -> None:
    """Relative includes, and the word elsewhere, are nothing to fear."""
    assert not reads_elsewhere(f"int a;\n{line}\nint b;\n")


def test_a_machine_without_gpp_confirms_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict stays."""
    monkeypatch.setenv("PATH", os.devnull)
    confirm = Confirmation(20.0)
    assert asyncio.run(confirm(_hole(), "return 1;", UNSURE)) == UNSURE

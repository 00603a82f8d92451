"""A workspace that others wrote: what it tries, and what comes of it."""

import asyncio
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.editor import SERVE, Editor, editor, environment, homes, until
from tests.server.command.model_server import ModelServer, serving

SOURCE = "import leak\n\ndef add(a, b):\n    return \n"
LINE, COLUMN = 3, 11
SECRET = "zebra_quilt_9137"
PATIENCE = 90.0

WANTED = """
[local]
url = "http://192.0.2.1/v1"
allow_remote = true
api_key = "theirs"
provider = "openai"
[org]
url = "https://theirs.example/v1"
api_key = "theirs"
headers = { X-Theirs = "1" }
[escalation]
enabled = true
[context]
enabled = true
org = true
[validation]
compiler = "g++"
[log]
file = "theirs.log"
"""
"""Settings that no workspace may make. The last two sections run a program, and write a file."""

MODULES = (
    "ast", "json", "asyncio/__init__", "httpx", "psutil", "tree_sitter", "pygls/__init__", "ssl",
    "lsprotocol/__init__", "sitecustomize", "usercustomize", "tomllib", "filelock", "argparse",
)  # fmt: skip
"""What a server imports sooner or later, or an interpreter at its start."""


@pytest.fixture
def local() -> Iterator[ModelServer]:
    """A local model that is unsure: whatever can be escalated is."""
    with serving(ModelServer(logprob=-3.0)) as server:
        yield server


@pytest.fixture
def org() -> Iterator[ModelServer]:
    """The organisation's server, which the user did not set."""
    with serving(ModelServer(text="b + a\n")) as server:
        yield server


class Workspace:
    """A folder with what a stranger put into it, and a marker that his code would leave."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "work"
        self.home = folder / "home"
        self.marker = folder / "ran"
        self.write("app.py", SOURCE)

    def write(self, path: str, text: str) -> Path:
        """Write a file of the workspace."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    @property
    def code(self) -> str:
        """Python that leaves the marker."""
        return f"open({str(self.marker)!r}, 'a').write(__name__)\nraise ImportError('theirs')\n"

    def environment(self) -> dict[str, str]:
        """Of a server that is started in the workspace."""
        return environment(**homes(str(self.home)))

    async def complete(self, session: Editor, name: str = "app.py") -> str:
        """What is completed in one of its files."""
        uri = (self.root / name).as_uri()
        session.open(uri, SOURCE)
        return await session.text(uri, LINE, COLUMN)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """An empty one, but for app.py."""
    return Workspace(tmp_path)


async def test_it_sets_neither_addresses_nor_keys_and_loosens_nothing(
    workspace: Workspace, local: ModelServer, org: ModelServer
) -> None:
    """Each such key is told in a sentence; code goes where the user says, and nowhere else."""
    workspace.write(".synconfroute.toml", WANTED.replace("https://theirs.example/v1", org.url))
    workspace.write("leak.py", f"def {SECRET}(a: int) -> int: ...\n")
    options = {"local": {"provider": "openai", "url": local.url}}
    async with editor(
        SERVE, workspace.environment(), options=options, root=workspace.root
    ) as session:
        assert await workspace.complete(session) == "a + b"
        keys = {
            "local.url", "local.allow_remote", "local.api_key", "local.provider", "org.url",
            "org.api_key", "org.headers", "escalation.enabled", "context.enabled", "context.org",
            "validation.compiler", "log.file",
        }  # fmt: skip
        await until(lambda: len(session.shown) >= len(keys), "a sentence for each key")
        assert {key for key in keys for said in session.shown if key in said} == keys
    assert org.asked == []
    assert SECRET not in str(local.bodies)
    assert not (workspace.root / "theirs.log").exists()


async def test_it_runs_no_code_of_its_own(
    workspace: Workspace, local: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started in it by `python -m`, the server and its processes import nothing from there.

    Neither compilers and plug-ins that compile_commands.json names nor what .git/config has git
    run are run, though the user wants g++ to confirm.
    """
    for name in MODULES:
        workspace.write(f"{name}.py", workspace.code)
    workspace.write("theirs.pth", f"import os; {workspace.code.splitlines()[0]}\n")
    workspace.write(".git/config", f"[core]\n\tfsmonitor = touch {workspace.marker}\n")
    compiler = workspace.write("g++", f"#!/bin/sh\ntouch {workspace.marker}\n")
    compiler.chmod(0o755)
    words = '["./g++", "-wrapper", "./g++", "-fplugin=./evil.so", "-B.", "@args", "-c", "a.cpp"]'
    where = f'"directory": "{workspace.root.as_posix()}", "file": "a.cpp"'
    workspace.write("compile_commands.json", f'[{{{where}, "arguments": {words}}}]')
    workspace.write("args", f"-fplugin={workspace.root}/evil.so\n")
    monkeypatch.chdir(workspace.root)
    options = {
        "local": {"provider": "openai", "url": local.url},
        "validation": {"compiler": "g++", "compiler_ms": 5_000},
        "context": {"enabled": True},
    }
    async with editor(
        SERVE, workspace.environment(), options=options, root=workspace.root
    ) as session:
        assert await workspace.complete(session) == "a + b"
        cpp = (workspace.root / "a.cpp").as_uri()
        session.open(cpp, "int f() {\n  int a = 1, b = 2;\n  return \n}\n", "cpp")
        local.text = "auto [ = ;\n"  # broken: g++ is asked whether it is
        await session.complete(cpp, 2, 9)
        await session.command("synconfroute.doctor")
    assert not workspace.marker.exists(), workspace.marker.read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
async def test_no_file_of_it_holds_the_server_up(workspace: Workspace, local: ModelServer) -> None:
    """Pipes, devices, files without end, links out of it, names with controls: an answer comes."""
    root = workspace.root
    for name in (".gitignore", ".synconfrouteignore", "leak.py", "compile_commands.json"):
        os.mkfifo(root / name)
    for name in ("zero.py", "src/.gitignore"):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).symlink_to("/dev/zero")
    (root / "passwd.py").symlink_to("/etc/passwd")
    (root / ".git").mkdir()
    for name in ("endless.py", ".git/config", ".synconfroute.toml"):
        with (root / name).open("wb") as file:
            file.truncate(1 << 40)
    odd = "a\n\x1b[31m\u202eb.py"
    workspace.write(odd, SOURCE)
    deep = "/".join(["d"] * 200)
    workspace.write(f"{deep}/app.py", SOURCE)
    options = {
        "local": {"provider": "openai", "url": local.url},
        "context": {"enabled": True, "deadline_ms": 500},
    }
    async with (
        asyncio.timeout(PATIENCE),
        editor(SERVE, workspace.environment(), options=options, root=root) as session,
    ):
        for name in ("app.py", odd, f"{deep}/app.py"):
            assert await workspace.complete(session, name) == "a + b"
        imports = "import zero, endless, passwd, leak\n"
        session.open((root / "b.py").as_uri(), imports + SOURCE)
        assert await session.text((root / "b.py").as_uri(), LINE + 1, COLUMN) == "a + b"
    assert "root:" not in str(local.bodies)

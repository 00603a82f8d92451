"""Imports point one way: server → {validators, clients}; completion knows no LSP."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import synconfroute

ROOT = Path(synconfroute.__file__).parent
LSP = ("pygls", "lsprotocol")
HEAVY = (
    "httpx", "httpcore", "tree_sitter", "xllamacpp", "tqdm", "psutil", "filelock",
    "prometheus_client", "http.server", "opentelemetry", "synconfroute.server.observation",
)  # fmt: skip


def imports_of(folder: str) -> Iterator[tuple[str, str]]:
    """Each module in a folder of the package, with each module that it imports anywhere."""
    for file in sorted((ROOT / folder).rglob("*.py")):
        where = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((where, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{where} has a relative import"
                yield where, node.module or ""


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("clients", ("synconfroute.server", "synconfroute.validators", *LSP)),
        ("validators", ("synconfroute.server", "synconfroute.clients", *LSP, "httpx")),
        ("server", ("synconfroute.evaluation",)),
        (
            "server/completion",
            ("synconfroute.server.protocol", "synconfroute.server.command", *LSP),
        ),
        (
            "server/observation",
            ("synconfroute.server.protocol", "synconfroute.server.command", *LSP),
        ),
        ("server/settings", ("synconfroute.server.protocol", "synconfroute.server.command", *LSP)),
        ("server/protocol", ("synconfroute.server.command",)),
    ],
)
def test_imports_point_one_way(folder: str, forbidden: tuple[str, ...]) -> None:
    """No module of the folder imports what lies above it."""
    wrong = [
        f"{where} imports {name}"
        for where, name in imports_of(folder)
        if name.startswith(tuple(forbidden))
    ]
    assert wrong == []


@pytest.mark.parametrize("forbidden", ["pickle", "marshal", "shelve"])
def test_nothing_is_unpickled(forbidden: str) -> None:
    """Bytes from other processes are JSON."""
    assert [where for where, name in imports_of(".") if name == forbidden] == []


@pytest.mark.parametrize(
    "module",
    [
        "synconfroute.server.protocol.stdio",
        "synconfroute.server.protocol.server",
        "synconfroute.server.completion.completer",
    ],
)
def test_starting_the_server_imports_nothing_heavy(module: str) -> None:
    """HTTP, parsers and the engine are imported where they are used, after the start."""
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_reading_the_command_line_imports_no_command() -> None:
    """The server starts through it, and waits for nothing that another command needs."""
    names = ("pygls", "lsprotocol", "cattrs", "attrs", "asyncio", *HEAVY)
    code = (
        "import sys\n"
        "from synconfroute.evaluation.command import COMMANDS\n"
        "from synconfroute.server.command.arguments import parse\n"
        "import synconfroute.__main__\n"
        "parse(['serve'], COMMANDS)\n"
        f"print([m for m in {names!r} if m in sys.modules])\n"
        "print([m for m in sys.modules if m.startswith('synconfroute.evaluation.command.')])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["[]", "[]"]


def test_public_names() -> None:
    """What others may import, and nothing by accident."""
    import synconfroute.clients
    import synconfroute.server.completion
    import synconfroute.validators

    assert sorted(synconfroute.server.completion.__all__) == [
        "Candidate", "Escalate", "Keep", "decide",
    ]  # fmt: skip
    assert sorted(synconfroute.validators.__all__) == [
        "Evidence", "Outcome", "Validator", "Verdict", "unknown", "validate",
    ]  # fmt: skip
    assert {"ModelClient", "Token", "Ollama", "OpenAICompatible", "Embedded"} <= set(
        synconfroute.clients.__all__
    )
    for package in (synconfroute.clients, synconfroute.server.completion, synconfroute.validators):
        for name in package.__all__:
            assert getattr(package, name) is not None


def test_the_error_tree_is_drawn_as_it_is() -> None:
    """Every error class stands in the drawing of `errors`, below its parent."""
    from synconfroute import errors

    drawn: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        parts = line.split()
        name = next((part for part in parts if part.isidentifier() and hasattr(errors, part)), None)
        if name is None or "`" in line:
            continue
        depth = line.index(name) // 4 - 1
        path[depth:] = [name]
        drawn[name] = path[depth - 1] if depth else "Exception"
    real = {
        name: kind.__base__.__name__
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, Exception) and kind.__base__
    }
    assert drawn == real

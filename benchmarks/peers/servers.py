"""Language servers that complete: ours, tabby-agent, and any that is named by its command."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from benchmarks.model.ollama import MODEL
from benchmarks.peers.contestant import Absent, Contestant
from benchmarks.peers.lsp import LspEditor
from benchmarks.peers.model import SHAPES
from benchmarks.peers.stage import ROOT, Seat, ended_in_time
from benchmarks.trace.typist import Editor
from synconfroute import __version__

OURS = "SynConfRoute"
OVER_LSP = "LSP"
_WARM_S = 4.0
"""From the first request to the first key: a server looks for its model, starts processes."""
_SECONDS = 20.0


def ours() -> Contestant:
    """Our server, with nothing set but the address of its model."""
    return Contestant(
        OURS,
        __version__,
        OVER_LSP,
        "ollama",
        "`local.provider`, `local.url`, `local.model`",
        _opening(our_command, lambda _: None),
    )


def our_command(seat: Seat) -> list[str]:
    """How our server is started at a seat."""
    settings = {"provider": "ollama", "url": seat.model.url, "model": MODEL}
    chosen = [part for key, value in settings.items() for part in ("--set", f"local.{key}={value}")]
    return [sys.executable, "-m", "synconfroute", "serve", *chosen, "--log-level", "error"]


def tabby_agent(folder: Path) -> Contestant:
    """tabby-agent, as npm has it.

    Raises:
        Absent: it is not in the folder, or there is no Node.
    """
    package = folder / "node_modules" / "tabby-agent"
    if not (package / "dist" / "cli.js").exists():
        raise Absent(f"tabby-agent is not installed: `npm install --prefix {folder} tabby-agent`.")
    node = shutil.which("node")
    if node is None:
        raise Absent("tabby-agent needs Node: install it from nodejs.org.")
    command = [node, str(package / "dist" / "cli.js"), "--lsp", "--stdio"]
    version = json.loads((package / "package.json").read_text(encoding="utf-8"))["version"]
    return Contestant(
        "tabby-agent",
        version,
        OVER_LSP,
        "tabby",
        "`server.endpoint`; telemetry off",
        _opening(lambda _: command, _configure_tabby),
    )


def named(line: str) -> Contestant:
    """A server from `NAME=COMMAND`; the command has the model's address in it, by its protocol.

    Raises:
        ValueError: it is no such line, or names no protocol or several.
    """
    name, found, command = line.partition("=")
    shapes = [shape for shape in SHAPES if f"{{{shape}}}" in command]
    if not found or len(shapes) != 1:
        places = ", ".join(f"{{{shape}}}" for shape in SHAPES)
        raise ValueError(f"--peer takes NAME=COMMAND with one of {places} in it, not: {line}")
    parts = shlex.split(command, posix=os.name != "nt")
    return Contestant(
        name.strip(),
        "",
        OVER_LSP,
        shapes[0],
        f"`{command.strip()}`",
        _opening(
            lambda seat: [part.replace(f"{{{shapes[0]}}}", seat.model.url) for part in parts],
            lambda _: None,
        ),
    )


def _configure_tabby(seat: Seat) -> None:
    file = seat.home / ".tabby-client" / "agent" / "config.toml"
    file.parent.mkdir(parents=True)
    lines = ["[server]", f'endpoint = "{seat.model.url}"', 'token = "none"']
    lines += ["[anonymousUsageTracking]", "disable = true", ""]
    file.write_text("\n".join(lines), encoding="utf-8")


@contextmanager
def _opened(
    seat: Seat, command: Sequence[str], configure: Callable[[Seat], None]
) -> Iterator[Editor]:
    configure(seat)
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        env=seat.environment(),
    )
    with process:
        try:
            with ended_in_time(process):
                editor = LspEditor(process, seat.passage, seat.folder.as_uri())
                editor.warm(_WARM_S)
                yield editor
                editor.close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_SECONDS)
        finally:
            process.kill()
            process.wait(_SECONDS)


def _opening(
    command: Callable[[Seat], Sequence[str]], configure: Callable[[Seat], None]
) -> Callable[[Seat], AbstractContextManager[Editor]]:
    return lambda seat: _opened(seat, command(seat), configure)

"""A real Emacs for tests: without a screen, or in a terminal with real keys."""

import json
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.editor import ROOT
from tests.e2e.editors.keys import ACCEPT, BACKSPACE, NEWLINE, Key
from tests.e2e.editors.stage import COMMAND, Stage
from tests.e2e.editors.terminal import Terminal, terminal

_LISP = Path(__file__).with_name("lisp")
_PLUGIN = ROOT / "editors" / "emacs"
_BATCH_SECONDS = 240.0


class Emacs:
    """One Emacs in a terminal."""

    def __init__(self, screen: Terminal, home: Path) -> None:
        self.screen = screen
        self._home = home

    def press(self, key: Key) -> None:
        """Press one key of somebody who types; accepting is Tab."""
        named = {ACCEPT: "Tab", BACKSPACE: "BSpace", NEWLINE: "Enter"}.get(key.name)
        if named:
            self.screen.press(named)
        else:
            self.screen.type(key.name)

    def ask(self, expression: str) -> Any:
        """The value of a Lisp expression in the buffer that the window shows."""
        port = int((self._home / "port").read_text(encoding="utf-8"))
        question = f"(with-current-buffer (window-buffer) {expression})\n"
        with (
            socket.create_connection(("127.0.0.1", port), timeout=60) as connection,
            connection.makefile("rw", encoding="utf-8") as lines,
        ):
            lines.write(question)
            lines.flush()
            return json.loads(lines.readline())


def run_tests(program: str, stage: Stage, name: str) -> "subprocess.CompletedProcess[str]":
    """Run the ERT tests of a file of ours in an Emacs without a screen."""
    arguments = ("--batch", "-l", name, "-f", "ert-run-tests-batch-and-exit")
    return subprocess.run(
        [*_command(program), *arguments],
        env=_env(stage),
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        timeout=_BATCH_SECONDS,
        check=False,
    )


def need_library(program: str, name: str, how: str) -> None:
    """Skip the test if Emacs does not find a library."""
    found = subprocess.run(
        (program, "-Q", "--batch", "--eval", f'(unless (locate-library "{name}") (kill-emacs 3))'),
        capture_output=True,
        check=False,
        timeout=_BATCH_SECONDS,
    )
    if found.returncode == 3:
        pytest.skip(f"this Emacs has no {name}: {how}")


@contextmanager
def emacs(program: str, tmux: str, stage: Stage, name: str, *, columns: int) -> Iterator[Emacs]:
    """Emacs with a new file of the workspace, our server ready.

    Args:
        program: Emacs.
        tmux: the program tmux.
        stage: where it runs.
        name: the file's name.
        columns: width of the terminal.
    """
    file = stage.workspace / name
    file.touch()
    one = Emacs(Terminal(tmux, stage.home / "tmux"), stage.home)
    ready = stage.log().count(" local tier: ")
    with terminal(
        one.screen,
        (*_command(program), "-nw", "-l", "with-lsp-mode", "-f", "session-listen", str(file)),
        folder=stage.workspace,
        env=_env(stage),
        columns=columns,
    ):
        one.screen.until(lambda _: stage.log().count(" local tier: ") > ready, "the server")
        one.screen.until(lambda screen: "SCR:local" in screen, "the mode line")
        yield one


def _command(program: str) -> tuple[str, ...]:
    return (program, "-Q", "-L", str(_PLUGIN), "-L", str(_LISP))


def _env(stage: Stage) -> dict[str, str]:
    return stage.env(COMMAND=json.dumps(COMMAND), WORKSPACE=str(stage.workspace))

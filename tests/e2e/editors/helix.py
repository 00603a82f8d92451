"""A real Helix for tests: keys through a terminal, with the configuration that we ship."""

import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.editor import ROOT
from tests.e2e.editors.keys import ACCEPT, BACKSPACE, NEWLINE, Key
from tests.e2e.editors.stage import COMMAND, Stage, digest_of, faults_in
from tests.e2e.editors.tap import ask
from tests.e2e.editors.terminal import Terminal, terminal, text_before

LANGUAGES = ROOT / "editors" / "helix" / "languages.toml"
_TAP = Path(__file__).with_name("tap.py")

_CONFIG = "[editor]\ncompletion-timeout = 50\n"
"""What editors/helix/README.md recommends."""

_ENTRY = re.compile(r"(?:^|  )(\S+(?: \S+)*?) text(?: |$)")
_NUMBER = re.compile(r" *\d+  ")
_NOT_INSTALLED = "cannot find binary path"
"""Of the other servers that Helix knows for the language."""


class Helix:
    """One Helix that edits one file."""

    def __init__(self, screen: Terminal, stage: Stage, file: Path, log: Path) -> None:
        """`log` is what Helix writes about errors."""
        self.screen = screen
        self.file = file
        self._stage = stage
        self._log = log

    def insert(self, text: str) -> None:
        """Go to insert mode at the end of the file, and type."""
        self._normal()
        self.screen.type("geA")
        self.screen.type(text)

    def press(self, key: Key) -> None:
        """Press one key of somebody who types; accepting is Tab."""
        named = {ACCEPT: "Tab", BACKSPACE: "BSpace", NEWLINE: "Enter"}.get(key.name)
        if named:
            self.screen.press(named)
        else:
            self.screen.type(key.name)

    def proposal(self) -> str | None:
        """The entry in the menu of completions whose kind is text; None where there is none."""
        found = [_ENTRY.search(line) for line in self.screen.screen().split("\n")]
        return next((match[1] for match in found if match), None)

    def wait_for(self, proposal: str) -> None:
        """Wait until the menu shows this entry."""
        self.screen.until(lambda _: self.proposal() == proposal, f"the entry {proposal!r}")

    def take(self) -> None:
        """Choose the menu's first entry and keep it."""
        self.screen.press("Tab")
        self.screen.until(lambda screen: "SynConfRoute" in screen, "the whole proposal")
        self.screen.press("Enter")

    def left(self) -> str:
        """The text of the cursor's line left of the cursor."""
        row, column = self.screen.cursor()
        line = text_before(self.screen.screen().split("\n")[row], column)
        number = _NUMBER.match(line)
        return line[number.end() :] if number else line

    def command(self, command: str) -> None:
        """Run a typable command; ends in normal mode."""
        self._normal()
        self.screen.type(f":{command}")
        self.screen.press("Enter")

    def _normal(self) -> None:
        """Go to normal mode: Escape and a key at once would be that key with Alt."""
        self.screen.press("Escape")
        self.screen.until(lambda screen: " NOR " in screen, "normal mode")

    def saved(self) -> str:
        """The buffer's text, once it is in the file and the server's copy is the same.

        The test fails if the server's copy stays another one.
        """
        self.file.unlink(missing_ok=True)
        self.command("write!")
        self.screen.until(lambda _: self.file.exists(), "the file")
        self.screen.until(lambda _: self._agrees(), "the same text in the server")
        return self.file.read_text(encoding="utf-8").removesuffix("\n")

    def faults(self, *expected: str) -> list[str]:
        """Errors in Helix's log, in our server's, and in what our server answered.

        Lines with one of `expected` are none.
        """
        theirs = [
            line
            for line in self._log.read_text(encoding="utf-8").splitlines()
            if re.search(r"\[ERROR\]|panicked", line)
            and not any(words in line for words in (_NOT_INSTALLED, *expected))
        ]
        answered = self._stage.home / "faults"
        ours = answered.read_text(encoding="utf-8").splitlines() if answered.exists() else []
        return [*theirs, *ours, *faults_in(self._stage.log())]

    def kill_server(self) -> None:
        """End our server as a crash would."""
        place = json.loads((self._stage.home / "tap.json").read_text(encoding="utf-8"))
        os.kill(place["pid"], signal.SIGKILL)

    def sessions(self) -> int:
        """How many times our server was started and made ready."""
        return self._stage.log().count(" local tier: ")

    def _agrees(self) -> bool:
        held = ask(self._stage.home, "synconfroute.digest", self.file.as_uri())
        text = self.file.read_text(encoding="utf-8")
        return held is not None and digest_of(text).items() <= held.items()


@contextmanager
def helix(
    programs: tuple[str, str], stage: Stage, name: str, *, columns: int = 88
) -> Iterator[Helix]:
    """Helix with a new file of the workspace, our server ready.

    Args:
        programs: hx and tmux.
        stage: where it runs.
        name: the file's name.
        columns: width of the terminal.
    """
    program, tmux = programs
    folder = stage.home / "helix"
    folder.mkdir(exist_ok=True)
    (folder / "languages.toml").write_bytes(LANGUAGES.read_bytes())
    (folder / "config.toml").write_text(_CONFIG, encoding="utf-8")
    log, file = stage.home / f"{name}.log", stage.workspace / name
    file.touch()
    one = Helix(Terminal(tmux, stage.home / "tmux"), stage, file, log)
    before = one.sessions()
    with terminal(
        one.screen,
        (program, "--log", str(log), name),
        folder=stage.workspace,
        env=stage.env(PATH=f"{_commands(stage)}{os.pathsep}{os.environ['PATH']}"),
        columns=columns,
    ):
        one.screen.until(lambda _: one.sessions() > before, "the server")
        yield one


def _commands(stage: Stage) -> Path:
    """A folder with the command `synconfroute`: our server behind a tap."""
    folder = stage.home / "bin"
    folder.mkdir(exist_ok=True)
    words = (sys.executable, str(_TAP), str(stage.home), *COMMAND)
    command = folder / "synconfroute"
    command.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n", encoding="utf-8")
    command.chmod(0o755)
    return folder

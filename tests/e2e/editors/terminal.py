"""A terminal for an editor: real keys in, the screen out. tmux is the terminal."""

import secrets
import subprocess
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

SECONDS = 60.0
"""How long anything that should come at once is waited for."""
_POLL_SECONDS = 0.03

ROWS = 18
"""Lines of the screen, fit for a picture in a page."""


class Terminal:
    """One program in one terminal of its own."""

    def __init__(self, tmux: str, socket: Path) -> None:
        """Nothing runs before `start`.

        Args:
            tmux: the program tmux.
            socket: a path for it, of fewer than 90 bytes; each start puts something of its own
                behind it.
        """
        self._program = tmux
        self._socket = socket
        self._tmux: tuple[str, ...] = ()
        self._env: dict[str, str] = {}

    def start(
        self, command: Sequence[str], folder: Path, env: dict[str, str], columns: int
    ) -> None:
        """Run a command in the terminal."""
        # A server that was told to end may still take what comes to its socket.
        socket = f"{self._socket}-{secrets.token_hex(3)}"
        self._tmux = (self._program, "-u", "-S", socket, "-f", "/dev/null")
        self._env = {**env, "LC_ALL": "C.UTF-8", "COLORTERM": "truecolor"}
        size = ("-x", str(columns), "-y", str(ROWS))
        options = (
            ("-g", "default-terminal", "tmux-256color"),
            ("-g", "status", "off"),
            ("-g", "remain-on-exit", "on"),
            ("-s", "escape-time", "0"),
        )
        setting = [word for option in options for word in ("set", *option, ";")]
        self._run("start-server", ";", *setting, "new", "-d", *size, "-c", str(folder), *command)

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names for them: "Enter", "Escape", "C-x"."""
        self._run("send-keys", *keys)

    def type(self, text: str) -> None:
        """Type characters."""
        last = "\\;" if text.endswith(";") else text[-1:]  # a bare one would end tmux's command
        self._run("send-keys", "-l", "--", text[:-1] + last)

    def screen(self) -> str:
        """What stands on the screen, without the blanks at the lines' ends."""
        return "\n".join(line.rstrip() for line in self._run("capture-pane", "-p").split("\n"))

    def coloured(self) -> str:
        """The screen with its colours, as escape sequences."""
        return self._run("capture-pane", "-p", "-e", "-N")

    def cursor(self) -> tuple[int, int]:
        """The cursor's row and column on the screen, from 0."""
        shown = self._run("display-message", "-p", "#{cursor_y} #{cursor_x}")
        row, column = map(int, shown.split())
        return row, column

    def until(self, condition: Callable[[str], object], what: str) -> str:
        """Wait until a condition holds for the screen; the test fails if it does not in time."""
        deadline = time.monotonic() + SECONDS
        while not condition(screen := self.screen()):
            assert time.monotonic() < deadline, f"waited in vain for {what}:\n{screen}"
            time.sleep(_POLL_SECONDS)
        return screen

    def close(self) -> None:
        """End the program and the terminal."""
        subprocess.run((*self._tmux, "kill-server"), env=self._env, check=False)

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            (*self._tmux, *arguments),
            env=self._env,
            check=True,
            capture_output=True,
            timeout=SECONDS,
        )
        return done.stdout.decode("utf-8").rstrip("\n")


@contextmanager
def terminal(
    one: Terminal, command: Sequence[str], *, folder: Path, env: dict[str, str], columns: int
) -> Iterator[None]:
    """Run a command in a terminal; both end with the block.

    Args:
        one: the terminal.
        command: what runs there.
        folder: where it runs.
        env: its environment.
        columns: width of the screen, in cells.
    """
    one.start(command, folder, env, columns)
    try:
        yield
    finally:
        one.close()


def width(character: str) -> int:
    """How many cells a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def text_before(line: str, column: int) -> str:
    """What stands in a line of the screen before a column, which may lie behind its end."""
    place = cells = 0
    while place < len(line) and cells < column:
        cells += width(line[place])
        place += 1
    return line[:place] + " " * (column - cells)

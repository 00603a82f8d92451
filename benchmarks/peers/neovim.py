"""A Neovim that somebody types in: keys go in as from a keyboard, grey text is read from marks."""

import json
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil

from benchmarks.peers.stage import ROOT, Seat, ended_in_time
from benchmarks.trace.typist import Part, Seen

BRIDGE = ROOT / "tests" / "e2e" / "editors" / "neovim_bridge.lua"
_WATCH = Path(__file__).with_name("watch.lua")
_LOOK_MS = 4
_CLOCK_LOOKS = 20
"""Clocks are compared so often: a Neovim that just starts may take seconds to answer."""
_SECONDS = 60.0
_WARM_S = 4.0
"""From insert mode to the first key: what a plugin starts is there then."""

_PLAIN = """
vim.o.swapfile, vim.o.shadafile, vim.o.more = false, 'NONE', false
vim.opt.shortmess:append('aoOtTWIcF')
vim.notify = function() end
vim.cmd('filetype plugin indent off')
"""
"""No indentation of Neovim's own, since that is in the keys; no message that waits for Enter."""


class Bridge:
    """Speaks to a Neovim through a second one (`neovim_bridge.lua`)."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self._lock = threading.Lock()

    def keys(self, keys: str) -> None:
        """Press keys, in Neovim's own notation."""
        self._ask({"keys": keys})

    def lua(self, code: str, *args: Any) -> Any:
        """Run Lua; its result, as JSON has it."""
        return self._ask({"lua": code, "args": list(args)})

    def _ask(self, question: dict[str, Any]) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with self._lock:
            self.process.stdin.write(json.dumps(question) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
            if not line:
                raise TimeoutError("Neovim has ended, or hung and was ended.")
            answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer.get("value")


class Neovim:
    """Types in one file."""

    def __init__(
        self, bridge: Bridge, seat: Seat, spaces: Sequence[str], keys: dict[Part, str]
    ) -> None:
        """Nothing is open before `begin`.

        Args:
            bridge: to the Neovim.
            seat: with the passage.
            spaces: namespaces of the plugin's grey text.
            keys: what takes a text, and its first line.
        """
        self._bridge = bridge
        self._seat = seat
        self._spaces = spaces
        self._keys = keys
        self._later = 0.0

    def begin(self, ready: str) -> None:
        """Open the file, go to where the typing begins, and wait for what the plugin starts."""
        passage = self._seat.passage
        file = self._seat.folder / passage.name
        file.write_text(passage.before + "\n" + passage.after, encoding="utf-8")
        self._bridge.lua("vim.cmd.edit(vim.fn.fnameescape(...))", str(file))
        self._bridge.lua(
            "vim.bo.filetype = ...; vim.bo.autoindent, vim.bo.cindent = false, false"
            "; vim.bo.smartindent, vim.bo.indentexpr, vim.bo.formatoptions = false, '', ''",
            passage.language,
        )
        row = passage.before.count("\n")
        self._wait(ready)
        self._bridge.lua(
            "package.loaded.trace_watch = dofile(select(1, ...))"
            "; require('trace_watch').begin(select(2, ...))",
            str(_WATCH),
            list(self._spaces),
            row,
            _LOOK_MS,
        )
        self._later = self._ahead_of_it()
        for warm in (row // 2, row // 3):
            self._goes(warm)
            self._bridge.keys("i")
            time.sleep(_WARM_S / 2)
            self._bridge.keys("<Esc>")
        self._goes(row)
        self.look()
        self._bridge.keys("i")

    def _ahead_of_it(self) -> float:
        """How far our clock is ahead of Neovim's, in seconds; asked when it was not busy."""
        asked = []
        for _ in range(_CLOCK_LOOKS):
            before = time.monotonic()
            theirs = float(self._bridge.lua("return vim.uv.hrtime() / 1e9"))
            after = time.monotonic()
            asked.append((after - before, (before + after) / 2 - theirs))
            time.sleep(0.01)
        return min(asked)[1]

    def type(self, text: str) -> None:
        """Press the keys."""
        keys = text.replace("<", "<lt>").replace("\n", "<CR>")
        self._bridge.keys(keys)

    def erase(self) -> None:
        """Press Backspace."""
        self._bridge.keys("<BS>")

    def take(self, shown: str, part: Part) -> None:
        """Press the plugin's key, and wait until the text has come and stays."""
        before = self.left()
        self._bridge.keys(self._keys[part])
        deadline = time.monotonic() + 1.0
        last, since = before, time.monotonic()
        while time.monotonic() < deadline:
            left = self.left()
            if left != last:
                last, since = left, time.monotonic()
            if last != before and time.monotonic() - since > 0.02:
                return
            time.sleep(0.002)

    def look(self) -> Sequence[Seen]:
        """What was shown since the last look."""
        events = self._bridge.lua("return require('trace_watch').take()")
        return [
            # Nobody sees white space at the end, and minuet puts a blank there.
            Seen(event["at"] + self._later, event["left"], event["text"].rstrip())
            for event in events or ()
        ]

    def left(self) -> str:
        """What stands left of the cursor."""
        return str(self._bridge.lua("return require('trace_watch').left()"))

    def _goes(self, row: int) -> None:
        self._bridge.lua("vim.api.nvim_win_set_cursor(0, { ... })", row + 1, 0)

    def _wait(self, ready: str) -> None:
        deadline = time.monotonic() + _SECONDS
        while not self._bridge.lua(ready):
            if time.monotonic() > deadline:
                raise TimeoutError("The plugin does not start.")
            time.sleep(0.05)


@contextmanager
def embedded(program: str, seat: Seat, init: str) -> Iterator[Bridge]:
    """A Neovim with this init.lua in the seat's home; it ends with the block."""
    file = seat.home / "nvim" / "init.lua"
    file.parent.mkdir()
    file.write_text(_PLAIN + init, encoding="utf-8")
    process = subprocess.Popen(
        [program, "--clean", "-l", str(BRIDGE), program, "-n", "-i", "NONE"],
        env=seat.environment(TERM="xterm"),
        cwd=seat.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        with ended_in_time(process):
            yield Bridge(process)
    finally:
        _end(process)


def _end(process: "subprocess.Popen[str]") -> None:
    started = psutil.Process(process.pid).children(recursive=True)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS / 6)
    process.kill()
    process.wait(_SECONDS)
    process.stdout.close()
    for each in psutil.wait_procs(started, 5)[1]:
        with suppress(psutil.NoSuchProcess):
            each.kill()

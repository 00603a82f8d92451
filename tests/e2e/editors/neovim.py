"""A real Neovim for tests: keys in, its screen's grey text and its buffer out."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from tests.e2e.editor import ROOT
from tests.e2e.editors.stage import Stage, digest_of, faults_in

PLUGIN = ROOT / "editors" / "neovim"
BRIDGE = Path(__file__).with_name("neovim_bridge.lua")

WITH_PLUGIN = f"""\
vim.opt.runtimepath:prepend('{PLUGIN.as_posix()}')
vim.o.swapfile = false
require('synconfroute').setup()
"""
"""The init.lua of somebody who uses the plugin."""


SECONDS = 60.0
"""How long anything is waited for: a server's start on a busy machine takes many."""

_GHOST = """
local space = vim.api.nvim_create_namespace('nvim.lsp.inline_completion')
local mark = vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })[1]
if not mark then return vim.NIL end
local text = ''
for _, chunk in ipairs(mark[4].virt_text or {}) do text = text .. chunk[1] end
for _, line in ipairs(mark[4].virt_lines or {}) do
  text = text .. '\\n'
  for _, chunk in ipairs(line) do text = text .. chunk[1] end
end
return text
"""
_LEFT = "return vim.api.nvim_get_current_line():sub(1, vim.api.nvim_win_get_cursor(0)[2])"
_GHOST_AND_LEFT = f"""
local ghost = (function() {_GHOST} end)()
local left = (function() {_LEFT} end)()
return {{ ghost == vim.NIL and '' or ghost, left }}
"""
_ASK = """
local client = vim.lsp.get_clients({ name = 'synconfroute' })[1]
if not client then return { error = 'no session' } end
local params = { command = ..., arguments = { select(2, ...) } }
local answer, why = client:request_sync('workspace/executeCommand', params, 20000)
if not answer then return { error = why } end
return { error = answer.err and answer.err.message, result = answer.result }
"""


class Neovim:
    """One Neovim, driven through a second one (`neovim_bridge.lua`)."""

    def __init__(self, bridge: "subprocess.Popen[str]", stage: Stage) -> None:
        self._bridge = bridge
        self._stage = stage
        self._files = 0

    def keys(self, keys: str) -> None:
        """Press keys, in Neovim's own notation (`<Tab>`, `<lt>`)."""
        self._ask({"keys": keys})

    def lua(self, code: str, *args: Any) -> Any:
        """Run Lua; its result, as JSON has it."""
        return self._ask({"lua": code, "args": list(args)})

    def open(self, text: str = "", name: str | None = None) -> None:
        """Edit a new file of the workspace that holds `text`, in normal mode at its end."""
        self._files += 1
        file = self._stage.workspace / (name or f"file{self._files}.py")
        file.write_text(text, encoding="utf-8")
        self.keys("<Esc>")
        self.lua("vim.cmd.edit(vim.fn.fnameescape(...)); vim.bo.autoindent = false", str(file))
        self.lua("vim.bo.indentexpr = ''; vim.cmd('normal! G$')")
        sessions = "return #vim.lsp.get_clients({ bufnr = 0 })"
        self.until(lambda: self.lua(sessions) > 0, "a session")

    def ghost(self) -> str | None:
        """The grey text that is shown now, or None."""
        shown: str | None = self.lua(_GHOST)
        return shown

    def ghost_and_left(self) -> tuple[str, str]:
        """The grey text ("": none) and the text left of the cursor, at one moment."""
        ghost, left = self.lua(_GHOST_AND_LEFT)
        return ghost, left

    def left(self) -> str:
        """The text left of the cursor on its line."""
        return str(self.lua(_LEFT))

    def text(self) -> str:
        """The buffer's text, with the line end that Neovim writes at its end."""
        lines = self.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
        return "".join(f"{line}\n" for line in lines)

    def shows(self, text: str) -> None:
        """Wait until exactly this grey text is shown."""
        self.until(lambda: self.ghost() == text, f"{text!r} to be shown")

    def holds(self, text: str) -> None:
        """Wait until the buffer has this text."""
        self.until(lambda: self.text() == text, f"{text!r} in the buffer")

    def until(self, condition: Callable[[], object], what: str) -> None:
        """Wait until a condition holds; the test fails if it does not in time."""
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < deadline, f"waited in vain for {what}\n{self._state()}"
            time.sleep(0.005)

    def execute(self, command: str, *arguments: Any) -> Any:
        """The result of a command of our server."""
        answer = self.lua(_ASK, command, *arguments)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def agrees(self) -> None:
        """The server's copy of the document is the editor's."""
        told = self.execute("synconfroute.digest", self.lua("return vim.uri_from_bufnr(0)"))
        assert {key: told[key] for key in ("characters", "sha256")} == digest_of(self.text())

    def server(self) -> psutil.Process:
        """The language server's process."""
        for process in psutil.Process(self._bridge.pid).children(recursive=True):
            if "serve" in process.cmdline() and process.is_running():
                return process
        raise AssertionError("the server does not run")

    def messages(self) -> str:
        """What Neovim said so far."""
        return str(self.lua("return vim.api.nvim_exec2('messages', { output = true }).output"))

    def faults(self) -> list[str]:
        """Lines that tell of an error or an exception: of all logs, and of what Neovim said."""
        log = Path(str(self.lua("return vim.lsp.log.get_filename()")))
        logged = log.read_text(encoding="utf-8") if log.exists() else ""
        errors = [line for line in logged.splitlines() if line.startswith("[ERROR]")]
        said = [line for line in self.messages().splitlines() if line.startswith("E")]
        return [*self._stage.faults(), *errors, *said, *faults_in(self.messages())]

    def _ask(self, question: dict[str, Any]) -> Any:
        assert self._bridge.stdin is not None
        assert self._bridge.stdout is not None
        self._bridge.stdin.write(json.dumps(question) + "\n")
        self._bridge.stdin.flush()
        answer = json.loads(self._bridge.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer.get("value")

    def _state(self) -> str:
        return f"{self.ghost_and_left()}\n{self.messages()}\n{self._stage.log()[-2000:]}"


def without_plugin() -> str:
    """The init.lua that the plugin's README gives for Neovim alone."""
    page = (PLUGIN / "README.md").read_text(encoding="utf-8")
    section = page[page.index("## Without the plugin") :]
    found = re.search(r"```lua\n(.*?)```", section, re.DOTALL)
    assert found is not None
    return "vim.o.swapfile = false\n" + found[1]


def write_init(stage: Stage, init: str) -> None:
    """Make this the init.lua of the stage's home."""
    file = stage.home / "nvim" / "init.lua"
    file.parent.mkdir(exist_ok=True)
    file.write_text(init, encoding="utf-8")


def environment_of(stage: Stage) -> dict[str, str]:
    """Neovim's environment: the stage's, with our command on PATH."""
    own_commands = str(Path(sys.executable).parent)
    return stage.env(PATH=os.pathsep.join([own_commands, os.environ["PATH"]]))


@contextmanager
def neovim(program: str, stage: Stage, init: str) -> Iterator[Neovim]:
    """A Neovim with this init.lua, in the stage's home; it ends with the block."""
    write_init(stage, init)
    bridge = subprocess.Popen(
        [program, "--clean", "-l", str(BRIDGE), program, "-n", "-i", "NONE"],
        env=environment_of(stage),
        cwd=stage.workspace,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        one = Neovim(bridge, stage)
        yield one
        one.lua("vim.lsp.enable('synconfroute', false)")
    finally:
        _end(bridge)


def _end(bridge: "subprocess.Popen[str]") -> None:
    started = psutil.Process(bridge.pid).children(recursive=True)
    assert bridge.stdin is not None
    assert bridge.stdout is not None
    bridge.stdin.close()
    try:
        bridge.wait(SECONDS)
    except subprocess.TimeoutExpired:
        bridge.kill()
        bridge.wait(SECONDS)
    bridge.stdout.close()
    _, alive = psutil.wait_procs(started, SECONDS)
    for process in alive:
        process.kill()
    assert alive == [], "Neovim or the server outlived the test"

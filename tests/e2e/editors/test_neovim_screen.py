"""SynConfRoute in Neovim's own screen: a terminal, real keys, and a picture for the pages."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.editors.neovim import SECONDS, WITH_PLUGIN, environment_of, write_init
from tests.e2e.editors.picture import save_picture
from tests.e2e.editors.programs import program
from tests.e2e.editors.stage import Stage
from tests.e2e.editors.terminal import Terminal, terminal

LOOKS = """
vim.o.shadafile = 'NONE'
vim.o.termguicolors = true
vim.o.number = true
vim.o.laststatus = 2
vim.o.showmode = false
vim.o.ruler = false
vim.o.statusline = ' %f %m%=%{v:lua.require("synconfroute").status()}  %l:%c '
vim.o.shortmess = vim.o.shortmess .. 'I'
"""
FILE = '''\
"""Numbers that describe a sample."""


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def median(values: list[float]) -> float:
'''
BODY = """\
ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return mean(ordered[middle - 1 : middle + 1])"""
COLUMNS = 80


@contextmanager
def without_screen(nvim: str, stage: Stage, socket: Path) -> Iterator[None]:
    """Neovim without a screen of its own, for one that is given to it at this socket.

    So that it need not start itself anew, which a program beside the system's cannot.
    """
    write_init(stage, WITH_PLUGIN + LOOKS)
    started = subprocess.Popen(
        [nvim, "--headless", "--listen", str(socket), "sample.py"],
        env=environment_of(stage),
        cwd=stage.workspace,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + SECONDS
        while not socket.exists():
            assert time.monotonic() < deadline, "Neovim does not listen"
            time.sleep(0.01)
        yield
        started.wait(SECONDS)
    finally:
        started.kill()
        started.wait(SECONDS)


def test_grey_text_and_status_stand_on_the_screen(stage: Stage, tmp_path: Path) -> None:
    """Several lines of it, below the cursor's, and who made it."""
    nvim = program("nvim", "SYNCONFROUTE_NEOVIM", "`.ci/from_sid FOLDER neovim` unpacks one")
    tmux = program("tmux", "SYNCONFROUTE_TMUX", "`apt-get install tmux`")
    stage.settings(limits={"lines": "multi"})
    stage.local.script.answers["    "] = BODY
    (stage.workspace / "sample.py").write_text(FILE, encoding="utf-8")
    one, socket = Terminal(tmux, tmp_path / "t"), tmp_path / "n"
    with (
        without_screen(nvim, stage, socket),
        terminal(
            one,
            [nvim, "--server", str(socket), "--remote-ui"],
            folder=stage.workspace,
            env=environment_of(stage),
            columns=COLUMNS,
        ),
    ):
        one.until(lambda screen: "scr:local" in screen, "the server")
        one.type("Go")
        one.until(lambda screen: "return mean(ordered" in screen, "grey text")
        one.until(lambda screen: "scr:local " in screen, "the status")
        save_picture("neovim", one.coloured(), one.cursor())
        one.press("Tab")
        one.press("Escape")
        one.type(":write")
        one.press("Enter")
        one.until(lambda _: "middle + 1" in _saved(stage), "the file")
        one.type(":qa!")
        one.press("Enter")
    assert _saved(stage) == f"{FILE}    {BODY}\n"
    assert stage.faults() == []


def _saved(stage: Stage) -> str:
    return (stage.workspace / "sample.py").read_text(encoding="utf-8")

"""From a key to grey text in Neovim, before a model that takes 50 ms.

Usage: python -m tests.e2e.editors.neovim_latency [NVIM]
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.e2e.editors.neovim import WITH_PLUGIN, Neovim, neovim, without_plugin
from tests.e2e.editors.script import fresh
from tests.e2e.editors.stage import DELAY, Stage, staged

SAMPLES = 30
GAP = 0.12
"""Seconds between two keys of somebody who types briskly."""

_WATCH = """
local space = vim.api.nvim_create_namespace('nvim.lsp.inline_completion')
local set = vim.api.nvim_buf_set_extmark
vim.api.nvim_buf_set_extmark = function(buf, given, row, col, options)
  if given == space then
    SHOWN_AT, SHOWN = vim.uv.hrtime(), options.virt_text[1][1]
  end
  return set(buf, given, row, col, options)
end
vim.on_key(function() KEY_AT = vim.uv.hrtime() end)
"""
_TOOK = "return { SHOWN or '', ((SHOWN_AT or 0) - (KEY_AT or 0)) / 1e6 }"


def measure(one: Neovim) -> list[float]:
    """Milliseconds from a line's last key to the text for that line, `SAMPLES` times."""
    one.open()
    one.lua(_WATCH)
    one.keys("i")
    return [_sample(one, f"name{number} = alpha") for number in range(SAMPLES)]


def _sample(one: Neovim, line: str) -> float:
    for key in line:
        time.sleep(GAP)
        one.keys(key)
    wanted = fresh(line)
    one.until(lambda: one.lua(_TOOK)[0] == wanted, "the text of this line")
    took = float(one.lua(_TOOK)[1])
    one.keys("<CR>")
    return took


def main(program: str) -> None:
    """Measure with our plugin, and with what Neovim brings alone."""
    print(f"Milliseconds from key to grey text; the model takes {DELAY * 1000:.0f}.")
    print(f"{'':24}{'median':>8}{'least':>8}{'most':>8}   {SAMPLES} samples each")
    setups = {
        "plugin, waits 5 ms": WITH_PLUGIN,
        "Neovim alone, 200 ms": without_plugin(),
    }
    for name, init in setups.items():
        with tempfile.TemporaryDirectory() as folder, staged(Path(folder)) as stage:
            took = _measured(program, stage, init)
        print(f"{name:24}{median(took):8.0f}{min(took):8.0f}{max(took):8.0f}")


def _measured(program: str, stage: Stage, init: str) -> list[float]:
    with neovim(program, stage, init) as one:
        return measure(one)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["nvim"]))

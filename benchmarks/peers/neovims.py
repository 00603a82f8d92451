"""Neovims with a plugin: ours, minuet, llama.vim."""

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.contestant import Absent, Contestant
from benchmarks.peers.neovim import Neovim, embedded
from benchmarks.peers.servers import OURS, our_command
from benchmarks.peers.stage import ROOT, Seat
from benchmarks.trace.typist import Editor, Part
from synconfroute import __version__

_LEAST_MINUET = (0, 10)
_LEAST_OURS = (0, 12)


@dataclass(frozen=True, slots=True)
class Plugin:
    """How a plugin is driven.

    Attributes:
        init: the init.lua at a seat.
        spaces: namespaces of its grey text.
        keys: what takes a text, and its first line.
        ready: Lua that says whether it can answer.
    """

    init: Callable[[Seat], str]
    spaces: Sequence[str]
    keys: dict[Part, str]
    ready: str = "return true"


def ours(program: str) -> Contestant:
    """Our plugin.

    Raises:
        Absent: this Neovim is too old for grey text.
    """
    version = version_of(program)
    if version < _LEAST_OURS:
        raise Absent(f"Our plugin shows grey text from Neovim 0.12 on; this is {_dotted(version)}.")

    def init(seat: Seat) -> str:
        command = ", ".join(_quoted(part) for part in our_command(seat))
        return f"""
vim.opt.runtimepath:prepend({_quoted((ROOT / "editors" / "neovim").as_posix())})
require('synconfroute').setup({{ cmd = {{ {command} }} }})
"""

    plugin = Plugin(
        init,
        ["nvim.lsp.inline_completion"],
        {Part.WHOLE: "<Tab>", Part.LINE: "<M-Down>"},
        "return vim.lsp.get_clients({ bufnr = 0 })[1] ~= nil"
        " and vim.lsp.get_clients({ bufnr = 0 })[1].initialized == true",
    )
    settings = "`cmd`, with `local.provider`, `local.url`, `local.model`"
    return _contestant(OURS, __version__, program, "ollama", settings, plugin)


def minuet(program: str, folder: Path) -> Contestant:
    """Minuet as its page has it for llama.cpp, with its grey text.

    Raises:
        Absent: it is not in the folder, or Neovim is too old.
    """
    settings = (
        "its page's recipe for llama.cpp (`n_completions = 1`, `context_window = 512`,"
        " `max_tokens = 56`, `top_p = 0.9`), `virtualtext.auto_trigger_ft`, keys"
    )
    return _minuet("minuet", program, folder, settings, "")


def minuet_quick(program: str, folder: Path) -> Contestant:
    """The same without its throttle, and with a shorter debounce.

    Raises:
        Absent: as `minuet`.
    """
    more = "throttle = 0, debounce = 50,"
    settings = "the same with `throttle = 0`, `debounce = 50`"
    return _minuet("minuet, quick", program, folder, settings, more)


def _minuet(name: str, program: str, folder: Path, settings: str, more: str) -> Contestant:
    place = _cloned(folder, "minuet-ai.nvim", "milanglacier/minuet-ai.nvim")
    if version_of(program) < _LEAST_MINUET:
        raise Absent("minuet needs Neovim 0.10 or later.")

    def init(seat: Seat) -> str:
        return f"""
vim.opt.runtimepath:prepend({_quoted(place.as_posix())})
require('minuet').setup {{
  {more}
  virtualtext = {{
    auto_trigger_ft = {{ 'python', 'java', 'cpp' }},
    keymap = {{ accept = '<A-A>', accept_line = '<A-a>' }},
  }},
  provider = 'openai_fim_compatible',
  n_completions = 1,
  context_window = 512,
  provider_options = {{ openai_fim_compatible = {{
    api_key = 'TERM',
    name = 'Llama.cpp',
    end_point = '{seat.model.url}/v1/completions',
    model = 'PLACEHOLDER',
    optional = {{ max_tokens = 56, top_p = 0.9 }},
    template = {{
      prompt = function(before, after)
        return '<|fim_prefix|>' .. before .. '<|fim_suffix|>' .. after .. '<|fim_middle|>'
      end,
      suffix = false,
    }},
  }} }},
}}
"""

    plugin = Plugin(init, ["minuet.virtualtext"], {Part.WHOLE: "<A-A>", Part.LINE: "<A-a>"})
    return _contestant(name, _commit(place), program, "vllm", settings, plugin)


def llama_vim(program: str, folder: Path) -> Contestant:
    """llama.vim with its own settings.

    Raises:
        Absent: it is not in the folder.
    """
    place = _cloned(folder, "llama.vim", "ggml-org/llama.vim")

    def init(seat: Seat) -> str:
        return f"""
vim.g.llama_config = {{ endpoint_fim = '{seat.model.url}/infill' }}
vim.opt.runtimepath:prepend({_quoted(place.as_posix())})
"""

    plugin = Plugin(init, ["vt_fim"], {Part.WHOLE: "<Tab>", Part.LINE: "<S-Tab>"})
    return _contestant("llama.vim", _commit(place), program, "llama_cpp", "`endpoint_fim`", plugin)


def version_of(program: str) -> tuple[int, ...]:
    """Neovim's version, two numbers.

    Raises:
        Absent: there is no such program.
    """
    try:
        told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        raise Absent(
            f"Neovim is not there as {program}: install it, or name it by --neovim."
        ) from None
    number = told.stdout.split()[1].lstrip("v").split(".")
    return int(number[0]), int(number[1])


def _contestant(
    name: str, version: str, program: str, shape: str, settings: str, plugin: Plugin
) -> Contestant:
    def opened(seat: Seat) -> AbstractContextManager[Editor]:
        return _opened(program, seat, plugin)

    editor = f"Neovim {_dotted(version_of(program))}"
    return Contestant(name, version, editor, shape, settings, opened)


@contextmanager
def _opened(program: str, seat: Seat, plugin: Plugin) -> Iterator[Editor]:
    with embedded(program, seat, plugin.init(seat)) as bridge:
        editor = Neovim(bridge, seat, plugin.spaces, plugin.keys)
        editor.begin(plugin.ready)
        yield editor


def _cloned(folder: Path, name: str, repository: str) -> Path:
    place = folder / name
    if not (place / "plugin").is_dir() and not (place / "lua").is_dir():
        raise Absent(
            f"{name} is not installed: `git clone https://github.com/{repository} {place}`."
        )
    return place


def _commit(place: Path) -> str:
    told = subprocess.run(
        ["git", "-C", str(place), "log", "-1", "--format=%h of %cs"],
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip() or "unknown"


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in version)


def _quoted(text: str) -> str:
    """A string of Lua."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"

"""The rows of the comparison: which products there are, and why one is not there."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers import neovims, plain, servers
from benchmarks.peers.contestant import Absent, Contestant

FOLDER = Path("build") / "peers"


@dataclass(frozen=True, slots=True)
class Missing:
    """A row without figures.

    Attributes:
        name: of the product.
        editor: what it would be driven by.
        reason: why, and what to do.
    """

    name: str
    editor: str
    reason: str


def rows(
    folder: Path = FOLDER, neovim: str = "", named: Sequence[str] = ()
) -> list[Contestant | Missing]:
    """All rows, ours first for each editor.

    Args:
        folder: where the peers are.
        neovim: the program; "": what PATH has.
        named: language servers, as `servers.named` takes them.

    Raises:
        ValueError: a named one is none.
    """
    program = neovim or shutil.which("nvim") or "nvim"
    over_lsp: list[tuple[str, Callable[[], Contestant]]] = [
        (servers.OURS, servers.ours),
        (plain.NAME, plain.plain),
        ("tabby-agent", lambda: servers.tabby_agent(folder)),
    ]
    over_lsp += [(line.partition("=")[0], _named(line)) for line in named]
    in_neovim: list[tuple[str, Callable[[], Contestant]]] = [
        (servers.OURS, lambda: neovims.ours(program)),
        ("llama.vim", lambda: neovims.llama_vim(program, folder)),
        ("minuet", lambda: neovims.minuet(program, folder)),
        ("minuet, quick", lambda: neovims.minuet_quick(program, folder)),
    ]
    found = [_row(name, servers.OVER_LSP, make) for name, make in over_lsp]
    return found + [_row(name, "Neovim", make) for name, make in in_neovim]


def _named(line: str) -> Callable[[], Contestant]:
    contestant = servers.named(line)
    return lambda: contestant


def _row(name: str, editor: str, make: Callable[[], Contestant]) -> Contestant | Missing:
    try:
        return make()
    except Absent as reason:
        return Missing(name, editor, str(reason))

"""Type one trace with SynConfRoute and with its peers, and give one table.

    python -m benchmarks.peers [--quick] [--peers-folder FOLDER] [--neovim PROGRAM]
                               [--only NAME …] [--peer 'NAME=COMMAND' …] [--write FILE]
                               [--first-ms MS] [--next-ms MS]

COMMAND is a language server's; in it {ollama}, {vllm}, {tabby} or {llama_cpp} stands for the
address of the model in that protocol. How the peers are installed: docs/peers.md.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.model.pace import Steady
from benchmarks.peers.comparison import Result, compared
from benchmarks.peers.document import table, written
from benchmarks.peers.measure import FOLDER_VARIABLE, NEOVIM_VARIABLE
from benchmarks.peers.model import SPEED
from benchmarks.peers.rows import FOLDER, Missing, rows
from benchmarks.validation.report import place_of_figures, with_figures


def main() -> int:
    """Exit code 1 if a product failed, 2 for wrong usage."""
    options = _options()
    try:
        found = rows(options.peers_folder, options.neovim, options.peer)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    speed = Steady(options.first_ms / 1000, options.next_ms / 1000)
    results: list[Result | Missing] = []
    for row in found:
        if options.only and row.name not in options.only:
            continue
        print(f"typing with {row.name}, {row.editor} …", file=sys.stderr, flush=True)
        results.append(row if isinstance(row, Missing) else compared(row, options.quick, speed))
    print(table(results))
    _keep(results, options, speed)
    return 1 if any(isinstance(one, Result) and one.account is None for one in results) else 0


def _keep(results: Sequence[Result | Missing], options: argparse.Namespace, speed: Steady) -> None:
    if options.json:
        accounts = [_document(one) for one in results]
        options.json.write_text(json.dumps(accounts, indent=1) + "\n", encoding="utf-8")
    if options.write:
        document = options.write.read_text(encoding="utf-8")
        text = with_figures(document, written(results, quick=options.quick, speed=speed))
        options.write.write_text(text, encoding="utf-8")


def _document(one: Result | Missing) -> dict[str, object]:
    if isinstance(one, Missing):
        return asdict(one)
    named = {name: getattr(one.contestant, name) for name in ("name", "version", "editor")}
    return {
        **named,
        "problem": one.problem,
        "account": None if one.account is None else asdict(one.account),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="the first lines of each text only")
    folder = Path(os.environ.get(FOLDER_VARIABLE) or FOLDER)
    parser.add_argument("--peers-folder", type=Path, default=folder, help=f"default: {folder}")
    neovim = os.environ.get(NEOVIM_VARIABLE, "")
    parser.add_argument("--neovim", default=neovim, help="the program, if it is not nvim on PATH")
    parser.add_argument("--only", action="append", metavar="NAME", help="only rows of this name")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND")
    first, following = SPEED.first * 1000, SPEED.next * 1000
    parser.add_argument("--first-ms", type=float, default=first, help=f"of the model: {first:g}")
    parser.add_argument("--next-ms", type=float, default=following, help=f"a token: {following:g}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE too")
    parser.add_argument("--write", type=_document_file, metavar="FILE", help="and into this page")
    return parser.parse_args()


def _document_file(name: str) -> Path:
    file = Path(name)
    if not file.is_file() or place_of_figures(file.read_text(encoding="utf-8")) is None:
        raise argparse.ArgumentTypeError(f"{name} has no place for figures: see docs/peers.md")
    return file


if __name__ == "__main__":
    sys.exit(main())

"""What tests read in the ledger."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def lines_in(files: Iterable[Path], *events: str) -> list[dict[str, Any]]:
    """The lines of some files that tell of these events, in order; all where none is named."""
    texts = [file.read_text("ascii") for file in sorted(files)]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]
    return [line for line in lines if not events or line["event"] in events]


def sent(home: Path) -> list[dict[str, Any]]:
    """A line for each request that left, of every process in a home."""
    return lines_in(home.rglob("ledger/*.jsonl"), "sent")
